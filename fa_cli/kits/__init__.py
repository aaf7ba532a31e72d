"""Starter kits: a folder with a working bot in one of several languages, its types made from the protocol's schema."""
