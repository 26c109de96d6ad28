"""The error of bad input: what a person typed or wrote into a file, never a fault of the program."""


class InputError(ValueError):
    """Bad input, with a message for its author: file, key, value and what is allowed."""
