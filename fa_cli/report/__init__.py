"""The report of tournaments: their results as sections of a page, and the games that it links to."""
