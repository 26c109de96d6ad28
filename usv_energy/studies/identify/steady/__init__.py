"""Damping from steady states, after the thesis."""
