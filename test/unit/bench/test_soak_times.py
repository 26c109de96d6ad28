"""When a soak kills, deactivates and resets."""

import sys

import pytest
from places import ROOT

NEEDS = ('rclpy', 'usv_energy_msgs')


@pytest.fixture
def every(monkeypatch):
    """Return the class Every of bench/soak.py, which is no package; its neighbours are forgotten again."""
    monkeypatch.syspath_prepend(str(ROOT / 'bench'))
    before = set(sys.modules)
    import soak
    yield soak.Every
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], '__file__', '')).startswith(str(ROOT / 'bench')):
            del sys.modules[name]


def test_each_time_is_due_once_and_awaited_until_then(every):
    """Every two minutes, the first time after one: at 60, 180 and 300 s."""
    kills = every(2.0, first=0.5)
    assert not kills.is_awaited(59.9) and not kills.is_due(59.9)
    assert kills.is_awaited(60.0) and kills.is_awaited(60.0), 'asking whether it is awaited takes nothing'
    assert kills.is_due(60.0) and not kills.is_due(60.0) and not kills.is_awaited(179.9)
    assert kills.is_awaited(180.0)


def test_times_that_went_by_are_awaited_until_all_are_done(every):
    """A machine that is late does them one after the other: three in ten minutes of three each, none after that."""
    kills, done = every(3.0), 0
    while kills.is_awaited(600.0):
        assert kills.is_due(600.0)
        done += 1
    assert done == 3 and not kills.is_due(600.0)


def test_what_is_never_due_is_not_awaited(every):
    never = every(0.0)
    assert not never.is_awaited(1e12) and not never.is_due(1e12)
