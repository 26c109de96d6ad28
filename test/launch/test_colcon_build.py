"""The package built and installed as on a ROS 2 machine, over the interfaces that are built already."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from launched import ROOT

NODES = ('state_adapter', 'current_client', 'wind_client', 'power_calculator', 'energy_accumulator', 'boat_simulator',
         'scenario_driver', 'motion_driver', 'home_watch', 'flow_server', 'recorder')
BUILD = ('--packages-select', 'usv_energy', '--base-paths', ROOT, '--build-base', 'build', '--install-base', 'install')


@pytest.fixture
def colcon(tmp_path):
    """Return a function that runs colcon, for a build elsewhere than in the working tree, and returns its output."""
    if shutil.which('colcon') is None or shutil.which('cmake') is None:
        pytest.skip('needs colcon and cmake')

    def run(verb, *arguments):
        done = subprocess.run(['colcon', '--log-base', 'log', verb, *map(str, arguments)], cwd=tmp_path, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1500)
        assert done.returncode == 0, done.stdout
        return done.stdout

    return run


def without_the_tree(python_path):
    """Return a Python path without all that holds usv_energy: the working tree, and a build of it that links there."""
    return os.pathsep.join(place for place in python_path.split(os.pathsep)
                           if place and not (Path(place) / 'usv_energy/version.py').exists())


def test_the_package_builds_and_installs(colcon, tmp_path):
    """
    What is installed works alone: in a folder and a Python path where the working tree is not.

    The interfaces are those that all tests here use, which colcon built before: `./run` does, and so does a workspace.
    """
    found = colcon('list', '--base-paths', ROOT, ROOT / 'usv_energy_msgs')
    assert 'ros.ament_python' in found and 'ros.ament_cmake' in found
    colcon('build', *BUILD)
    prefix = tmp_path / 'install/usv_energy'
    for name in (*NODES, 'compose', 'usv-energy'):
        assert os.access(prefix / 'lib/usv_energy' / name, os.X_OK), name
    share = prefix / 'share/usv_energy'
    for folder in ('launch', 'config'):
        for source in (ROOT / folder).rglob('*'):
            if source.is_file() and '__pycache__' not in source.parts:
                assert (share / source.relative_to(ROOT)).read_bytes() == source.read_bytes()
    environment = {**os.environ, 'PYTHONPATH': without_the_tree(os.environ.get('PYTHONPATH', ''))}
    run = f'{prefix}/lib/usv_energy/compose scenario --scenario 3 --out here --no-plots --no-bag'
    done = subprocess.run(['sh', '-c', f'. install/local_setup.sh && {run}'], cwd=tmp_path, env=environment, text=True,
                          capture_output=True, timeout=1500)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / 'here/3_rep103/summary.json').is_file()
    done = subprocess.run(['sh', '-c', '. install/local_setup.sh && command -v usv-energy && usv-energy list'],
                          cwd=tmp_path, env=environment, text=True, capture_output=True, timeout=1500)
    assert done.returncode == 0 and done.stdout.startswith(f'{prefix}/bin/usv-energy\nScenarios\n'), done
