"""Pictures: one file a kind of result."""
