"""The tables (CSV) of a run's folder: samples, track, legs, attitude, battery and the way home; units in the header."""

import csv
import io
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.boats.cell_file import KELVIN
from usv_energy.files.limits import safe_cell
from usv_energy.files.table import OWN, cell_fault, read_head, read_table
from usv_energy.files.text_file import write_text
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.power import Power
from usv_energy.sim.leg_energy import LegEnergy, leg_figures
from usv_energy.sim.record import Row, Run
from usv_energy.sim.track_figures import track_of

PLACE = ('time_s', 'x_m', 'y_m')
MOTION = ('yaw_rad', 'u_m_s', 'v_m_s', 'r_rad_s', 'u_dot_m_s2', 'v_dot_m_s2', 'r_dot_rad_s2')
FLOW = ('current_x_m_s', 'current_y_m_s', 'wind_x_m_s', 'wind_y_m_s')
POWER = ('power_inertia_w', 'power_damping_w', 'power_wind_w', 'power_foils_w', 'power_waves_w',
         'power_side_force_w', 'power_residual_w', 'power_thrust_w', 'power_unrecovered_w', 'power_losses_w',
         'power_allocation_w', 'power_static_load_w', 'power_loads_w', 'power_total_w',
         'u_r_m_s', 'v_r_m_s', 'r_r_rad_s')
WAVES = 'power_waves_w'
REST = ('energy_j', 'thruster_power_w', 'thruster_energy_j', 'status')
SAMPLE_COLUMNS = (*PLACE, *MOTION, *FLOW, *POWER, *REST)
HEADER = f'{",".join(SAMPLE_COLUMNS)}\n'


def write_samples(rows: Iterable[Row], path: Path) -> None:
    """Write the samples of a run, atomically; OSError if it fails. The same rows always give the same bytes."""
    write_text(''.join([HEADER, *map(sample_line, rows)]), path)


def sample_line(row: Row) -> str:
    """Return a sample's line of the CSV, with its line end."""
    values = (row.time, row.x, row.y, *row.motion, *row.flow, *row.power,
              row.energy, row.thruster_power, row.thruster_energy)
    return f'{",".join(repr(float(value)) for value in values)},{int(row.status)}\n'


def read_samples(path: Path) -> list[Row]:
    """Return the samples that `write_samples` wrote; InputError names file, line, column and value."""
    names = [name for name in SAMPLE_COLUMNS if name != WAVES or WAVES in read_head(path, OWN).names]
    table = read_table(path, names, OWN)
    parts = np.flatnonzero(table['status'] % 1.0 != 0.0)
    if parts.size:
        raise cell_fault(path, int(parts[0]), 'status', 'must be a whole number', OWN)
    table.setdefault(WAVES, np.zeros_like(table['status']))
    return [_row(iter(numbers)) for numbers in np.column_stack([table[name] for name in SAMPLE_COLUMNS]).tolist()]


def _row(numbers: Iterator[float]) -> Row:
    time, x, y = itertools.islice(numbers, len(PLACE))
    motion = Motion(*itertools.islice(numbers, len(MOTION)))
    flow = Flow(*itertools.islice(numbers, len(FLOW)))
    power = Power(*itertools.islice(numbers, len(POWER)))
    energy, thruster_power, thruster_energy, status = numbers
    return Row(time, x, y, motion, flow, power, energy, thruster_power, thruster_energy, int(status))


TRACK_COLUMNS = ('time_s', 'x_m', 'y_m', 'leg', 'path_deviation_m', 'speed_over_ground_m_s', 'speed_through_water_m_s')
# Distance to the nearest obstacle, 0 where the hull touches it; only for runs with obstacles.
CLEARANCE = 'clearance_m'


def has_track_file(run: Run) -> bool:
    """Return whether a run's track is written: if it has several legs, or obstacles."""
    return len(run.scenario.waypoints) > 1 or bool(run.scenario.obstacles)


def write_track(run: Run, path: Path) -> None:
    """Write the track of a run, atomically; OSError if it fails. Legs are counted from 1, as in tables."""
    track = track_of(run)
    columns = [track.time, track.x, track.y, track.leg + 1, track.deviation, track.over_ground, track.through_water]
    names = [*TRACK_COLUMNS]
    if run.scenario.obstacles:
        columns.append(track.least_clearance)
        names.append(CLEARANCE)
    lines = [','.join(map(repr, row)) for row in zip(*(column.tolist() for column in columns))]
    write_text('\n'.join([','.join(names), *lines, '']), path)


LEGS = 'legs.csv'
NAME, BEGIN = 'leg', 'begin_s'


class LegBegin(NamedTuple):
    """The time, s, at which the leg of a name begins; an empty name stands for no leg."""

    time: float
    name: str


