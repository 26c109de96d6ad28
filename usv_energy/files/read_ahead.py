"""Reading ahead: what comes next is made in a thread while what came before is worked on."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar('Item')


def read_ahead(items: Iterator[Item], number: int) -> Iterator[Item]:
    """
    Give items in their order, and raise what making one of them raises, in its turn.

    It pays where making them lets go of the interpreter's lock: reading, unpacking, checksums.

    :param items: Gives them; used by the thread alone from here on.
    :param number: How many are made ahead, at most.
    """
    end = object()
    with ThreadPoolExecutor(max_workers=1) as pool:
        coming = deque(pool.submit(next, items, end) for _ in range(number))
        while (item := coming.popleft().result()) is not end:
            coming.append(pool.submit(next, items, end))
            yield item  # type: ignore[misc]  # next gives an item or `end`
