"""`route`: the path, the speeds and the departure of least cost."""
