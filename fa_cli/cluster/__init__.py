"""Games on several machines: a Dask scheduler as a queue, with workers that play batches of games."""
