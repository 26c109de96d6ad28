"""When a mission should begin: what it costs by its time of departure, in water and air that change in time."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, no_progress
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.corner_costs import CornerCosts
from usv_energy.studies.mission.mission_scenario import legs_within_reach

SAME = 1e-9     # Energies and times that differ by less than this share do not differ.


class Departures(NamedTuple):
    """
    What a mission costs by its departure, arrays of one shape, (n,).

    `departure`: the flow's time, s; `time` s and `energy` J, NaN where the flow has no value on the way, or no speed
    helps; `held`: whether the thrusters hold the speeds ordered: where not, it goes as fast as they can. `wanted`: how
    many departures were asked for; fewer are there if somebody broke it off.
    """

    departure: np.ndarray
    time: np.ndarray
    energy: np.ndarray
    held: np.ndarray
    wanted: int

    @property
    def best(self) -> int:
        """
        Place of the departure of least energy: of those that hold the speeds, or else of all that can be gone.

        The first of several that cost the same.
        """
        among = self.held if self.held.any() else np.isfinite(self.energy)
        energy = np.where(among, self.energy, np.inf)
        return int(np.argmax(energy <= (1.0 + SAME) * energy.min()))

    @property
    def changing(self) -> bool:
        """Whether it matters when the mission begins."""
        return any(not np.allclose(values, values[0], rtol=SAME, atol=0.0, equal_nan=True)
                   for values in (self.energy, self.time))


def mission_departures(scenario: Scenario, departures: Sequence[float], corners: CornerCosts | None = None,
                       progress: Progress = no_progress) -> Departures:
    """
    Return what a mission costs by its departure. Ctrl-C ends it with those that are done, if there are any.

    :param scenario: The mission as a scenario.
    :param departures: The world's times, s, at least one.
    :param corners: Of the boat.
    :raises InputError: Where none of them can be looked at: the reason of the first.
    """
    rows: list[tuple[float, float, bool]] = []
    fault: InputError | None = None
    try:
        for number, departure in enumerate(departures, start=1):
            try:
                rows.append(_row(scenario, departure, corners))
            except InputError as error:
                fault = fault or error
                rows.append((np.nan, np.nan, False))
            progress(number, len(departures))
    except KeyboardInterrupt:
        if not any(np.isfinite(row[1]) for row in rows):
            raise
    time, energy, held = (np.array(column) for column in zip(*rows))
    if fault is not None and np.isnan(energy).all():
        raise fault
    return Departures(np.array(departures[:len(rows)], dtype=float), time, energy, held, len(departures))


def _row(scenario: Scenario, departure: float, corners: CornerCosts | None) -> tuple[float, float, bool]:
    """Return time, s, energy, J, and whether the speeds are held."""
    legs, slow = legs_within_reach(scenario, departure, corners)
    if not legs.feasible.all():
        return np.nan, np.nan, False
    return float(legs.end[-1]), float(legs.total.sum()), not slow.any()
