"""The global search over a lattice, and the ways that it finds."""
