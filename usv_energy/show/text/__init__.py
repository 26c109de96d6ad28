"""Text for a terminal: one file a kind of result."""
