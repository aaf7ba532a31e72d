"""Play and watch in the browser: a web server with tables for people and bots, and the contests of this home.

The site needs the extra `web`; the tables are those of `mcp_server`, too, and need nothing.
"""
