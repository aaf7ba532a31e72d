"""Whether two bots at a table play for each other."""
