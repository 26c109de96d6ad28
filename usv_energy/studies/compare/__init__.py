"""`compare` and `overlay`: changes between runs, and measured and simulated speeds."""
