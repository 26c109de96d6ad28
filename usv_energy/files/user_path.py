"""Paths as people write them: `~` is the home folder, also where no shell has seen it (launch files, parameters)."""

from pathlib import Path

from .errors import InputError


def user_path(text: str | Path) -> Path:
    """
    Return the path that a person wrote, with `~` or `~user` at its start replaced by that home folder.

    :param text: As it was written.
    :raises InputError: If there is no such user.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise InputError(f'{text}: there is no home folder of that user; write ./{text} for a file of that name'
                         ) from None
