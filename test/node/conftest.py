import gc

import pytest


@pytest.fixture
def ros(monkeypatch):
    """Have rclpy up, in a domain of this test's own and on this machine only; return the domain."""
    import loopback
    import rclpy
    from domain_coordinator import domain_id
    with domain_id() as domain:
        monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
        monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        loopback.init()
        yield domain
        gc.collect()
        rclpy.shutdown()


@pytest.fixture
def without_numbers(monkeypatch):
    """Have all publishers of a topic heard, as where the middleware does not number their messages."""
    from usv_energy.ros.framework.intra_process import IntraProcessSubscription
    monkeypatch.setattr(IntraProcessSubscription, '_to_use', lambda self, data, info: [data])


@pytest.fixture
def graph(ros):
    """Return a function that makes an EnergyGraph; every one that was made is closed at the end."""
    from harness import EnergyGraph
    made = []

    def make(*args, **options):
        made.append(EnergyGraph(*args, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def attach():
    """Return a function that brings a node up in the graph of a composition; all are closed at the end."""
    from rclpy.parameter import Parameter
    made = []

    def one(composition, node_class, namespace='/boat', **given):
        node = node_class(namespace=namespace,
                          parameter_overrides=[Parameter(name, value=value) for name, value in given.items()])
        composition.executor.add_node(node)
        made.append((composition, node))
        assert node.bring_up()
        return node

    yield one
    for composition, node in made:
        composition.executor.remove_node(node)
        node.close()
