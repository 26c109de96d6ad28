"""Batteries: a counter of energy, and cells with voltage, resistance and heat."""
