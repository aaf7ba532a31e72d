"""Tournaments in the browser, followed by the files that their runs write."""
