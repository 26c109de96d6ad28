"""A battery watched while it is drawn from."""
