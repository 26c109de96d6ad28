"""Thrusters: kinds, mounting, limits, commands, forces under way and power."""
