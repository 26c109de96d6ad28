"""Added resistance of a boat in waves, from its logs."""
