"""A separate ROS domain for each run, so that two runs on one machine do not hear each other."""

import contextlib
import os
from collections.abc import Iterator

VARIABLE = 'ROS_DOMAIN_ID'


@contextlib.contextmanager
def own_domain() -> Iterator[int]:
    """
    Set ROS_DOMAIN_ID to a domain that nobody else who asks this way has, unless the user has set it.

    :return: The domain in force. It is given back at the end.
    """
    if os.environ.get(VARIABLE):
        yield int(os.environ[VARIABLE])
        return
    from domain_coordinator import domain_id
    with domain_id() as identifier:
        os.environ[VARIABLE] = str(identifier)
        try:
            yield identifier
        finally:
            del os.environ[VARIABLE]
