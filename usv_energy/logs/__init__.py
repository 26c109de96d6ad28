"""Recorded motion of any source, as arrays in the house's units and frames."""
