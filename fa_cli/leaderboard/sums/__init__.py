"""Results as columns, summed, and ranked by their sums: all that needs NumPy."""
