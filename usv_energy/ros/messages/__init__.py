"""Between messages and our types, in both directions, and bags of messages."""
