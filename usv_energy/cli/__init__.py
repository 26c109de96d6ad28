"""The verbs of the usv-energy command, one module each, and their common arguments."""
