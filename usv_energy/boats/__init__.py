"""Boat files and what they name (cells, propellers, thrusters, sensors): types, reading, checks, a boat's numbers."""
