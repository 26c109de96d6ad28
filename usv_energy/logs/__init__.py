"""Recorded motion of any source as arrays in SI units, earth ENU and body FLU."""
