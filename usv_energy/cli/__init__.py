"""The verbs of the usv-energy command, a module each, and the arguments that they share."""
