"""`compare` and `overlay`: what changed between runs, and measured beside simulated speeds."""
