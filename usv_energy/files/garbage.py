"""Circles of objects that nothing refers to any more: how often Python looks for them."""

import gc

OBJECTS_KEPT = 20_000


def collect_seldom() -> None:
    """
    Look for circles among new objects only when there are OBJECTS_KEPT of them, not at Python's 700.

    Libraries that load make many objects that stay: a command would spend a tenth of its start looking through them.
    """
    gc.set_threshold(OBJECTS_KEPT)
