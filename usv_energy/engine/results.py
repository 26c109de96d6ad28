"""What came of an ensemble's runs, as arrays, a run each."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple

import numpy as np

from ..powering.energy import CAUSES
from .run_state import OUTCOMES


class ResultColumn(NamedTuple):
    """What there is to say of one array of Results: its unit (as in a netCDF file) and its meaning."""

    unit: str
    meaning: str


@dataclass(frozen=True)
class Results:
    """
    What came of an ensemble: arrays of shape (number,), a run each, in the order of the cases.

    A run that does not reach its goal is a result, not an error: `outcome` is the place in OUTCOMES. `energy` is by
    cause (physics.energy.CAUSES), J. Place and motion are the plant's at the last sample; `thruster_energy` is its work
    up to the end, which for a run that timed out is one period later. `charge`, `voltage`,
    `temperature` and `battery_energy` are of that time, too; NaN without cells.
    """

    outcome: np.ndarray
    duration: np.ndarray
    energy: dict[str, np.ndarray]
    distance_over_ground: np.ndarray
    distance_through_water: np.ndarray
    thruster_energy: np.ndarray
    samples: np.ndarray
    waypoint: np.ndarray
    x: np.ndarray
    y: np.ndarray
    yaw: np.ndarray
    u_r: np.ndarray
    v_r: np.ndarray
    r: np.ndarray
    charge: np.ndarray
    voltage: np.ndarray
    temperature: np.ndarray
    battery_energy: np.ndarray

    COLUMNS: ClassVar[dict[str, ResultColumn]] = {
        'outcome': ResultColumn(
            '1', 'how the run ended: ' + ', '.join(f'{n} {name}' for n, name in enumerate(OUTCOMES))),
        'duration': ResultColumn('s', 'time from the first to the last sample'),
        **{f'energy_{cause}': ResultColumn('J', f'energy by cause: {cause}') for cause in CAUSES},
        'distance_over_ground': ResultColumn('m', 'way over ground'),
        'distance_through_water': ResultColumn('m', 'way through the water'),
        'thruster_energy': ResultColumn('J', "work of the plant's thrusters"),
        'samples': ResultColumn('1', 'power samples that were integrated'),
        'waypoint': ResultColumn('1', 'waypoints reached'),
        'x': ResultColumn('m', 'final place, east'), 'y': ResultColumn('m', 'final place, north'),
        'yaw': ResultColumn('rad', 'final yaw, counter-clockwise from east, not wrapped'),
        'u_r': ResultColumn('m/s', 'final surge velocity through the water'),
        'v_r': ResultColumn('m/s', 'final sway velocity through the water, to port'),
        'r': ResultColumn('rad/s', 'final yaw rate, counter-clockwise'),
        'charge': ResultColumn('1', "final charge of the battery's cells; NaN of a boat without"),
        'voltage': ResultColumn('V', 'final voltage of the battery under load; NaN of a boat without cells'),
        'temperature': ResultColumn('K', "final temperature of the battery's cells; NaN of a boat without"),
        'battery_energy': ResultColumn('J', 'energy that the battery gave at its terminals; NaN without cells'),
    }

    @property
    def number(self) -> int:
        """How many runs there are."""
        return len(self.outcome)

    def columns(self) -> dict[str, np.ndarray]:
        """Return all arrays by the names in COLUMNS, in that order; the energies as `energy_<cause>`."""
        flat: dict[str, np.ndarray] = {}
        for part in fields(self):
            value = getattr(self, part.name)
            flat |= {f'energy_{cause}': v for cause, v in value.items()} if part.name == 'energy' else {
                part.name: value}
        return flat

    @staticmethod
    def of_columns(columns: dict[str, np.ndarray]) -> 'Results':
        """Return the results that `columns()` was taken from."""
        return Results(energy={cause: columns[f'energy_{cause}'] for cause in CAUSES},
                       **{part.name: columns[part.name] for part in fields(Results) if part.name != 'energy'})

    @staticmethod
    def joined(parts: Sequence['Results']) -> 'Results':
        """Return several results as one, in their order."""
        columns = [part.columns() for part in parts]
        return Results.of_columns({name: np.concatenate([c[name] for c in columns]) for name in columns[0]})
