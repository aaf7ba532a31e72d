"""Play and watch in the browser: a web server with tables for people and bots, and the contests of this home.

Its dependencies are the extra `web`; nothing else of the package imports it.
"""
