"""Energy that a battery of cells gives at a power until its cutoff or reserve, and the remaining range."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from usv_energy.physics.batteries.cell import JOULES_PER_WH, BatteryLevel, Pack, rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.physics.batteries.cell_step import most_power

SHARES = np.concatenate((np.geomspace(1e-6, 1e-2, 9)[:-1], np.linspace(0.01, 1.0, 60)))  # of the most power, in a table
CHARGES = np.concatenate(([0.0, 0.01, 0.02, 0.04], np.linspace(0.07, 1.0, 32)))
TABLE_SHARES = np.concatenate((np.geomspace(1e-3, 0.1, 7)[:-1], np.linspace(0.1, 1.0, 19)))  # of a full pack's power
LEAST_DISTANCE = 2.0  # m: a boat that stays within this during a window is moored, whatever distance noise adds up to
MOST_PLACES = 200     # of a window that are kept, about

EnergyAt = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class PackEnergy:
    """
    The energy that a pack gives, as a function of the power.

    `charge`: of its cells, at rest, (-). `reserve`: charge that must be left, (-). `ambient`: temperature around the
    cells, and of the cells at the beginning, K.
    """

    pack: Pack
    charge: float
    reserve: float
    ambient: float

    def __call__(self, power: np.ndarray) -> np.ndarray:
        """Return the energy, J, at constant powers, W: 0 if the pack cannot give the power, NaN for NaN."""
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

    def as_table(self) -> EnergyAt:
        """Return the energy as a table, linear between its powers, for many calls; accurate to a few thousandths."""
        powers = SHARES * max(self.most_power, 1e-9)
        energies = self(powers)
        return lambda power: np.where(np.isfinite(power), np.interp(power, powers, energies, right=0.0), np.nan)


class CellsLeft:
    """Table of the energy that a pack, its cells at rest, gives at a power until its cutoff, over charge and power."""

    def __init__(self, pack: Pack, ambient: float) -> None:
        """
        Compute the table.

        :param pack: The Pack.
        :param ambient: Temperature of the cells and around them, K.
        """
        full = float(most_power(rested(1.0, ambient), pack))
        self._powers = TABLE_SHARES * full
        charge, power = (part.ravel() for part in np.meshgrid(CHARGES, self._powers, indexing='ij'))
        left = energy_left(rested(charge, ambient), power, ambient + 0.0 * power, pack).energy
        self._left = np.maximum(np.reshape(left, (CHARGES.size, TABLE_SHARES.size)), 0.0)

    def until_cutoff(self, charge: float, power: float) -> float:
        """
        Return the energy, J: linear between the table's charges and powers, 0 above the power that the pack can give.

        :param charge: Of the cells, (-).
        :param power: W; a power below the table's lowest counts as that one.
        """
        if not (math.isfinite(charge) and math.isfinite(power)):
            return math.nan
        at_charge = [np.interp(charge, CHARGES, column) for column in self._left.T]
        return float(np.interp(power, self._powers, at_charge, right=0.0))

    def corrected(self, charge: float, power: float, known: float, known_power: float) -> float:
        """
        Return the energy until the cutoff, J, corrected by a known value at another power.

        The relative error of the table at the known power is applied at this one. So a measurement of the battery
        (its resistance, temperature, age) enters. The correction never raises the energy.

        :param charge: Of the cells, (-).
        :param power: W.
        :param known: Energy until the cutoff at `known_power`, J; NaN if unknown.
        :param known_power: W.
        """
        by_table, known_by_table = self.until_cutoff(charge, power), self.until_cutoff(charge, known_power)
        if not (math.isfinite(known) and known_by_table > 0.0):
            return by_table
        return by_table * min(max(known / known_by_table, 0.0), 1.0)


class _Sample(NamedTuple):
    """Stamp, s; energy, J, and distance over ground, m, so far; place, m, heading, rad, by dead reckoning; velocity."""

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
        """Start without samples; the window in s."""
        self._window = window
        self._samples: deque[_Sample] = deque()

    def add(self, time: float, energy: float, distance: float, velocity: tuple[float, float, float]) -> None:
        """
        Add a sample. One with NaN is ignored; if time goes backwards, the window starts anew.

        :param time: Stamp, s.
        :param energy: So far, J.
        :param distance: Over ground so far, m; if it does not grow (a gap), the boat stays where it was.
        :param velocity: Over ground, body axes: u, v m/s, r rad/s.
        """
        if not all(map(math.isfinite, (time, energy, distance, *velocity))):
            return
        if self._samples and time < self._samples[-1].time:
            self._samples.clear()
        place = (0.0, 0.0, 0.0) if not self._samples else _dead_reckoned(self._samples[-1], time, distance, velocity)
        if len(self._samples) > 1 and time - self._samples[-2].time < self._window / MOST_PLACES:
            self._samples.pop()
        self._samples.append(_Sample(time, energy, distance, *place, velocity))
        while len(self._samples) > 2 and self._samples[1].time <= time - self._window:
            self._samples.popleft()

    @property
    def energy_per_meter(self) -> float:
        """Energy per metre over ground, J/m; NaN if the boat was not under way."""
        if not self._samples:
            return math.nan
        first, last = self._samples[0], self._samples[-1]
        farthest = max(math.hypot(at.x - first.x, at.y - first.y) for at in self._samples)
        if farthest < LEAST_DISTANCE:
            return math.nan
        return (last.energy - first.energy) / (last.distance - first.distance)


def _dead_reckoned(last: _Sample, time: float, distance: float,
           velocity: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return place, m, and heading, rad, by dead reckoning with the mean of two velocities."""
    if distance <= last.distance:
        return last.x, last.y, last.heading
    step = time - last.time
    u, v, r = (0.5 * step * (before + now) for before, now in zip(last.velocity, velocity))
    c, s = math.cos(last.heading + 0.5 * r), math.sin(last.heading + 0.5 * r)
    return last.x + c * u - s * v, last.y + s * u + c * v, last.heading + r


def remaining_range(level: BatteryLevel, energy_per_meter: float, left: float | None = None) -> float:
    """
    Return the remaining range over ground, m; NaN if unknown, infinite if a metre costs nothing.

    :param level: The battery's state, as in sensor_msgs/BatteryState: charge Ah at voltage V.
    :param energy_per_meter: J/m; 0 or less if current or wind carry the boat.
    :param left: Energy that cells give until their cutoff, J; None: charge times voltage.
    """
    if not math.isfinite(energy_per_meter):
        return math.nan
    left = level.charge * level.voltage * JOULES_PER_WH if left is None else left
    return left / energy_per_meter if energy_per_meter > 0.0 else math.inf
