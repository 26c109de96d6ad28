"""A build that lacks usv_energy_msgs, as a plain `colcon build` makes it that does not find the package, says so."""

import os
import subprocess
import sys

import pytest
from launched import DEADLINE, ROOT

STARTED = 'import sys; sys.argv = {!r}.split(); from usv_energy.start import main; sys.exit(main())'
LAUNCHED = """
import sys
from launch import LaunchDescription, LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
service = LaunchService()
service.include_launch_description(LaunchDescription([
    IncludeLaunchDescription(PythonLaunchDescriptionSource({!r}), launch_arguments=[('boat', 'lutra_prop')])]))
sys.exit(service.run())
"""
WORDS = 'usv_energy_msgs is not built', 'ln -s usv_energy/usv_energy_msgs src/usv_energy_msgs && colcon build'


@pytest.fixture
def run(domain, tmp_path):
    """Return a function that runs Python where usv_energy_msgs has no messages; it returns exit code and output."""
    (tmp_path / 'without/usv_energy_msgs').mkdir(parents=True)
    (tmp_path / 'without/usv_energy_msgs/__init__.py').touch()
    environment = {**os.environ, 'PYTHONPATH': f'{tmp_path / "without"}{os.pathsep}{os.environ["PYTHONPATH"]}'}

    def run(program):
        done = subprocess.run([sys.executable, '-P', '-c', program], cwd=tmp_path, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=DEADLINE)
        return done.returncode, done.stdout
    return run


@pytest.mark.parametrize('command', ['compose scenario --scenario=3', 'power_calculator', 'flow_server'])
def test_an_executable_says_in_one_line_what_is_not_built(run, command):
    code, output = run(STARTED.format(command))
    assert code == 2
    assert output.count('\n') == 1 and output.startswith(f'{command.split()[0]}: ')
    assert all(part in output for part in WORDS)


def test_the_command_says_so(run):
    code, output = run("import sys; from usv_energy.cli.main import main; sys.exit(main(['demo', '3']))")
    assert code == 2
    assert all(part in output for part in WORDS) and 'Traceback' not in output


@pytest.mark.parametrize('file', ['scenario', 'energy'])
def test_a_launch_file_says_so(run, file):
    pytest.importorskip('launch_ros', reason='needs launch_ros (a full ROS 2)')
    code, output = run(LAUNCHED.format(str(ROOT / 'launch' / f'{file}.launch.py')))
    assert code == 1
    assert all(part in output for part in WORDS) and 'Traceback' not in output
