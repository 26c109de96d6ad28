"""
What a page that moves shows of an analysed log, as plain lists for JSON: lines, the track, and all there is at a time.

Lines are thinned to what can be seen of them, the least and the largest values kept, and again for each part that is
looked at closely. Times are those of the log, s; None breaks a line.
"""

import math
from typing import Any

import numpy as np

from usv_energy.earth import compass_degrees, plane_about
from usv_energy.files.text_file import without_nan
from usv_energy.physics.batteries.cell import state_of_charge
from usv_energy.show.figure import envelope, rows_of
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.current.flow_along_log import SINCE_1970
from usv_energy.studies.analyze.leg_shares import leg_shares
from usv_energy.studies.analyze.picture_data import (
    causes_of,
    has_track,
    mean_between,
    track_of,
    track_rows,
)
from usv_energy.studies.runs.boat_figures import power_figures

POINTS = 1200   # Of a line, at most: more than a screen has columns for it, and each column has a least and a largest.


def log_series(analysed: AnalysedLog, begin: float = -math.inf, end: float = math.inf) -> dict[str, Any]:
    """
    Return the lines over time of an analysed log: power by cause and in all, charge, wind and current.

    :param begin: First time that is looked at, s; `end`: the last one. A line goes on to the next sample beyond.
    """
    log, flow, rows = analysed.log, analysed.flow, _rows(analysed.log.time, begin, end)
    battery = analysed.boat.battery
    charge = None if battery is None else np.asarray(state_of_charge(analysed.integral.so_far(), battery))
    return without_nan({
        'begin_s': float(log.time[rows][0]), 'end_s': float(log.time[rows][-1]),
        'start_s': log.start if log.start > SINCE_1970 else None,
        'causes': [{'key': cause.key, 'name': cause.name, 'colour': cause.colour,
                    'colour_on_dark': cause.colour_on_dark,
                    **_line(analysed, rows, getattr(analysed.power, cause.key), 'power_w')}
                   for cause in causes_of(analysed)],
        'total': _line(analysed, rows, analysed.power.total, 'power_w'),
        'measured': None if not log.known('electrical_power') else _line(analysed, rows, log.electrical_power,
                                                                         'power_w'),
        'charge': None if charge is None else _line(analysed, rows, charge, 'state_of_charge'),
        'wind': _line(analysed, rows, np.hypot(flow.wind_x, flow.wind_y), 'speed_m_s'),
        'current': _line(analysed, rows, np.hypot(flow.current_x, flow.current_y), 'speed_m_s'),
        'sources': dict(analysed.flow_sources),
        'legs': [{'leg': leg.name, 'begin_s': leg.begin, 'end_s': leg.end} for leg in leg_shares(analysed)],
        'gaps': [{'begin_s': first, 'end_s': last} for first, last in log.gaps]})


def _rows(time: np.ndarray, begin: float, end: float) -> slice:
    """Return the samples from `begin` to `end`, s, and one more at each end where there is one."""
    first, last = np.searchsorted(time, [begin, end], side='left')
    return slice(max(min(int(first), time.size - 1) - 1, 0), min(int(last) + 1, time.size))


def _line(analysed: AnalysedLog, rows: slice, values: np.ndarray, key: str) -> dict[str, Any]:
    """Return a line of some samples as two lists, of times and of its values."""
    time = analysed.log.time
    times, shown = envelope(time[rows], np.broadcast_to(values, time.shape)[rows], POINTS // 2, analysed.log.max_gap)
    return {'time_s': times, key: shown}


def track_series(analysed: AnalysedLog) -> dict[str, Any] | None:
    """
    Return the places along a track: m east and north, degrees where it is known where on the Earth they are.

    `columns`: what can be shown along it, the total power first, each with its name, unit and values: the mean between
    a place and the next, one less than places; None across a gap. None without a track.
    """
    if not has_track(analysed):
        return None
    track, degrees, log, power = track_of(analysed), {}, analysed.log, analysed.power
    if log.origin is not None:
        latitude, longitude = plane_about(log.origin).to_geodetic(track.x, track.y)
        degrees = {'latitude_deg': latitude, 'longitude_deg': longitude}
    columns = [('total power', 'W', power.total),
               *((cause.name, 'W', getattr(power, cause.key)) for cause in causes_of(analysed)),
               ('speed over ground', 'm/s', np.hypot(log.u, log.v)),
               ('speed through the water', 'm/s', np.hypot(power.u_r, power.v_r))]
    if (battery := analysed.boat.battery) is not None:
        columns.append(('charge', '%', 100.0 * state_of_charge(analysed.integral.so_far(), battery)))
    rows = track_rows(analysed)
    return without_nan({'time_s': track.time, 'x_m': track.x, 'y_m': track.y, **degrees, 'columns': [
        {'name': name, 'unit': unit, 'values': np.where(track.unbroken, mean_between(
            np.broadcast_to(values, log.time.shape), rows), np.nan)} for name, unit, values in columns]})


def moment_figures(analysed: AnalysedLog, time: float) -> dict[str, Any]:
    """
    Return what there is at the sample nearest to a time, s: place, speeds, power by cause, energy so far, flows.

    The power is the mean of the step that ends there, which the energy is made of.
    """
    log, battery = analysed.log, analysed.boat.battery
    row = int(np.argmin(np.abs(log.time - time)))
    energy = float(analysed.integral.so_far()[row])
    flow = {name: float(np.broadcast_to(values, log.time.shape)[row])
            for name, values in analysed.flow._asdict().items()}
    place: dict[str, float] = {'x_m': float(log.x[row]), 'y_m': float(log.y[row])}
    if log.origin is not None and math.isfinite(place['x_m'] + place['y_m']):
        place['latitude_deg'], place['longitude_deg'] = plane_about(log.origin).degrees_of(*place.values())
    power = analysed.power._replace(**{name: np.broadcast_to(values, log.time.shape)[row]
                                       for name, values in analysed.power._asdict().items()})
    return without_nan({
        'time_s': float(log.time[row]), **place, 'heading_deg': compass_degrees(float(log.yaw[row])),
        'speed_over_ground_m_s': math.hypot(float(log.u[row]), float(log.v[row])),
        'speed_through_water_m_s': math.hypot(float(power.u_r), float(power.v_r)),
        **power_figures(power), 'energy_so_far_j': energy,
        'distance_over_ground_m': float(analysed.integral.distance_so_far()[row]),
        'state_of_charge': math.nan if battery is None else float(state_of_charge(energy, battery)),
        **{f'{name}_m_s': value for name, value in flow.items()}})


def energy_over_distance(analysed: AnalysedLog) -> dict[str, Any]:
    """Return the energy so far over the distance over ground so far, which puts two logs side by side."""
    rows = rows_of(len(analysed.log), POINTS)
    return without_nan({'distance_over_ground_m': analysed.integral.distance_so_far()[rows],
                        'energy_so_far_j': analysed.integral.so_far()[rows]})
