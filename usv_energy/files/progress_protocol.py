"""How far long work is: what a function that takes long is given to call now and then."""

from collections.abc import Callable

Progress = Callable[[int, int], None]   # Called with how much is done, and how much there is.


def no_progress(done: int, number: int) -> None:
    """Tell nobody how far the work is."""
