"""Games to look at: boards drawn as SVG, and HTML pages for a browser, each a single file that works offline."""
