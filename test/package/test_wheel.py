"""The package as people without ROS install it: a wheel in a fresh virtual environment, used from another folder."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from urllib.request import Request, urlopen

import pytest
from places import ROOT

PACKED = ('setup.py', 'setup.cfg', 'package.xml', 'README.md', 'usv_energy', 'requirements', 'resource', 'launch',
          'config', 'models', 'worlds')
LOCKED = ROOT / 'requirements' / 'locked.txt', ROOT / 'requirements' / 'locked_extras.txt'
TABLE = 'time_s,x_m,y_m,yaw_rad,u_m_s,v_m_s,r_rad_s\n' + ''.join(f'{0.1 * n},{0.1 * n},0,0,1,0,0\n' for n in range(200))
MAP = 'columns:\n' + ''.join(f'  {name}: {{column: {column}, unit: {unit}}}\n' for name, column, unit in (
    ('time', 'time_s', 's'), ('x', 'x_m', 'm'), ('y', 'y_m', 'm'), ('yaw', 'yaw_rad', 'rad'), ('u', 'u_m_s', 'm/s'),
    ('v', 'v_m_s', 'm/s'), ('r', 'r_rad_s', 'rad/s')))
SWEEP = 'scenario: "3"\ngrid:\n  current.speed: {from: 0.0, to: 0.1, number: 2}\n'


class Installed:
    """A virtual environment with the wheel in it, seen by nothing of this one."""

    def __init__(self, folder):
        self.folder = folder
        self.elsewhere = folder / 'elsewhere'
        self.elsewhere.mkdir()
        kept = ('PATH', 'HOME', 'TMPDIR', 'XDG_CACHE_HOME', 'LANG')
        self.environment = {key: os.environ[key] for key in kept if key in os.environ} | {
            'MPLCONFIGDIR': str(folder / 'matplotlib'),
            **{key: value for key, value in os.environ.items() if key.startswith(('PIP_', 'SSL_'))
               or key.lower() in ('http_proxy', 'https_proxy', 'no_proxy', 'all_proxy')}}

    def called(self, *command):
        return subprocess.run(list(map(str, command)), cwd=self.elsewhere, env=self.environment, text=True,
                              capture_output=True, timeout=600)

    def python(self, *arguments):
        return self.called(self.folder / 'venv/bin/python', *arguments)

    def install(self, *what):
        versions = self.folder / 'versions.txt'     # Without hashes, which are for all packages or none.
        versions.write_text('\n'.join(line.split()[0] for path in LOCKED for line in path.read_text().splitlines()
                                      if '==' in line))
        done = self.python('-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--quiet',
                           '--no-compile', '-c', versions, *what)
        if 'No matching distribution found' in done.stderr and 'connection' in done.stderr.lower():
            pytest.skip(f'pip reaches no package index: {done.stderr.strip().splitlines()[-1]}')
        assert done.returncode == 0, done.stderr

    def command(self, *arguments):
        return self.called(self.folder / 'venv/bin/usv-energy', *arguments)

    def works(self, *arguments):
        done = self.command(*arguments)
        assert done.returncode == 0 and 'Traceback' not in done.stderr, done.stderr
        return done.stdout


@pytest.fixture(scope='module')
def installed(tmp_path_factory):
    """Build the wheel from a copy of the sources and install it with what it declares."""
    folder = tmp_path_factory.mktemp('wheel')
    source = folder / 'source'
    source.mkdir()
    for name in PACKED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns('__pycache__', '*.egg-info'))
        else:
            shutil.copy(ROOT / name, source / name)
    found = Installed(folder)
    made = found.called(sys.executable, '-I', '-m', 'venv', folder / 'venv')
    assert made.returncode == 0, made.stderr
    found.install('wheel', 'setuptools')
    built = found.python('-m', 'pip', 'wheel', '--no-deps', '--no-build-isolation', '--wheel-dir', folder, source)
    assert built.returncode == 0, built.stderr
    shutil.rmtree(source)
    found.install(*folder.glob('usv_energy-*.whl'))
    return found


def test_there_is_no_ros_in_it(installed):
    done = installed.python('-c', 'import rclpy')
    assert 'No module named' in done.stderr
    done = installed.command('demo')
    assert done.returncode == 2 and 'needs ROS 2' in done.stderr and 'Traceback' not in done.stderr


def test_shipped_boats_and_scenarios_are_found(installed):
    listed = installed.works('list')
    for kind in ('boats', 'scenarios'):
        for path in (ROOT / 'config' / kind).glob('[!_]*.yaml'):
            assert path.stem in listed


def test_a_run_and_its_analysis(installed):
    installed.works('run', '3', '--out', 'out')
    folder, = (path for path in (installed.elsewhere / 'out').rglob('samples.csv'))
    assert 'Wh' in installed.works('analyze', folder.parent, '--out', 'report')
    assert list((installed.elsewhere / 'report').rglob('*.html'))


def test_a_table_of_somebody_else(installed):
    (installed.elsewhere / 'log.csv').write_text(TABLE)
    (installed.elsewhere / 'map.yaml').write_text(MAP)
    assert 'Wh' in installed.works('analyze', 'log.csv', '--columns', 'map.yaml', '--boat', 'lutra_prop')


def test_range(installed):
    assert 'Best speed' in installed.works('range', '--boat', 'blueboat')


def test_a_sweep_names_what_it_lacks_and_runs_with_it(installed):
    (installed.elsewhere / 'small.yaml').write_text(SWEEP)
    lacking = installed.command('sweep', 'small.yaml', '--out', 'small.nc')
    assert lacking.returncode == 2
    assert "the library xarray is needed, but not installed: pip install 'usv_energy[sweep]'" in lacking.stderr
    wheel, = installed.folder.glob('usv_energy-*.whl')
    installed.install(f'{wheel}[sweep]')
    installed.works('sweep', 'small.yaml', '--out', 'small.nc')
    assert (installed.elsewhere / 'small.nc').is_file()


def test_the_extension_of_blueos_starts_and_can_be_set(installed):
    """The image's last install and its command, on other ports; the router that it is connected to says nothing."""
    image = (ROOT / 'extension' / 'blueos' / 'Dockerfile').read_text()
    wheel, = installed.folder.glob('usv_energy-*.whl')
    installed.install(f'{wheel}[ardupilot]')
    with socket.create_server(('127.0.0.1', 0)) as router:
        others = {'tcp:127.0.0.1:5777': f'tcp:127.0.0.1:{router.getsockname()[1]}', '0.0.0.0:8090': '127.0.0.1:0',
                  '/data/settings.json': str(installed.elsewhere / 'settings.json')}
        program, *words = json.loads(image.rpartition('ENTRYPOINT ')[2])
        assert set(others) <= set(words)
        with subprocess.Popen([installed.folder / 'venv/bin' / program, *(others.get(word, word) for word in words)],
                              cwd=installed.elsewhere, env=installed.environment, stderr=subprocess.PIPE,
                              text=True) as live:
            try:
                address = live.stderr.readline().split()[-1].rstrip('/')
                urlopen(Request(f'{address}/settings', b'battery=4S18Ah', {'Origin': address}), timeout=30.0).close()
                assert json.loads((installed.elsewhere / 'settings.json').read_text()) == {'battery': '4S18Ah'}
                with urlopen(f'{address}/status', timeout=30.0) as status:
                    assert json.load(status) == []
            finally:
                live.send_signal(signal.SIGTERM)
                said = live.stderr.read()
        assert live.returncode == 130 and 'Traceback' not in said, said


def test_a_missing_core_library_is_named(installed):
    done = installed.python('-c', 'import sys; sys.modules["scipy"] = sys.modules["yaml"] = None; '
                                  'from usv_energy.cli.main import main; sys.exit(main(["range"]))')
    assert done.returncode == 2 and 'Traceback' not in done.stderr
    assert 'the library yaml is needed, but not installed' in done.stderr
