"""The boat file: types, reading, checks, and the table of a boat's numbers."""
