"""The verbs of the usv-energy command: each module gives `add_arguments(parser)` and `execute(args)`."""
