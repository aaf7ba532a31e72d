"""Records as the types of one language; each module has `write(records, about)`, the whole text of a file."""
