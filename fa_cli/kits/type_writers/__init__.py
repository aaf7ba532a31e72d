"""Generators of types, one module per language: `write(records, about)` returns the text of a file."""
