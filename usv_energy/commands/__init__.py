"""The verbs of the usv-energy command, a module each (`add_arguments`, `execute`), and the arguments they share."""
