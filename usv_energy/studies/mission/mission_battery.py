"""A mission's battery, a counter of watt-hours or a pack of cells, and its charge and voltage leg by leg."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.physics.batteries.cell import JOULES_PER_WH, CellState, Pack, rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.physics.batteries.cell_step import most_power, step_at_power, supply_at_power
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.mission_bands import Bands
from usv_energy.studies.mission.mission_estimate import LegEstimate

GO, UNSURE, NO_GO, NO_BATTERY = 'go', 'unsure', 'no_go', 'no_battery'
UNABLE_SHARE = 0.025    # share of the drawn boats and flows that may be unable if the verdict is GO
STEP = 20.0         # s: longest step of the pack,
STEPS = 1500        # unless the whole mission would take more than this many steps
LEAST_STEPS = 4     # of a leg under way, or of a hold
LEAST_DURATION = 1e-3   # s, of a mission
UNABLE = 1e3            # times the energy of a leg, in place of infinity; it empties any battery


class BrownOut(NamedTuple):
    """Where a pack cannot give the power: leg, from 0; power asked for, W; charge of its cells, (-); most power, W."""

    leg: int
    asked: float
    charge: float
    most: float


class PackHistory(NamedTuple):
    """
    A pack along a mission, arrays with a value per leg.

    `charge`: of its cells at the end of the leg, (-). `voltage`: the lowest of the pack under load in the leg, V.
    `temperature`: of its cells at the end, K. `most_power`: the power that it could give at the end, W. `brown_out`:
    the first, or None; after it the pack gives what it can.
    """

    charge: np.ndarray
    voltage: np.ndarray
    temperature: np.ndarray
    most_power: np.ndarray
    brown_out: BrownOut | None


def pack_history(pack: Pack, charge: float, ambient: float, legs: LegEstimate, energy: np.ndarray | None = None,
                enough: float = -math.inf) -> PackHistory:
    """
    Return a pack along a mission.

    :param pack: The Pack, at rest at the beginning.
    :param charge: Of its cells at the beginning, (-).
    :param ambient: Temperature around the cells, and of the cells at the beginning, K.
    :param legs: The estimate of the mission.
    :param energy: Of each leg, J, instead of that in `legs`; divided between way and hold as in `legs`.
    :param enough: If given, stop after the leg in which the charge, (-), falls below it or the pack browns out; the
        values of later legs are then NaN.
    """
    state, longest = rested(float(charge), float(ambient)), max(STEP, float(legs.end[-1]) / STEPS)
    rows, brown_out = np.full((4, legs.length.size), math.nan), None
    for leg in range(legs.length.size):
        factor = 1.0 if energy is None or legs.total[leg] == 0.0 else float(energy[leg] / legs.total[leg])
        lowest = supply_at_power(state, 0.0, pack).voltage
        for duration, power in _stretches(legs, leg):
            state, low, short = _discharged(state, factor * power, duration, longest, ambient, pack)
            lowest = min(lowest, low)
            if short is not None and brown_out is None:
                brown_out = short._replace(leg=leg)
        rows[:, leg] = state.charge, lowest, state.temperature, most_power(state, pack)
        if state.charge < enough or (brown_out is not None and enough > -math.inf):
            break
    return PackHistory(rows[0], rows[1], rows[2], rows[3], brown_out)


def _stretches(legs: LegEstimate, leg: int) -> Iterator[tuple[float, float]]:
    """Yield duration, s, and mean power, W, of a leg under way, corners included, and of its hold."""
    of_hold = float(legs.of_hold[leg])
    for duration, spent in ((float(legs.under_way[leg]), float(legs.total[leg]) - of_hold),
                            (float(legs.hold[leg]), of_hold)):
        if duration > 0.0:
            yield duration, spent / duration


def _discharged(state: CellState, power: float, duration: float, longest: float, ambient: float,
          pack: Pack) -> tuple[CellState, float, BrownOut | None]:
    """Return a pack after a `duration`, s, at a power, W: its state, its lowest voltage, V, and any brown-out."""
    number = max(LEAST_STEPS, math.ceil(duration / longest))
    lowest, brown_out = math.inf, None
    for step in range(number + 1):
        supply = supply_at_power(state, power, pack)
        lowest = min(lowest, supply.voltage)
        if supply.lacking > 0.0 and brown_out is None:
            brown_out = BrownOut(-1, power, state.charge, most_power(state, pack))
        if step < number:
            state, _ = step_at_power(state, power, duration / number, ambient, pack)
    return state, lowest, brown_out


def charge_at_ends(charge: np.ndarray, start: float, legs: LegEstimate) -> np.ndarray:
    """
    Return the charge at the start, and at the end of each way and of each hold, (-); shape (2 legs + 1,).

    :param charge: At the end of each leg, (-); way and hold share the fall of the charge in proportion to energy.
    :param start: At the start, (-).
    :param legs: The legs.
    """
    before = np.concatenate(([start], charge[:-1]))
    share = np.divide(legs.of_hold, legs.total, out=np.zeros(charge.size), where=legs.total != 0.0)
    return np.concatenate(([start], np.column_stack([charge + share * (before - charge), charge]).ravel()))


def charge_left(charge: np.ndarray | float) -> Any:
    """Return a charge, (-), as one that a battery can have: 0 for one below, which a counter comes to; NaN is kept."""
    return np.maximum(charge, 0.0) if isinstance(charge, np.ndarray) else float(np.maximum(charge, 0.0))


def lines_to_empty(x: np.ndarray, lines: Sequence[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return charges over x as lines that end at 0 and stay there, each with a corner where it comes to 0."""
    corners = [x]
    for y in lines:
        at = np.flatnonzero((y[:-1] > 0.0) & (y[1:] < 0.0) & np.isfinite(y[1:]))
        corners.append(x[at] + np.diff(x)[at] * y[at] / (y[at] - y[at + 1]))
    all_x = np.unique(np.concatenate(corners))
    return all_x, [charge_left(np.interp(all_x, x, y)) for y in lines]


