"""The SQLite file of the index: its tables, and the seals by which a user knows their own."""
