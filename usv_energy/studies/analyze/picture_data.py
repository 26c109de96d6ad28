"""
What the pictures of a report's page show of an analysed log, thinned: little enough to be sent to another process.

Times and distances are in the unit of their axis.
"""

from typing import NamedTuple

import numpy as np

from usv_energy.boats.cell_file import KELVIN
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.physics.motion import STILL
from usv_energy.powering.power import speed_through_water
from usv_energy.show.causes import CAUSES, Cause
from usv_energy.show.figure import ORANGE, envelope, robust_limits, rows_of
from usv_energy.show.page.page_parts import ACCENT, INK
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.leg_shares import leg_shares
from usv_energy.studies.plan.steady_motion import steady_state, top_speed

POINTS = 500          # Of a line, at most.
SCATTER = 450
SEGMENTS = 700        # Of the track.
SEEN = 2e-3           # Share of the largest power of a cause that another must have, to be shown.
STEPS = 64            # Of the energy per metre along the track.
AREAS = 240           # Points of an area's edge.


class PoweredTrack(NamedTuple):
    """
    Places, m, and times, s, shape (k,).

    Of the lines between them: mean power, W, and whether no gap is there, (k - 1,).
    """

    x: np.ndarray
    y: np.ndarray
    power: np.ndarray
    unbroken: np.ndarray
    time: np.ndarray


class Line(NamedTuple):
    """A line: its name and colour, and its points, NaN where it is broken."""

    name: str
    colour: str
    time: np.ndarray
    values: np.ndarray


class Lines(NamedTuple):
    """Lines over time, the last below the others if it is the total; `cut`: spikes lie beyond; `legs`: their ends."""

    lines: list[Line]
    xlabel: str
    span: tuple[float, float | None]
    limits: tuple[float, float]
    cut: bool
    legs: tuple[float, ...] = ()


class Areas(NamedTuple):
    """Energies so far of causes over time, and their total, in a unit, kJ or J."""

    time: np.ndarray
    areas: list[tuple[Cause, np.ndarray]]
    total: np.ndarray
    unit: str
    xlabel: str
    span: tuple[float, float | None]


class WayHomeTrace(NamedTuple):
    """
    The way home over time: energies, Wh, a duration until the point of no return, min, and when it was time to go back.

    `back`: begins and ends of these spans, in the time's unit; `margin` falls below 0 where the point lies behind.
    """

    time: np.ndarray
    margin: np.ndarray
    left: np.ndarray
    home: np.ndarray
    no_return: np.ndarray
    back: list[tuple[float, float]]
    xlabel: str
    span: tuple[float, float | None]


class BatteryLines(NamedTuple):
    """A simulated battery over time: V, A, charge in %, degC; the time and its span in the unit of the axis."""

    time: np.ndarray
    volts: np.ndarray
    amperes: np.ndarray
    charge: np.ndarray
    degc: np.ndarray
    xlabel: str
    span: tuple[float, float | None]


class SpeedPower(NamedTuple):
    """Powers, W, over speeds through the water, m/s: of some samples, in steady motion, and medians of the run."""

    water: np.ndarray
    power: np.ndarray
    speed: np.ndarray
    steady: np.ndarray
    centres: list[float]
    medians: list[float]
    limits: tuple[float, float]


class PerMeter(NamedTuple):
    """Energy per metre, J/m, between distances over ground, in a unit, km or m, and its mean."""

    cost: np.ndarray
    edges: np.ndarray
    mean: float
    unit: str
    limits: tuple[float, float]


def has_track(analysed: AnalysedLog) -> bool:
    """Return whether the places are known, and the boat moved."""
    x, y = analysed.log.x, analysed.log.y
    known = np.isfinite(x) & np.isfinite(y)
    return bool(known.sum() > 1 and max(np.ptp(x[known]), np.ptp(y[known])) > 0.0)


