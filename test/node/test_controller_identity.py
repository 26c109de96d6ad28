"""Publishers of orders that are a controller started again: not one found late, or lost and found again."""

import types

import pytest

from usv_energy.ros.live import controller_watch
from usv_energy.ros.live.controller_watch import COMMAND, ControllerWatch


class Graph:
    """Stands for a node: the publishers of its topics are what a test says; no ROS."""

    def __init__(self):
        self.publishers = {}
        self.told = []

    def resolve_topic_name(self, topic):
        return topic

    def get_publishers_info_by_topic(self, topic):
        return [types.SimpleNamespace(endpoint_gid=[one], node_name='driver') for one in self.publishers.get(topic, ())]

    def get_logger(self):
        return types.SimpleNamespace(warning=self.told.append)


@pytest.fixture
def watch(monkeypatch):
    clock = types.SimpleNamespace(now=0.0)
    monkeypatch.setattr(controller_watch, 'time', types.SimpleNamespace(monotonic=lambda: clock.now))
    made = ControllerWatch.__new__(ControllerWatch)
    made._node, made._plain_topic = Graph(), 'cmd_thrust/left'
    with monkeypatch.context() as patched:
        patched.setattr(controller_watch, 'publish_health', lambda *_: None)
        patched.setattr(ControllerWatch, '_publish', lambda *_: None)
        made._node.every = lambda *_: None
        made.begin(None, 0.1, lambda: clock.now)
    made.clock = clock

    def at(now, silent=False, **publishers):
        clock.now = now
        made._had_gap = made._had_gap or silent
        made._node.publishers = {COMMAND: publishers.get('stamped', ()), 'cmd_thrust/left': publishers.get('plain', ())}
        made._detect_restart()
        return made._orders.lateness(now).restarts

    made.at = at
    return made


def test_a_publisher_that_is_found_late_after_a_silence_is_the_first_one(watch):
    watch.on_order(0.0)
    assert watch.at(0.5) == 0
    assert watch.at(5.0, silent=True) == 0
    assert watch.at(6.0, stamped=(1,)) == 0


def test_one_that_is_lost_and_found_again_is_the_same(watch):
    watch.on_order(0.0)
    assert watch.at(0.5, stamped=(1,)) == watch.at(5.0) == 0
    assert watch.at(6.0, stamped=(1,)) == watch.at(7.0, stamped=(1,)) == 0


def test_stamped_orders_after_plain_ones_may_be_of_the_same_controller(watch):
    watch.on_order(None)
    assert watch.at(0.5, plain=(1,), stamped=(2,)) == 0
    watch.clock.now = 3.0
    watch.on_order(3.0)
    assert watch.at(5.0, silent=True, plain=(1,), stamped=(2,)) == 0
    assert watch.at(6.0, silent=True, plain=(1,), stamped=(2,)) == 0


def test_another_one_after_the_first_was_gone_is_a_restart_once(watch):
    watch.on_order(0.0)
    assert watch.at(0.5, stamped=(1,)) == 0
    assert watch.at(5.0) == 0
    assert watch.at(6.0, stamped=(2,)) == 1
    assert watch.at(9.0, stamped=(2,)) == 1
    assert watch.at(20.0, silent=True, stamped=(2, 3)) == 2
    assert any('started again' in line for line in watch._node.told)
