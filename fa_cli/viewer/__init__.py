"""HTML pages that show games and results in a browser, offline and from one file each."""
