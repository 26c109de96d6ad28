"""
Compile our C++ clients against the gz-transport that is installed, or say why that cannot be.

On Jazzy the libraries are vendor packages: their files for pkg-config are in `opt/gz_*_vendor` below ROS's prefixes,
where pkg-config does not look by itself.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
VENDORED = ('lib/pkgconfig', 'lib/*/pkgconfig', 'share/pkgconfig')


class Client(NamedTuple):
    """What a client of a major version of Gazebo is compiled with: packages of pkg-config, and definitions."""

    packages: tuple[str, ...]
    definitions: tuple[str, ...]


CLIENTS = {'8': Client(('gz-transport13', 'gz-msgs10'), ()),
           '6': Client(('ignition-transport11', 'ignition-msgs8'), ('-DFORTRESS',))}


class CompileError(Exception):
    """The client cannot be compiled here; the text says why."""


def pkg_config_path(environment):
    """Return PKG_CONFIG_PATH, and after it the folders of Gazebo's vendor packages in ROS's prefixes."""
    folders = [environment.get('PKG_CONFIG_PATH', '')]
    for prefix in filter(None, environment.get('AMENT_PREFIX_PATH', '').split(os.pathsep)):
        for pattern in VENDORED:
            folders += map(str, sorted(Path(prefix).glob(f'opt/gz_*_vendor/{pattern}')))
    return os.pathsep.join(filter(None, folders))


def pkg_config(*words):
    environment = {**os.environ, 'PKG_CONFIG_PATH': pkg_config_path(os.environ)}
    return subprocess.run(['pkg-config', *words], capture_output=True, text=True, env=environment)


def missing(client):
    """Return what is missing to compile a client; empty where nothing is."""
    for program in ('g++', 'pkg-config'):
        if not shutil.which(program):
            return f'the client needs {program}'
    done = pkg_config('--print-errors', '--exists', *client.packages)
    if done.returncode:
        return (f'pkg-config does not find the development files of {" and ".join(client.packages)}, neither where it '
                f'looks nor in opt/gz_*_vendor of ROS: {first_line(done.stderr)}')
    return ''


def compiled(source, program, client):
    """
    Compile a source file of this folder.

    :raises CompileError: Where something is missing, or the installed libraries are others than the source knows.
    """
    if reason := missing(client):
        raise CompileError(reason)
    flags = pkg_config('--cflags', '--libs', *client.packages).stdout.split()
    # Those of the system last: it may have an older version of a package that is found elsewhere.
    folders = sorted((pkg_config('--variable=libdir', package).stdout.strip() for package in client.packages),
                     key=lambda folder: os.path.realpath(folder).startswith('/usr/'))
    folders += [flag[2:] for flag in flags if flag.startswith('-L')]
    paths = [word for folder in folders for word in (f'-L{folder}', f'-Wl,-rpath,{folder}')]
    done = subprocess.run(['g++', '-std=c++17', '-O1', *client.definitions, str(HERE / source), '-o', str(program),
                           *paths, *flags, '-lpthread'],
                          capture_output=True, text=True, timeout=600.0)
    if done.returncode:
        versions = pkg_config('--modversion', *client.packages).stdout.split()
        found = ', '.join(f'{name} {version}' for name, version in zip(client.packages, versions))
        fault = next((line for line in done.stderr.splitlines() if re.search(r'\berror\b|undefined', line)), '')
        raise CompileError(f'{source} does not compile against {found}: {fault or first_line(done.stderr)}')


def compiled_pipe(program, version=None):
    """
    Compile graph_pipe.cpp.

    :param version: Of the server, its major version; None: against whichever gz-transport is there.
    :raises CompileError: Where it cannot be.
    """
    there = (client for client in CLIENTS.values() if not missing(client))
    compiled('graph_pipe.cpp', program, CLIENTS[version] if version else next(there, CLIENTS['8']))


def first_line(text):
    return next(iter(text.strip().splitlines()), '')