def causes_of(analysed: AnalysedLog) -> list[Cause]:
    """Return the causes that are seen beside the largest; the first of all where there is no power."""
    largest = [np.nanmax(np.abs(getattr(analysed.power, cause.key)), initial=0.0) for cause in CAUSES]
    return [cause for cause, power in zip(CAUSES, largest) if power > SEEN * max(largest)] or [CAUSES[0]]


def track_of(analysed: AnalysedLog) -> PoweredTrack:
    """Return the track, with the power along it."""
    log = analysed.log
    rows = track_rows(analysed)
    unbroken = np.diff(log.time[rows]) <= max(log.max_gap, 3.0 * log.duration / max(rows.size, 1))
    return PoweredTrack(log.x[rows], log.y[rows], mean_between(analysed.power.total, rows), unbroken,
                        log.time[rows])


def track_rows(analysed: AnalysedLog) -> np.ndarray:
    """Return the samples of a log that are the places of its track."""
    known = np.flatnonzero(np.isfinite(analysed.log.x) & np.isfinite(analysed.log.y))
    return known[rows_of(known.size, SEGMENTS)]


def mean_between(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the mean of values between each row and the next; of the numbers among them."""
    known = np.isfinite(values)
    total = np.concatenate([[0.0], np.cumsum(np.where(known, values, 0.0))])
    count = np.concatenate([[0], np.cumsum(known)])
    counted = count[rows[1:]] - count[rows[:-1]]
    with np.errstate(invalid='ignore', divide='ignore'):
        return np.where(counted > 0, (total[rows[1:]] - total[rows[:-1]]) / counted, np.nan)


def _time_axis(analysed: AnalysedLog) -> tuple[float, str]:
    """Return the seconds of a unit that fits a log's length, and the axis' label."""
    if analysed.log.duration > 3.0 * 3600.0:
        return 3600.0, 'Time, h'
    if analysed.log.duration > 600.0:
        return 60.0, 'Time, min'
    return 1.0, 'Time, s'


def _span(time: np.ndarray) -> tuple[float, float | None]:
    return float(time[0]), float(time[-1]) if time.size > 1 else None


def power_lines(analysed: AnalysedLog) -> Lines:
    """Return the power by cause over time, and the total."""
    unit, _ = _time_axis(analysed)
    ends = tuple(leg.begin / unit for leg in leg_shares(analysed)[1:])
    lines = _lines(analysed, [*((cause.name, cause.colour, getattr(analysed.power, cause.key))
                               for cause in causes_of(analysed)), ('total', INK, analysed.power.total)])
    return lines._replace(legs=ends)


def against_measured(analysed: AnalysedLog) -> Lines:
    """Return the measured electrical power and the model's over time."""
    return _lines(analysed, [('measured', ORANGE, analysed.log.electrical_power),
                             ('model', ACCENT, analysed.power.total)])


def _lines(analysed: AnalysedLog, series: list[tuple[str, str, np.ndarray]]) -> Lines:
    unit, label = _time_axis(analysed)
    time = analysed.log.time / unit
    gap = analysed.log.max_gap * (time[-1] / analysed.log.duration if analysed.log.duration else 1.0)
    lines = [Line(name, colour, *envelope(time, values, POINTS // 2, gap)) for name, colour, values in series]
    low, high, cut = robust_limits([values for _, _, values in series])
    return Lines(lines, label, _span(time), (low, high), cut)


def way_home(analysed: AnalysedLog) -> WayHomeTrace | None:
    """Return what was said of the way home; None where nobody told a margin."""
    said = analysed.log.home
    if said is None or not said.is_known:
        return None
    unit, label = _time_axis(analysed)
    time, rows = said.time / unit, rows_of(said.time.size, POINTS)
    edges = np.flatnonzero(np.diff(np.concatenate([[0.0], said.return_home > 0.0, [0.0]])))
    ends = np.append(time, time[-1])
    back = [(float(ends[begin]), float(ends[end])) for begin, end in zip(edges[::2], edges[1::2])]
    margin, left, home = (np.where(np.isfinite(energy), energy, np.nan)[rows] / JOULES_PER_WH
                          for energy in (said.margin, said.energy_left, said.energy_home_upper + said.reserve))
    no_return = np.where(np.isfinite(said.no_return_duration), said.no_return_duration, np.nan)[rows] / 60.0
    return WayHomeTrace(time[rows], margin, left, home, no_return, back, label, _span(analysed.log.time / unit))


def simulated_battery(analysed: AnalysedLog) -> BatteryLines | None:
    """Return how the simulated battery did; None where there was none."""
    cells = analysed.log.cells
    if cells is None or not cells.time.size:
        return None
    unit, label = _time_axis(analysed)
    rows = rows_of(cells.time.size, POINTS)
    return BatteryLines(cells.time[rows] / unit, cells.voltage[rows], cells.current[rows], 100.0 * cells.charge[rows],
                        cells.temperature[rows] - KELVIN, label, _span(analysed.log.time / unit))


def energy_by_cause(analysed: AnalysedLog) -> Areas:
    """Return the energy so far by cause."""
    unit, label = _time_axis(analysed)
    time = analysed.log.time / unit
    rows = rows_of(time.size, AREAS)
    total = analysed.integral.so_far()
    name, scale = ('kJ', 1e-3) if abs(total[-1]) >= 2e4 else ('J', 1.0)
    areas = [(cause, scale * analysed.integral.so_far(cause.key)[rows]) for cause in causes_of(analysed)]
    return Areas(time[rows], areas, scale * total[rows], name, label, _span(time))


def speed_power(analysed: AnalysedLog) -> SpeedPower:
    """Return the power over the speed through the water: the boat's steady curve, and this run's samples."""
    water, power = speed_through_water(analysed.power), analysed.power.total
    known = np.flatnonzero(np.isfinite(water) & np.isfinite(power))
    rows = known[rows_of(known.size, SCATTER)]
    top = top_speed(analysed.boat.vessel)
    fastest = max(float(np.percentile(water[known], 99.5)) if known.size else 0.0, min(top, 0.3))
    speed = np.linspace(0.0, min(top, max(1.15 * fastest, 0.5 * top)), 60)
    steady = steady_state(analysed.boat.vessel, 0.0, speed, STILL).power.total
    low, high, _ = robust_limits([power[known], steady])
    return SpeedPower(water[rows], power[rows], speed, steady, *_medians(water[known], power[known]), (low, high))


def _medians(speed: np.ndarray, power: np.ndarray, number: int = 8) -> tuple[list[float], list[float]]:
    """Return middles and medians of the bins of speed that hold a fair share of the samples."""
    if speed.size < 20 or np.ptp(speed) == 0.0:
        return [], []
    edges = np.linspace(speed.min(), speed.max(), number + 1)
    label = np.clip(np.digitize(speed, edges) - 1, 0, number - 1)
    full = [part for part in range(number) if (label == part).sum() >= max(10, 0.02 * speed.size)]
    return ([float(np.median(speed[label == part])) for part in full],
            [float(np.median(power[label == part])) for part in full])


def per_meter(analysed: AnalysedLog) -> PerMeter:
    """Return the energy per metre over ground along the way."""
    distance, energy = analysed.integral.distance_so_far(), analysed.integral.so_far()
    steps = min(STEPS, max(4, int(distance[-1])))
    edges = np.linspace(0.0, distance[-1], steps + 1)
    rising = np.flatnonzero(np.diff(distance, prepend=-1.0) > 0.0)
    at = np.interp(edges, distance[rising], energy[rising])
    cost = np.diff(at) / np.diff(edges)
    unit, scale = ('km', 1e-3) if distance[-1] > 3000.0 else ('m', 1.0)
    low, high, _ = robust_limits([cost])
    return PerMeter(cost, scale * edges, float(energy[-1] / distance[-1]), unit, (low, high))
