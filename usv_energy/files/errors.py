"""The error for bad input, and counted nouns for messages."""


class InputError(ValueError):
    """Bad input, with a message for its author: file, key, value and what is allowed."""


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: `1 gap`, `2 gaps`; only for nouns with a plural in s."""
    return f'{number} {thing}' if number == 1 else f'{number} {thing}s'