def keeps_reserve(history: PackHistory, reserve: float) -> bool:
    """Return whether a pack has no brown-out, and its charge at the end is at least a reserve, (-)."""
    return history.brown_out is None and bool(history.charge[-1] >= reserve)


class MissionBattery(NamedTuple):
    """
    A boat's battery before a mission: charge at the start and reserve at the end, (-); temperature around it, K.

    `charge` is NaN without a battery, `ambient` is NaN without cells.
    """

    boat: Boat
    charge: float
    reserve: float
    ambient: float

    @property
    def capacity(self) -> float:
        """Energy at the nominal voltage, of cells at their rated current, J; NaN without a battery."""
        return math.nan if self.boat.battery is None else self.boat.battery.capacity_wh * JOULES_PER_WH

    def spare(self, energy: float, duration: float) -> float:
        """
        Return the battery's energy down to the reserve, J; of cells at the mean power of a mission.

        :param energy: Of the mission, J.
        :param duration: Of the mission, s.
        """
        pack = self.boat.pack
        if pack is None:
            return (self.charge - self.reserve) * self.capacity
        power = energy / max(duration, LEAST_DURATION)
        return float(energy_left(rested(self.charge, self.ambient), power, self.ambient, pack, self.reserve).energy)

    def suffices(self, legs: LegEstimate) -> bool:
        """Return whether the battery suffices for a mission and keeps the reserve; false without a battery."""
        if self.boat.pack is None:
            return float(legs.total.sum()) <= self.spare(math.nan, math.nan)
        history = pack_history(self.boat.pack, self.charge, self.ambient, legs, enough=self.reserve)
        return keeps_reserve(history, self.reserve)

    def verdict(self, legs: LegEstimate, bands: Bands | None) -> str:
        """Return GO, UNSURE if the interval contains both outcomes, NO_GO, or NO_BATTERY."""
        if not legs.feasible.all():
            return NO_GO
        if math.isnan(self.charge):
            return NO_BATTERY
        if not self.suffices(legs):
            return NO_GO
        if bands is None:
            return GO
        if self.boat.pack is None:
            at_worst = bool(bands.so_far[1, -1] <= self.spare(math.nan, math.nan))
        else:
            most = _leg_energies(bands.so_far[1], legs)
            history = pack_history(self.boat.pack, self.charge, self.ambient, legs, most, enough=self.reserve)
            at_worst = keeps_reserve(history, self.reserve)
        return GO if at_worst and bands.unable <= UNABLE_SHARE * bands.draws else UNSURE

    def charge_at_end(self, legs: LegEstimate) -> float:
        """Return the charge at a mission's end, (-); NaN without a battery."""
        if self.boat.pack is None:
            return self.charge - float(legs.total.sum()) / self.capacity
        return float(pack_history(self.boat.pack, self.charge, self.ambient, legs).charge[-1])

    def history(self, legs: LegEstimate) -> PackHistory | None:
        """Return the cells along a mission; None for a counter."""
        return None if self.boat.pack is None else pack_history(self.boat.pack, self.charge, self.ambient, legs)

    def history_ends(self, legs: LegEstimate, bands: Bands | None) -> tuple[PackHistory, PackHistory] | None:
        """Return the cells if the mission takes the most and the least energy of its interval; None for a counter."""
        if self.boat.pack is None or bands is None:
            return None
        most, least = (pack_history(self.boat.pack, self.charge, self.ambient, legs, _leg_energies(end, legs))
                       for end in bands.so_far[::-1])
        return most, least


def _leg_energies(so_far: np.ndarray, legs: LegEstimate) -> np.ndarray:
    """Return the energy of each leg, J, from that up to its end; a finite one if no energy suffices."""
    with np.errstate(invalid='ignore'):     # An endless energy less an endless one.
        each = np.diff(np.concatenate(([0.0], so_far)))
    return np.where(np.isfinite(each), each, UNABLE * legs.total)


def battery_energy(scenario: Scenario) -> float:
    """Return the nominal energy of a boat's full battery, J; NaN without one."""
    return math.nan if scenario.boat.battery is None else scenario.boat.battery.capacity_wh * JOULES_PER_WH