def write_legs(legs: Iterable[LegEnergy], path: Path) -> None:
    """Write the legs of a run, atomically; OSError if it fails. The same legs always give the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator='\n')
    for number, leg in enumerate(legs):
        figures = leg_figures(leg)
        if not number:
            writer.writerow(figures)
        writer.writerow([safe_cell(leg.name), *(repr(value) for value in list(figures.values())[1:])])
    write_text(text.getvalue(), path)


def read_leg_begins(path: Path) -> tuple[LegBegin, ...]:
    """Return the beginnings of the legs in a file of `write_legs`; InputError names file, line, column and value."""
    table = read_table(path, [BEGIN], OWN, texts=[NAME])
    return tuple(map(LegBegin, table[BEGIN].tolist(), table[NAME].tolist()))


ATTITUDE = 'attitude.csv'
ATTITUDE_COLUMNS = 'time_s', 'heave_m', 'roll_rad', 'pitch_rad'


class AttitudeTrace(NamedTuple):
    """Heave from the equilibrium in still water, m, roll and pitch, rad (FLU), at times, s; arrays of one shape."""

    time: np.ndarray
    heave: np.ndarray
    roll: np.ndarray
    pitch: np.ndarray


def has_attitude(rows: Iterable[Row]) -> bool:
    """Return whether the samples of a run are those of a hull of parts, which heaves, rolls and pitches."""
    return any(row.attitude is not None for row in rows)


def write_attitude(rows: Iterable[Row], path: Path) -> None:
    """Write heave, roll and pitch of a run's samples, atomically; OSError if it fails. Numbers are exact."""
    lines = [','.join(map(repr, (float(row.time), float(row.attitude.z), float(row.attitude.roll),
                                 float(row.attitude.pitch)))) for row in rows if row.attitude is not None]
    write_text('\n'.join([','.join(ATTITUDE_COLUMNS), *lines, '']), path)


def read_attitude(path: Path) -> AttitudeTrace:
    """Return the content of a file of `write_attitude`; InputError names file, line, column and value."""
    return AttitudeTrace(*read_table(path, ATTITUDE_COLUMNS, OWN).values())


BATTERY = 'battery.csv'
BATTERY_COLUMNS = 'time_s', 'voltage_v', 'current_a', 'charge', 'temperature_degc'


class CellsTrace(NamedTuple):
    """
    A simulated battery along a log, as its model gives it, without sensors; arrays of one shape.

    `time`: s. `voltage`: V, under load. `current`: A, discharging is positive. `charge`: of its cells, (-).
    `temperature`: of its cells, K.
    """

    time: np.ndarray
    voltage: np.ndarray
    current: np.ndarray
    charge: np.ndarray
    temperature: np.ndarray


class CellsSample(NamedTuple):
    """A simulated battery at a time of the run, s: V, A (discharging is positive), (-), K."""

    time: float
    voltage: float
    current: float
    charge: float
    temperature: float


def cells_of_rows(rows: Iterable[Row]) -> list[CellsSample]:
    """Return the battery in a run's samples; empty for a boat without cells."""
    return [CellsSample(row.time, supply.voltage, supply.current, supply.cells.charge, supply.cells.temperature)
            for row in rows if (supply := row.supply) is not None]


def write_battery(samples: Iterable[CellsSample], path: Path) -> None:
    """Write battery samples, atomically; OSError if it fails. The same numbers always give the same bytes."""
    lines = [','.join(map(repr, map(float, (*one[:4], one.temperature - KELVIN)))) for one in samples]
    write_text('\n'.join([','.join(BATTERY_COLUMNS), *lines, '']), path)


def read_battery(path: Path) -> CellsTrace:
    """Return the content of a file of `write_battery`; InputError names file, line, column and value."""
    time, voltage, current, charge, degc = read_table(path, BATTERY_COLUMNS, OWN).values()
    return CellsTrace(time, voltage, current, charge, degc + KELVIN)


HOME = 'home.csv'
HOME_COLUMNS = {
    'time': 'time_s', 'home': 'home', 'distance': 'distance_m', 'duration': 'duration_s', 'speed': 'speed_m_s',
    'energy_left': 'energy_left_j', 'energy_home': 'energy_home_j', 'energy_home_upper': 'energy_home_upper_j',
    'reserve': 'reserve_j', 'margin': 'margin_j', 'no_return_duration': 'no_return_duration_s',
    'no_return_distance': 'no_return_distance_m', 'return_home': 'return_home', 'status': 'status'}
TRUTHS = {'true': 1.0, 'false': 0.0}


class HomeSample(NamedTuple):
    """One answer of `home_watch`, with the fields of HomeMargin, at a time of the run, s; J, m, s, m/s."""

    time: float
    home: str
    distance: float
    duration: float
    speed: float
    energy_left: float
    energy_home: float
    energy_home_upper: float
    reserve: float
    margin: float
    no_return_duration: float
    no_return_distance: float
    return_home: bool
    status: int


class HomeTrace(NamedTuple):
    """
    The answers on the way home along a log, arrays of one shape: time s, energies J, a duration s, and a truth value.

    NaN if not known; the duration until the point of no return is infinite if there is none.
    """

    time: np.ndarray
    energy_left: np.ndarray
    energy_home: np.ndarray
    energy_home_upper: np.ndarray
    reserve: np.ndarray
    margin: np.ndarray
    no_return_duration: np.ndarray
    return_home: np.ndarray

    @property
    def is_known(self) -> bool:
        """Whether a margin was ever known."""
        return bool(np.isfinite(self.margin).any())


def home_line(sample: HomeSample | None) -> str:
    """Return the line of an answer, or of the column names for None."""
    text = io.StringIO()
    cells = list(HOME_COLUMNS.values()) if sample is None else [
        str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else repr(value)
        for value in sample]
    csv.writer(text, lineterminator='\n').writerow(cells)
    return text.getvalue()


def write_home(answers: Iterable[HomeSample], path: Path) -> None:
    """Write answers, atomically; OSError if it fails. The same answers always give the same bytes."""
    write_text(home_line(None) + ''.join(map(home_line, answers)), path)


def read_home(path: Path) -> HomeTrace:
    """Return the content of a file of `write_home`; InputError names file, line, column and value."""
    columns = [HOME_COLUMNS[field] for field in HomeTrace._fields]
    return HomeTrace(*read_table(path, columns, OWN, words=TRUTHS).values())
