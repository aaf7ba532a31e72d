"""Texts, columns and tables: how values become lines for people, and rows for programs."""
