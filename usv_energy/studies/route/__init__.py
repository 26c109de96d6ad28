"""`route`: the way, the speeds and the departure that cost the least."""
