"""
A real, headless Gazebo server for tests: started on a world of ours, stepped by its control service, never slept for.

Looks for `gz sim` (Harmonic) or `ign gazebo` (Fortress); the client, `driver.cc`, is compiled against the gz-transport
that is found. What is missing is a reason to skip: `missing()` says it, and `client()` where it does not compile.
"""

import contextlib
import functools
import math
import os
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path
from typing import NamedTuple

import gz_compile
from gz_compile import CLIENTS

from usv_energy.gazebo.model import Placement, angle_joint
from usv_energy.gazebo.world import world_text
from usv_energy.sim.scenario import read_scenario

STEP = 0.004
COMMANDS = (['gz', 'sim'], ['ign', 'gazebo'])


class Sample(NamedTuple):
    """Odometry: time s; place m; roll, pitch, yaw rad; velocity in body axes m/s, rad/s."""

    t: float
    x: float
    y: float
    z: float
    roll: float
    pitch: float
    yaw: float
    u: float
    v: float
    w: float
    p: float
    q: float
    r: float


class Server(NamedTuple):
    command: list[str]
    version: str

    @property
    def major(self):
        return self.version.split('.')[0]

    def __str__(self):
        return f'{" ".join(self.command)} {self.version}'


@functools.cache
def server():
    """Return the server that is installed, of a version that the client knows, or None."""
    for command in COMMANDS:
        if shutil.which(command[0]):
            done = subprocess.run([*command, '--versions'], capture_output=True, text=True, timeout=60.0)
            version = (done.stdout.split() or [''])[0]
            if done.returncode == 0 and version.split('.')[0] in CLIENTS:
                return Server(command, version)
    return None


def missing():
    """Return why there can be no test with a server; empty where there can."""
    if server() is None:
        return 'no Gazebo server: neither `gz sim` nor `ign gazebo` runs'
    return gz_compile.missing(CLIENTS[server().major])


@functools.cache
def client():
    """
    Return the path of the compiled client.

    :raises CompileError: Where it cannot be.
    """
    path = Path(tempfile.mkdtemp(prefix='usv_energy_gz_')) / 'driver'
    gz_compile.compiled('driver.cc', path, CLIENTS[server().major])
    return path


class World:
    """A world that runs, stepped from here."""

    def __init__(self, process, client_process, models, partition):
        self._server, self._client, self._models = process, client_process, models
        self.partition = partition

    def thrust(self, model, thruster, newton):
        """Command a thruster from the next step on, N along its axis."""
        self._say(f'thrust {model} {thruster}_propeller_joint {newton!r}')

    def current(self, model, x, y):
        """Let the water flow at a boat from the next step on, m/s (ENU)."""
        self._say(f'current {model} {x!r} {y!r}')

    def angle(self, model, name, rad):
        """Command the angle of a thruster or a foil from the next step on, rad from the bow."""
        self._say(f'angle {model} {angle_joint(name)} {rad!r}')

    def wind(self, model, x, y):
        """Let the air flow at a boat's sails from the next step on, m/s (ENU)."""
        self._say(f'wind {model} {x!r} {y!r}')

    def run(self, duration, step=STEP):
        """Step for a duration, s, and return each boat's Sample at its end."""
        self._say(f'step {round(duration / step)}')
        samples = {}
        while (line := self._client.stdout.readline().strip()) != 'done':
            if not line or line == 'failed':
                raise RuntimeError(f'the server does not step (its exit status: {self._server.poll()})')
            name, *values = line.split()
            samples[name] = Sample(*map(float, values))
        return samples

    def _say(self, line):
        self._client.stdin.write(f'{line}\n')
        self._client.stdin.flush()


@contextlib.contextmanager
def running(text, models, folder, name='open_water', step=STEP):
    """
    Give the World of an SDF text, paused at its start; the server is gone afterwards.

    :param models: Names of the boats in it.
    :param folder: For the file, and the server's own output.
    """
    path = Path(folder) / 'world.sdf'
    path.write_text(text)
    environment = {**os.environ, 'GZ_PARTITION': uuid.uuid4().hex}
    environment['IGN_PARTITION'] = environment['GZ_PARTITION']
    with contextlib.ExitStack() as undo:
        log = undo.enter_context((Path(folder) / 'server.log').open('w'))
        process = subprocess.Popen([*server().command, '-s', '-v', '3', str(path)], stdout=log, stderr=log,
                                   env=environment, start_new_session=True)
        undo.callback(_stop, process)
        client_process = subprocess.Popen([str(client()), name, str(step), *models], stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE, text=True, env=environment)
        undo.callback(_stop, client_process)
        if client_process.stdout.readline().strip() != 'ready':
            raise RuntimeError(f'the world did not come up: {(Path(folder) / "server.log").read_text()[-2000:]}')
        yield World(process, client_process, models, environment['GZ_PARTITION'])


def _stop(process):
    """End a process that was started here, and what it started in a session of its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, 15)
        else:
            process.terminate()
    try:
        process.wait(timeout=10.0)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if os.getpgid(process.pid) == process.pid else os.kill)(process.pid, 9)
        process.wait(timeout=10.0)


def open_water(boats, step=STEP, scenario='1'):
    """Return the text of open water with boats at places: {name: (boat, x, y, yaw)}; as fast as it can."""
    placements = [Placement(boat, name, x, y, yaw) for name, (boat, x, y, yaw) in boats.items()]
    return world_text(read_scenario(scenario), 'open_water', placements, 0.0, 'test', step=step)


def far_apart(boats):
    """Return places for named boats that circle without meeting: {name: (boat, x, y, yaw)}, every one heading anew."""
    return {name: (boat, 60.0 * number, 0.0, math.remainder(1.0 * number, math.tau))
            for number, (name, boat) in enumerate(boats.items())}
