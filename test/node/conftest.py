import gc

import pytest


@pytest.fixture
def ros(monkeypatch):
    """Have rclpy up, in a domain of this test's own and on this machine only; return the domain."""
    import rclpy
    from domain_coordinator import domain_id
    with domain_id() as domain:
        monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
        monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        rclpy.init(args=[])
        yield domain
        gc.collect()
        rclpy.shutdown()


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
