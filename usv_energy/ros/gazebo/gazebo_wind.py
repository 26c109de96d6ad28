"""
The wind's force on a boat in Gazebo: by physics/wind.py, and as wrenches of the system ApplyLinkWrench.

ApplyLinkWrench applies every persistent wrench it was ever sent, so they add up. A clear that arrives in the same step
as a new wrench of the same entity takes that one away, too, whatever their order (it clears first, but wrenches are in
its list as soon as they arrive). So a force is sent as its difference to what is there, whose sum is right in any
batching; and now and then the list is shortened again by changing over to the other name of the same body: a model's
wrenches act on its canonical link, but are cleared apart from those that name the link.
"""

import math
from typing import NamedTuple

from usv_energy.boats.vessel import Windage
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import Motion
from usv_energy.physics.wind import wind_force

Force = tuple[float, ...]  # East and north, N, and yaw moment, N m.
MODEL, LINK = 'model', 'link'
# Each wrench costs Gazebo a search for its entity at every step; a slot is long cleared when its turn comes again.
LONGEST = 8
# A smaller change is not sent: absolute, N, and as a share of the force.
RESOLUTION, SHARE = 1e-3, 1e-3
# So often the force is sent whole, for what may have been lost on the way: once a second at 50 Hz.
REFRESHED = 50


def earth_wind_force(motion: Motion, wind: tuple[float, float], windage: Windage) -> Force:
    """
    Return the force of the apparent wind on the hull, earth axes (ENU), N, and its yaw moment, N m.

    :param motion: The Motion over ground.
    :param wind: Where it blows to, earth axes, m/s.

    Source: `wind_force`.
    """
    c, s = math.cos(motion.yaw), math.sin(motion.yaw)
    forward, port = to_body(wind[0], wind[1], c, s)
    surge, sway, yaw_moment = wind_force(forward - motion.u, port - motion.v, windage)
    x, y = to_earth(surge, sway, c, s)
    return float(x), float(y), float(yaw_moment)


class Order(NamedTuple):
    """What to tell ApplyLinkWrench: add a persistent force and yaw moment to a slot; None: clear the slot."""

    slot: str
    force: Force | None


class WrenchLedger:
    """Keeps book of the persistent wrenches of one boat, so that their sum is the wanted force."""

    def __init__(self) -> None:
        """Start knowing nothing of what is there."""
        self._sum: Force | None = None
        self._slot, self._length, self._asked = LINK, 0, 0

    def forget(self) -> None:
        """Take nothing for granted: Gazebo was reset or started again."""
        self._sum = None

    def clear(self) -> list[Order]:
        """Return the orders that take all force away."""
        self._sum = None
        return [Order(slot, None) for slot in (MODEL, LINK)]

    def orders(self, force: Force) -> list[Order]:
        """
        Return the orders that make a force the sum of all wrenches; none where it is near enough.

        :param force: The force and the moment wanted.
        """
        self._asked += 1
        if self._sum is None or self._length >= LONGEST or self._asked >= REFRESHED:
            before, self._slot = self._slot, MODEL if self._slot == LINK else LINK
            self._sum, self._length, self._asked = force, 1, 0
            return [Order(self._slot, force), Order(before, None)]
        if math.dist(force, self._sum) <= max(RESOLUTION, SHARE * math.hypot(*force)):
            return []
        change = tuple(wanted - there for wanted, there in zip(force, self._sum))
        self._sum, self._length = force, self._length + 1
        return [Order(self._slot, change)]
