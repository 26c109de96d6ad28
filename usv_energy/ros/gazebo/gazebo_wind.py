"""
The wind's force on a boat in Gazebo: by physics/wind.py, and as wrenches of the system ApplyLinkWrench.

ApplyLinkWrench applies the sum of all persistent wrenches that it has received. If a clear arrives in the same step as
a new wrench of the same entity, in whatever order, it removes the new wrench, too. So a change of the force is sent as
a wrench with the difference, which is right in any order. To keep the list of wrenches short, the force moves now and
then to the other name of the same body: wrenches on a model act on its canonical link, but are cleared separately from
those on the link.
"""

import math
from typing import NamedTuple

from usv_energy.boats.vessel import Windage
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import Motion
from usv_energy.physics.wind import wind_force

Force = tuple[float, ...]  # East and north, N, and yaw moment, N m.
MODEL, LINK = 'model', 'link'
MAX_WRENCHES = 8  # In one slot: for each wrench Gazebo searches its entity at every step.
# Smallest change that is sent: absolute, N, and as a share of the force.
RESOLUTION, SHARE = 1e-3, 1e-3
# Number of calls after which the whole force is sent again, as messages may be lost: once a second at 50 Hz.
REFRESH_COUNT = 50


def earth_wind_force(motion: Motion, wind: tuple[float, float], windage: Windage) -> Force:
    """
    Return the force of the apparent wind on the hull, earth axes (ENU), N, and its yaw moment, N m.

    :param motion: The motion over ground.
    :param wind: Velocity of the air, earth axes, m/s.

    Source: `wind_force`.
    """
    c, s = math.cos(motion.yaw), math.sin(motion.yaw)
    forward, port = to_body(wind[0], wind[1], c, s)
    surge, sway, yaw_moment = wind_force(forward - motion.u, port - motion.v, windage)
    x, y = to_earth(surge, sway, c, s)
    return float(x), float(y), float(yaw_moment)


class WrenchOrder(NamedTuple):
    """An order for ApplyLinkWrench: add a persistent force and yaw moment to a slot; None: clear the slot."""

    slot: str
    force: Force | None


class WrenchLedger:
    """Tracks the persistent wrenches of one boat, so that their sum is the wanted force."""

    def __init__(self) -> None:
        """Begin without knowing which wrenches Gazebo has."""
        self._sum: Force | None = None
        self._slot, self._length, self._calls = LINK, 0, 0

    def forget(self) -> None:
        """Forget the wrenches, because Gazebo may have been reset or restarted."""
        self._sum = None

    def clear(self) -> list[WrenchOrder]:
        """Return the orders that remove all wrenches."""
        self._sum = None
        return [WrenchOrder(slot, None) for slot in (MODEL, LINK)]

    def orders(self, force: Force) -> list[WrenchOrder]:
        """
        Return the orders that make the sum of all wrenches equal to a force; none if it is close enough.

        :param force: The wanted force and yaw moment.
        """
        self._calls += 1
        if self._sum is None or self._length >= MAX_WRENCHES or self._calls >= REFRESH_COUNT:
            before, self._slot = self._slot, MODEL if self._slot == LINK else LINK
            self._sum, self._length, self._calls = force, 1, 0
            return [WrenchOrder(self._slot, force), WrenchOrder(before, None)]
        if math.dist(force, self._sum) <= max(RESOLUTION, SHARE * math.hypot(*force)):
            return []
        change = tuple(wanted - there for wanted, there in zip(force, self._sum))
        self._sum, self._length = force, self._length + 1
        return [WrenchOrder(self._slot, change)]
