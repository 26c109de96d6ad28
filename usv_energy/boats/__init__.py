"""Boat files and their parts: types, reading, checks, and a boat's numbers by path."""
