"""The error for bad input, counted nouns for messages, and why a port cannot be listened at."""

import errno
import socket

NOT_LISTENING = {errno.EADDRINUSE: 'another program has this port; must be another one',
                 errno.EACCES: 'the system lets only its administrator have this port; must be one from 1024 on',
                 errno.EADDRNOTAVAIL: 'this machine has no such address; 0.0.0.0 is all that it has'}


class InputError(ValueError):
    """Bad input, with a message for its author: file, key, value and what is allowed."""


class Caution(UserWarning):
    """A warning of an input file's own author: what its numbers are not for."""


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: `1 gap`, `2 gaps`; only for nouns with a plural in s."""
    return f'{number} {thing}' if number == 1 else f'{number} {thing}s'


def not_listening(option: str, error: OSError | OverflowError) -> InputError:
    """
    Return the error of a place that cannot be listened at.

    :param option: With its value, as `--port 80`.
    :param error: Of the socket; an OverflowError is of a number that is no port.
    """
    why = NOT_LISTENING.get(getattr(error, 'errno', None) or 0, str(getattr(error, 'strerror', None) or error))
    if isinstance(error, socket.gaierror):
        why = 'there is no such host'
    elif isinstance(error, OverflowError):
        why = 'the port must be from 0 to 65535'
    return InputError(f'{option}: cannot listen there: {why}')
