"""Boat files and what they name: types, reading, checks, and a boat's numbers by their paths."""
