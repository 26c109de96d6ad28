"""A live session and an autopilot, joined by UDP on loopback; their time is that of the autopilot's boat."""

import socket
from dataclasses import replace

import pytest

from usv_energy.boats.boat_file import read_boat


class Rig:
    def __init__(self, boat, terms, mode, parts):
        from autopilot_twin import AutopilotTwin

        from usv_energy.live.link import LiveLink
        from usv_energy.live.session import LiveOptions, LiveSession
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(('127.0.0.1', 0))
            self.port = free.getsockname()[1]
        self.twin = AutopilotTwin(self.port, **parts)
        self.others = []
        self.link = LiveLink(str(self.port), clock=lambda: self.twin.now)
        self.session = LiveSession(self.link, boat, LiveOptions(terms, mode=mode), threads=False)

    def run(self, seconds):
        """Let both go on, s; what is under way arrives, since loopback delivers at once."""
        for _ in range(round(seconds / 0.1)):
            self.twin.step()
            for other in self.others:
                other.step()
            self.session.step(0.0)
            self.twin.listen()
        return self.session

    def pass_silently(self, seconds):
        """Let time pass without a word from the autopilot, s."""
        for _ in range(round(seconds / 0.1)):
            self.twin.boat.step(0.1)
            self.session.step(0.0)

    @property
    def one(self):
        """The session of the only boat."""
        [one] = self.session.boats.values()
        return one

    @property
    def figures(self):
        [figures] = self.session.figures()
        return figures


@pytest.fixture
def rig():
    """Return a function that makes a Rig: of a boat, its charge, terms, a mode and what the autopilot is."""
    yield from rigs()


@pytest.fixture(scope='module')
def rig_of_module():
    """Return the same for a fixture that all tests of a module share."""
    yield from rigs()


def rigs():
    made = []

    def make(boat='lutra_prop', charge=None, mode=None, terms=None, **parts):
        from usv_energy.live.boat_account import LiveTerms
        known = read_boat(boat) if isinstance(boat, str) else boat
        if charge is not None:
            known = replace(known, battery=known.battery._replace(initial_state_of_charge=charge))
        made.append(Rig(known, terms or LiveTerms(), mode, parts))
        return made[-1]

    yield make
    for one in made:
        for twin in (one.twin, *one.others):
            twin.close()
        one.link.close()
        one.session.end()
