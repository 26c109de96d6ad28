"""Sweeps: a scenario whose numbers vary, run chunk by chunk into one file of results."""
