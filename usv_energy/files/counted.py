"""Numbers of things in messages, in the singular where there is one."""


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: `1 gap`, `2 gaps`; nouns whose plural has an s only."""
    return f'{number} {thing}' if number == 1 else f'{number} {thing}s'
