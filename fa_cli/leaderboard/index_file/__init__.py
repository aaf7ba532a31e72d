"""The SQLite file of the index, and the seals by which a user knows their own."""
