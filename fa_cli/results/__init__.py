"""What the results of tournaments say: places, comparisons, and tests that could end a tournament early."""
