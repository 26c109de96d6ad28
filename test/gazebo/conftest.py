"""Fixtures of the tests that launch Gazebo."""

import gz_world
import pytest
from graph_prefix import has_ros_gz
from gz_compile import CompileError, compiled_pipe
from launched_gazebo import Launched


@pytest.fixture(scope='module')
def compiled(tmp_path_factory):
    """Return graph_pipe, compiled; skip where that cannot be, and say why."""
    path = tmp_path_factory.mktemp('pipe') / 'graph_pipe'
    try:
        compiled_pipe(path, gz_world.server().major)
    except CompileError as reason:
        pytest.skip(str(reason))
    return path


@pytest.fixture(scope='module')
def pipe(request):
    """Return graph_pipe where it stands in for ros_gz, None where the real one is installed."""
    return None if has_ros_gz() else request.getfixturevalue('compiled')


@pytest.fixture
def launched(tmp_path, pipe, monkeypatch):
    from domain_coordinator import domain_id
    made = []

    def one(**arguments):
        made.append(Launched(tmp_path, pipe, **arguments))
        return made[-1]

    with domain_id() as domain:
        monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
        monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        yield one
        for process in made:
            process.end()
