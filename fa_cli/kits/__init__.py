"""Starter kits: a folder with a working bot in one of nine languages, with types generated from the protocol."""
