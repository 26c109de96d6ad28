"""Sweeps: many runs of a scenario with varying numbers, computed in chunks into one file of results."""
