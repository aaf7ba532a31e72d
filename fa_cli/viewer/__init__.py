"""Games to look at: the drawn board, and pages that show games."""
