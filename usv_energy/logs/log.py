# ruff: noqa: RUF009  (_unknown() is dataclasses.field)
"""
A log: what a boat did, as arrays of one length in the house's units and frames, whatever it was recorded with.

Readers make it (`read.read_log`); identification and energy reports take it. NaN is what is not known.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.physics.sampling import longest_interval, period_of
from usv_energy.powering.energy import steps_between
from usv_energy.show.text_table import joules, seconds
from usv_energy.sim.run_files import CellsTrace, HomeTrace, LegBegin

INFO, WARNING = 'info', 'warning'
# In `extra`: a velocity over ground that no heading could turn into the body's axes.
EARTH_VELOCITY = ('velocity_east_m_s', 'velocity_north_m_s')
# In `extra`, of a boat that floats on waves: over where it rests, m; rad (FLU); m/s^2, up, without gravity.
HEAVE, ROLL, PITCH, LIFT = 'heave_m', 'roll_rad', 'pitch_rad', 'vertical_acceleration_m_s2'
BEGINS_LATE = 'begins_late'  # Code of the note on samples before the first place, which are left out.
CLOCK_SET = 'clock_set'  # Code of the note on a log in parts, the time between which nobody may know.
JOINED = 'sensors_joined'  # Code of the note on a log whose series were measured each at its own times.

MEANINGS = {'u': 'surge velocity', 'v': 'sway velocity', 'r': 'yaw rate', 'yaw': 'heading',
            'electrical_power': 'or volts and amperes', 'revolutions': 'of the propellers'}
MEASURED = ('revolutions', 'angle', 'thruster_volts', 'thruster_amperes')
PER_THRUSTER = ('thrust', 'command', *MEASURED)
FOIL = 'foil_angle'
PER_ACTUATOR = (*PER_THRUSTER, FOIL)


class Note(NamedTuple):
    """
    What was done to a log, or is suspected of it.

    `level`: info (done) or warning (look at it); `code`: one word for programs; `text`: for people, with the evidence;
    `figures`: the numbers of the text, units in the keys.
    """

    level: str
    code: str
    text: str
    figures: Mapping[str, float] = {}


def _unknown() -> Any:
    """Return a field that is filled with NaN when its Log is created."""
    return field(default_factory=lambda: np.array([]))


@dataclass(frozen=True, eq=False)
class Log:
    """
    A recording. Every array has one row a sample, n in all; one that was not recorded is all NaN (see `known`).

    `time`: s since the first sample, strictly rising; `start`: the source's own time of that sample, s.
    `origin`: where on the Earth x = y = 0 lies; None where nobody says.
    Earth frame ENU: `x`, `y` m; `yaw` rad counter-clockwise from east, unwrapped; `current_x`, `current_y`, `wind_x`,
    `wind_y` m/s, where water and air flow to. Body frame FLU, over ground: `u`, `v` m/s, `r` rad/s, and their
    derivatives `u_dot`, `v_dot` m/s^2, `r_dot` rad/s^2.
    `thrust`: N along the axis, positive ahead, shape (n, thrusters): what was asked of them, or what they give at
    standstill at the rate at which they turn; what they gave at the boat's speed where `thrust_given`. `command`: us,
    more is ahead, same shape; `neutral`: the commands that give no thrust, us, NaN where not known; `mirrored`: of
    which of them the pulses were turned about it, longer ones being astern; `thrusters`: their names, from port to
    starboard, as boat files have them.
    What each thruster measured of itself, same shape, NaN in rows where it was not measured anew: `revolutions` 1/s,
    positive where it drives ahead along its axis; `thruster_volts` V and `thruster_amperes` A of its supply. `angle`:
    rad counter-clockwise, in which direction it pushes the boat, same shape; measured, or what was asked of it.
    `places`: m ahead and to port of the point that u and v are of, NaN where not known.
    `foil_angle`: of what turns and is no thruster (rudders, sails), its leading edge from the bow, rad
    counter-clockwise, shape (n, foils); `foils`: their names, as boat files have them.
    `volts` V, `amperes` A, `electrical_power` W: of the whole boat, at the battery.
    `max_gap`: samples further apart than this, s, do not belong together; where it is not given, it follows from the
    samples' own period (`physics.sampling`). `legs`: when which leg of a mission began, rising, in the time of `time`;
    empty where nobody says. `home`: what was said of the way home, `cells`: how a simulated battery did, in that time.
    `extra`: further series by name, (n,), units in the name. `notes`: what the reader did and suspects.
    """

    name: str
    path: Path
    time: np.ndarray
    start: float = 0.0
    x: np.ndarray = _unknown()
    y: np.ndarray = _unknown()
    yaw: np.ndarray = _unknown()
    u: np.ndarray = _unknown()
    v: np.ndarray = _unknown()
    r: np.ndarray = _unknown()
    u_dot: np.ndarray = _unknown()
    v_dot: np.ndarray = _unknown()
    r_dot: np.ndarray = _unknown()
    current_x: np.ndarray = _unknown()
    current_y: np.ndarray = _unknown()
    wind_x: np.ndarray = _unknown()
    wind_y: np.ndarray = _unknown()
    volts: np.ndarray = _unknown()
    amperes: np.ndarray = _unknown()
    electrical_power: np.ndarray = _unknown()
    thrust: np.ndarray = _unknown()
    command: np.ndarray = _unknown()
    revolutions: np.ndarray = _unknown()
    angle: np.ndarray = _unknown()
    foil_angle: np.ndarray = _unknown()
    thruster_volts: np.ndarray = _unknown()
    thruster_amperes: np.ndarray = _unknown()
    thrusters: tuple[str, ...] = ()
    neutral: tuple[float, ...] = ()
    mirrored: tuple[bool, ...] = ()
    places: tuple[tuple[float, float], ...] = ()
    foils: tuple[str, ...] = ()
    thrust_given: bool = False
    max_gap: float = math.nan
    extra: Mapping[str, np.ndarray] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    legs: tuple[LegBegin, ...] = ()
    home: HomeTrace | None = None
    cells: CellsTrace | None = None
    origin: Place | None = None

    def __post_init__(self) -> None:
        """Fill what was left out with NaN and see that all shapes fit."""
        n = len(self.time)
        for name in SERIES:
            value = getattr(self, name)
            if value.size == 0 and n:
                object.__setattr__(self, name, np.broadcast_to(np.nan, (n,)))
            elif value.shape != (n,):
                raise ValueError(f'{self.name}: {name} has the shape {value.shape}; time has ({n},)')
        k = len(self.thrusters)
        for name in PER_ACTUATOR:
            value, shape = getattr(self, name), (n, len(self.foils) if name == FOIL else k)
            unknown = value.shape != shape and not np.isfinite(value).any()  # perhaps of a log with other thrusters
            if unknown:
                object.__setattr__(self, name, np.broadcast_to(np.nan, shape))
            elif value.shape != shape:
                raise ValueError(f'{self.name}: {name} has the shape {value.shape}; must be {shape}')
        if not self.max_gap > 0.0:
            object.__setattr__(self, 'max_gap', longest_interval(period_of(self.time)))
        if not self.neutral:
            object.__setattr__(self, 'neutral', (np.nan,) * k)
        if len(self.mirrored) != k:
            object.__setattr__(self, 'mirrored', (False,) * k)
        if len(self.places) != k and not np.isfinite(self.places).any():
            object.__setattr__(self, 'places', ((np.nan, np.nan),) * k)
        if not np.all(np.diff(self.time) > 0.0):
            raise ValueError(f'{self.name}: time does not rise')

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.time)

    @property
    def duration(self) -> float:
        """Time from the first to the last sample, s."""
        return float(self.time[-1] - self.time[0]) if len(self) else 0.0

    @property
    def recorded_duration(self) -> float:
        """The duration, s, without the time that was put between parts of it whose clock was set."""
        between = (note.figures.get('between_s', 0.0) for note in self.notes if note.code == CLOCK_SET)
        return self.duration - max(between, default=0.0)

    @property
    def time_before(self) -> float:
        """Time before the first sample in which the source ran and knew no motion, s."""
        return max((note.figures['duration_s'] for note in self.notes if note.code == BEGINS_LATE), default=0.0)

    @cached_property
    def period(self) -> float:
        """Median time between samples, s; NaN for fewer than two."""
        return float(np.median(np.diff(self.time))) if len(self) > 1 else np.nan

    @property
    def gaps(self) -> list[tuple[float, float]]:
        """Begin and end, s, of every hole longer than `max_gap`."""
        return [(float(self.time[i]), float(self.time[i + 1]))
                for i in np.flatnonzero(np.diff(self.time) > self.max_gap)]

    def pieces(self) -> list[slice]:
        """Return the stretches of samples without a gap, in order."""
        cuts = np.flatnonzero(np.diff(self.time) > self.max_gap) + 1
        edges = [0, *map(int, cuts), len(self)]
        return [slice(begin, end) for begin, end in itertools.pairwise(edges) if end > begin]

    def known(self, *names: str) -> bool:
        """Return whether each of these series has a number anywhere."""
        return all(bool(np.isfinite(getattr(self, name)).any()) for name in names)

    def require(self, *names: str) -> None:
        """
        See that series were recorded.

        :raises InputError: Naming the file and what is missing.
        """
        missing = [name for name in names if not self.known(name)]
        if missing:
            there = [name for name in (*SERIES, *PER_ACTUATOR) if self.known(name)]
            needed = ', '.join(f'{name} ({MEANINGS[name]})' if name in MEANINGS else name for name in missing)
            battery = ''
            if self.known('electrical_power') and not any(map(self.known, ('x', 'u', 'yaw'))):
                steps = steps_between(self.time, np.isfinite(self.electrical_power), self.max_gap)
                battery = (f'. The battery gave {joules(float(steps.trapezoids(self.electrical_power).sum()))} in '
                           f'{seconds(float(steps.durations.sum()))}; what for, places or a speed beside it would tell')
            raise InputError(f'{self.path}: has no {needed}, which this needs. There are: '
                             f'{", ".join(there) or "none"}{battery}{"" if there else self._why_nothing()}')

    def _why_nothing(self) -> str:
        return ''.join(f'; {note.text}' for note in self.notes if note.level == WARNING and note.code != 'at_rest')

    def part(self, rows: slice | np.ndarray) -> 'Log':
        """
        Return the log with some of its samples only; times stay as they are.

        :param rows: A slice, or a mask or rising indices, shape (n,) or fewer.
        """
        names = ('time', *SERIES, *PER_ACTUATOR)
        return replace(self, **{name: getattr(self, name)[rows] for name in names},
                       extra={name: value[rows] for name, value in self.extra.items()})

    def between(self, begin: float, end: float) -> 'Log':
        """Return the samples from `begin` to before `end`, s."""
        return self.part((self.time >= begin) & (self.time < end))

    def noted(self, *notes: Note) -> 'Log':
        """Return the log with more notes."""
        log = replace(self, notes=(*self.notes, *notes))
        if 'period' in self.__dict__:  # of the same times: a median of a million takes a while
            log.__dict__['period'] = self.period
        return log

    @property
    def warnings(self) -> tuple[Note, ...]:
        """The notes that ask for a look."""
        return tuple(note for note in self.notes if note.level == WARNING)


SERIES = tuple(item.name for item in fields(Log) if item.type is np.ndarray
               and item.name not in ('time', *PER_ACTUATOR))
