"""The error of bad input, and numbers of things in messages."""



class InputError(ValueError):
    """Bad input, with a message for its author: file, key, value and what is allowed."""



def counted(number: int, thing: str) -> str:
    """Return a number with its noun: `1 gap`, `2 gaps`; nouns whose plural has an s only."""
    return f'{number} {thing}' if number == 1 else f'{number} {thing}s'
