"""Identify a boat's parameters from its logs and trials."""
