"""
The bond with a lifecycle manager, by its protocol: bondpy on the other side, used as nav2 uses bondcpp.

Source of that use: navigation2, branch jazzy, nav2_lifecycle_manager/src/lifecycle_manager.cpp, createBondConnection:
after `activate` succeeded, a bond on the topic `bond`, named as the node, heartbeats of 0.1 s, formed within half of
`bond_timeout`; dropped after `deactivate`.
"""

import importlib
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from harness import DEADLINE
from lifecycle_msgs.srv import ChangeState, GetState

from usv_energy.ros.framework.process import make_executor
from usv_energy.ros.graph.compose import Composition
from usv_energy.ros.graph.graph import NodeSpec

BOND_TIMEOUT = 4.0  # the default of nav2_lifecycle_manager


class Manager:
    """The manager's side: transitions by service, and a bond with each node that it activated."""

    def __init__(self, bond_class):
        import rclpy
        self._bond_class = bond_class
        self.node = rclpy.create_node('lifecycle_manager', namespace='/boat')
        self.executor = make_executor()
        self.executor.add_node(self.node)
        self.bonds, self.heartbeats = {}, Counter()
        kind = importlib.import_module('bond.msg').Status
        self.node.create_subscription(kind, 'bond', self._count, 10)

    def _count(self, msg):
        if msg.active and msg.instance_id not in {bond.instance_id for bond in self.bonds.values()}:
            self.heartbeats[msg.id] += 1

    def spin_until(self, done, deadline=DEADLINE):
        end = time.monotonic() + deadline
        while not done() and time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.05)
        return done()

    def call(self, kind, service, request):
        """Return the answer of a service; asked again where it got lost: a process that starts finds readers late."""
        client, futures, asked = self.node.create_client(kind, service), [], [0.0]

        def answered():
            if client.service_is_ready() and time.monotonic() - asked[0] > 2.0:
                futures.append(client.call_async(request))
                asked[0] = time.monotonic()
            return any(future.done() for future in futures)

        assert self.spin_until(answered), f'{service} gives no answer'
        self.node.destroy_client(client)
        return next(future.result() for future in futures if future.done())

    def change(self, name, label, wanted):
        request = ChangeState.Request()
        request.transition.label = label
        self.call(ChangeState, f'{name}/change_state', request)
        state = self.call(GetState, f'{name}/get_state', GetState.Request()).current_state.label
        assert state == wanted, f'{name} is {state} after {label}'

    def activate(self, *names):
        for name in names:
            self.change(name, 'configure', 'inactive')
        for name in names:
            self.change(name, 'activate', 'active')
            self.bonds[name] = bond = self._bond_class(self.node, 'bond', name)
            bond.heartbeat_timeout, bond.heartbeat_period = BOND_TIMEOUT, 0.1
            bond.start()
            assert self.spin_until(lambda bond=bond: self.is_formed(bond)), f'{name} has no bond'

    def is_formed(self, bond):
        return 'SM.Alive' in repr(bond)

    def close(self):
        for bond in self.bonds.values():
            bond.shutdown()
        self.executor.remove_node(self.node)
        self.node.destroy_node()


@pytest.fixture
def manager(ros):
    bondpy = pytest.importorskip('bondpy.bondpy', reason='needs bondpy (apt install ros-jazzy-bondpy); no wheel has it')
    one = Manager(bondpy.Bond)
    yield one
    one.close()


@pytest.fixture
def composed(manager):
    """Return a function that makes two nodes in the manager's executor, left to the manager."""
    made = []

    def make(**parameters):
        specs = [NodeSpec(name, name, parameters) for name in ('state_adapter', 'power_calculator')]
        made.append(Composition(specs, '/boat', autostart=False))
        for node in made[-1].nodes.values():
            manager.executor.add_node(node)
        return made[-1].nodes

    yield make
    for composition in made:
        for node in composition.nodes.values():
            manager.executor.remove_node(node)
        composition.close()


def test_a_managed_graph_holds_its_bonds_and_breaks_them_when_deactivated(manager, composed):
    nodes = composed()
    manager.activate(*nodes)
    assert manager.spin_until(lambda: min(manager.heartbeats[name] for name in nodes) > 20)
    assert not any(bond.is_broken() for bond in manager.bonds.values())
    manager.change('power_calculator', 'deactivate', 'inactive')
    assert manager.spin_until(manager.bonds['power_calculator'].is_broken)
    assert not manager.bonds['state_adapter'].is_broken()
    left = {one.topic_name for one in (*nodes['power_calculator'].publishers, *nodes['power_calculator'].subscriptions)}
    assert '/boat/bond' not in left, 'nothing of the bond is left behind'


def test_a_killed_node_is_noticed_by_its_manager(manager):
    process = subprocess.Popen([sys.executable, '-m', 'usv_energy.nodes.state_adapter', '--ros-args', '-r',
                                '__ns:=/boat'])
    try:
        manager.activate('state_adapter')
        # bondpy watches from the second heartbeat on.
        assert manager.spin_until(lambda: manager.heartbeats['state_adapter'] > 5)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert manager.spin_until(manager.bonds['state_adapter'].is_broken)
    finally:
        process.kill()
        process.wait()


def test_a_node_that_ends_breaks_its_bond_at_once(manager):
    process = subprocess.Popen([sys.executable, '-m', 'usv_energy.nodes.state_adapter', '--ros-args', '-r',
                                '__ns:=/boat'])
    try:
        manager.activate('state_adapter')
        assert manager.spin_until(lambda: manager.heartbeats['state_adapter'] > 5)
        process.send_signal(signal.SIGTERM)
        died = manager.bonds['state_adapter']
        assert manager.spin_until(died.is_broken)
        assert died.sister_died_first, 'it was told so; no heartbeat had to be missed'
        assert process.wait(DEADLINE) == 0
    finally:
        process.kill()
        process.wait()


def test_without_a_manager_or_with_a_period_of_zero_there_is_no_bond(manager):
    specs = [NodeSpec(name, name, {'bond_heartbeat_period': period}) for name, period in
             (('state_adapter', 0.1), ('power_calculator', 0.0))]
    with Composition(specs, '/alone', autostart=False) as composition:
        for node in composition.nodes.values():
            manager.executor.add_node(node)
        assert composition.nodes['state_adapter'].bring_up()
        manager.change('/alone/power_calculator', 'configure', 'inactive')
        manager.change('/alone/power_calculator', 'activate', 'active')
        topics = {topic for node in composition.nodes.values() for topic in
                  [one.topic_name for one in (*node.publishers, *node.subscriptions)]}
        assert '/alone/power' in topics and '/alone/bond' not in topics
        for node in composition.nodes.values():
            manager.executor.remove_node(node)
