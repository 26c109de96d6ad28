"""Pure functions and frozen parameter types: the physics, written once. Needs numpy at most."""
