"""What a battery of cells still gives at a power until its cutoff or reserve, and how far that reaches."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from usv_energy.physics.batteries.battery import JOULES_PER_WH, BatteryLevel
from usv_energy.physics.batteries.cell import Pack, rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.physics.batteries.cell_step import most_power

SHARES = np.concatenate((np.geomspace(1e-6, 1e-2, 9)[:-1], np.linspace(0.01, 1.0, 60)))  # Of the most power: a table's.

EnergyAt = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class PackEnergy:
    """
    The energy that a pack gives, as a function of the power.

    `charge`: of its cells, which have rested, (-). `reserve`: charge that is to be left, (-). `ambient`: temperature
    around the cells, and theirs at the beginning, K.
    """

    pack: Pack
    charge: float
    reserve: float
    ambient: float

    def __call__(self, power: np.ndarray) -> np.ndarray:
        """Return the energy at constant powers, W, J: 0 where the pack cannot give one, NaN where it is NaN."""
        power = np.asarray(power, dtype=float)
        energy = np.full(power.shape, math.nan)
        known = np.isfinite(power)
        if known.any():
            zeros = np.zeros(int(known.sum()))
            energy[known] = energy_left(rested(zeros + self.charge, self.ambient), power[known], zeros + self.ambient,
                                        self.pack, self.reserve).energy
        return energy

    @property
    def most_power(self) -> float:
        """The most power that the pack gives now, W."""
        return float(most_power(rested(self.charge, self.ambient), self.pack))

    def tabled(self) -> EnergyAt:
        """Return the same from a table, linear between its powers, for many calls: within a few thousandths."""
        powers = SHARES * max(self.most_power, 1e-9)
        energies = self(powers)
        return lambda power: np.where(np.isfinite(power), np.interp(power, powers, energies, right=0.0), np.nan)



CHARGES = np.concatenate(([0.0, 0.01, 0.02, 0.04], np.linspace(0.07, 1.0, 32)))
TABLE_SHARES = np.concatenate((np.geomspace(1e-3, 0.1, 7)[:-1], np.linspace(0.1, 1.0, 19)))  # Of a full pack's.


class CellsLeft:
    """The energy that a pack gives until it cannot give a power any more, its cells having rested, over charge."""

    def __init__(self, pack: Pack, ambient: float) -> None:
        """
        Work out the table.

        :param pack: Its cells.
        :param ambient: Temperature of the cells and around them, K.
        """
        full = float(most_power(rested(1.0, ambient), pack))
        self._powers = TABLE_SHARES * full
        charge, power = (part.ravel() for part in np.meshgrid(CHARGES, self._powers, indexing='ij'))
        left = energy_left(rested(charge, ambient), power, ambient + 0.0 * power, pack).energy
        self._left = np.maximum(np.reshape(left, (CHARGES.size, TABLE_SHARES.size)), 0.0)

    def until_cutoff(self, charge: float, power: float) -> float:
        """
        Return the energy, J: linear between the table's charges and powers, 0 above what the pack can give.

        :param charge: Of the cells, (-).
        :param power: W; at least that of the gentlest discharge of the table counts.
        """
        if not (math.isfinite(charge) and math.isfinite(power)):
            return math.nan
        at_charge = [np.interp(charge, CHARGES, column) for column in self._left.T]
        return float(np.interp(power, self._powers, at_charge, right=0.0))

    def corrected(self, charge: float, power: float, known: float, known_power: float) -> float:
        """
        Return the same where it is known at another power: by how much that differs from the table is so at this one.

        It is how what is measured goes in: resistance, temperature, age. It only ever makes it less.

        :param known: Energy until the cutoff at `known_power`, J; NaN where it is not known.
        :param known_power: W.
        """
        here, there = self.until_cutoff(charge, power), self.until_cutoff(charge, known_power)
        if not (math.isfinite(known) and there > 0.0):
            return here
        return here * min(max(known / there, 0.0), 1.0)



LEAST_DISTANCE = 2.0  # m from where the boat was; who makes less good in a window is moored, whatever noise adds up to.
KEPT = 200            # Places of a window that are kept, or up to half as many more.


class _Heard(NamedTuple):
    """Stamp, s; energy, J, and way over ground, m, so far; place, m, and heading, rad, by dead reckoning; velocity."""

    time: float
    energy: float
    distance: float
    x: float
    y: float
    heading: float
    velocity: tuple[float, float, float]


class RangeMeter:
    """Energy per metre over ground of the last `window` seconds of message time."""

    def __init__(self, window: float) -> None:
        """Start with nothing heard; the window in s."""
        self._window = window
        self._heard: deque[_Heard] = deque()

    def add(self, time: float, energy: float, distance: float, velocity: tuple[float, float, float]) -> None:
        """
        Take what a sample says; one that is not all numbers is left out, time that goes backwards starts anew.

        :param time: Stamp, s.
        :param energy: So far, J.
        :param distance: Way over ground so far, m; one that does not grow (a gap) leaves the boat where it was.
        :param velocity: Over ground, body axes: u, v m/s, r rad/s.
        """
        if not all(map(math.isfinite, (time, energy, distance, *velocity))):
            return
        if self._heard and time < self._heard[-1].time:
            self._heard.clear()
        place = (0.0, 0.0, 0.0) if not self._heard else _moved(self._heard[-1], time, distance, velocity)
        if len(self._heard) > 1 and time - self._heard[-2].time < self._window / KEPT:
            self._heard.pop()
        self._heard.append(_Heard(time, energy, distance, *place, velocity))
        while len(self._heard) > 2 and self._heard[1].time <= time - self._window:
            self._heard.popleft()

    @property
    def energy_per_meter(self) -> float:
        """Energy per metre over ground, J/m; NaN where the boat was not under way."""
        if not self._heard:
            return math.nan
        first, last = self._heard[0], self._heard[-1]
        farthest = max(math.hypot(at.x - first.x, at.y - first.y) for at in self._heard)
        if farthest < LEAST_DISTANCE:
            return math.nan
        return (last.energy - first.energy) / (last.distance - first.distance)


def _moved(last: _Heard, time: float, distance: float,
           velocity: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return place, m, and heading, rad, after the mean of two velocities."""
    if distance <= last.distance:
        return last.x, last.y, last.heading
    step = time - last.time
    u, v, r = (0.5 * step * (before + now) for before, now in zip(last.velocity, velocity))
    c, s = math.cos(last.heading + 0.5 * r), math.sin(last.heading + 0.5 * r)
    return last.x + c * u - s * v, last.y + s * u + c * v, last.heading + r


def remaining_range(level: BatteryLevel, energy_per_meter: float, left: float | None = None) -> float:
    """
    Return the distance over ground that the battery still reaches, m; NaN where it is unknown, infinity if free.

    :param level: What is left, in the terms of sensor_msgs/BatteryState: charge Ah at voltage V.
    :param energy_per_meter: J/m; not above 0 where current or wind carry the boat for nothing.
    :param left: Energy that cells still give until they cut off, J; None: charge times voltage.
    """
    if not math.isfinite(energy_per_meter):
        return math.nan
    left = level.charge * level.voltage * JOULES_PER_WH if left is None else left
    return left / energy_per_meter if energy_per_meter > 0.0 else math.inf
