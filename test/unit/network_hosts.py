"""Two hosts on this machine: network namespaces with a cable (veth) between them; where there are none, tests skip."""

import contextlib
import itertools
import os
import shutil
import subprocess

import pytest

ADDRESSES = '10.231.7.1', '10.231.7.2'  # Of the two, in namespaces of their own: nothing outside sees them.
NUMBERS = itertools.count()


class Hosts:
    """The names of the two namespaces, and what is done to the cable between them."""

    def __init__(self):
        mark = f'{os.getpid()}{next(NUMBERS)}'
        self.names = f'usva{mark}', f'usvb{mark}'
        self._cables = f'va{mark}', f'vb{mark}'

    def lay(self):
        for name in self.names:
            _ip('netns', 'add', name)
        _ip('link', 'add', self._cables[0], 'type', 'veth', 'peer', 'name', self._cables[1])
        for name, cable, address in zip(self.names, self._cables, ADDRESSES):
            _ip('link', 'set', cable, 'netns', name)
            _ip('-n', name, 'addr', 'add', f'{address}/24', 'dev', cable)
            _ip('-n', name, 'link', 'set', 'lo', 'up')
            _ip('-n', name, 'link', 'set', cable, 'up')

    def inside(self, host, arguments):
        """Return the arguments of a program as that of a host, 0 or 1."""
        return ['ip', 'netns', 'exec', self.names[host], *arguments]

    def cable(self, state):
        """Pull the cable out of the first host ('down'), or put it back ('up')."""
        _ip('-n', self.names[0], 'link', 'set', self._cables[0], state)

    def remove(self):
        for name in self.names:
            subprocess.run(['ip', 'netns', 'del', name], capture_output=True, check=False)
        subprocess.run(['ip', 'link', 'del', self._cables[0]], capture_output=True, check=False)


@contextlib.contextmanager
def two_hosts():
    """Lay two hosts with a cable between them; the test is skipped, with the reason, where that may not be."""
    if shutil.which('ip') is None:
        pytest.skip('no network namespaces: there is no program ip (iproute2)')
    hosts = Hosts()
    try:
        try:
            hosts.lay()
        except subprocess.CalledProcessError as error:
            pytest.skip(f'no network namespaces: ip says: {error.stderr.strip()}')
        yield hosts
    finally:
        hosts.remove()


def _ip(*arguments):
    subprocess.run(['ip', *arguments], capture_output=True, check=True, text=True)
