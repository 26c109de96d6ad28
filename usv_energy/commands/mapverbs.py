"""The verbs of `usv-energy map`: each returns its figures for JSON, units in the keys, and a text for people."""

import argparse
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

from ..boats.boat_file import Boat
from ..files.errors import InputError
from ..files.json_file import without_nan
from ..flow.uniform import UniformFlow
from ..physics.battery import JOULES_PER_WH
from ..physics.frames import polar_to_earth
from .maps import MOST_POINTS, Counter, attributes_of, speeds_of, vessel_of

Told = tuple[dict[str, Any], str]


def energy(args: argparse.Namespace, boat: Boat) -> Told:
    """Make an energy map."""
    from ..planning.energy_map import energy_map, map_dataset
    vessel, currents, winds = vessel_of(args, boat), _conditions(args, 'current'), _conditions(args, 'wind')
    speeds, courses = speeds_of(args, vessel, max(args.current_speed)), _courses(args)
    number = courses.size * speeds.size * len(currents) * len(winds)
    if number > MOST_POINTS:
        raise InputError(f'a map of {number} points; must be at most {MOST_POINTS}')
    begin = time.perf_counter()
    made = energy_map(vessel, courses, speeds, currents, winds, Counter('energy map'))
    took = time.perf_counter() - begin
    if args.out is not None:
        from ..sweep.results_file import write_dataset
        write_dataset(map_dataset(made, attributes_of(args, boat, f'Energy map of {boat.name}',
                                                      static_load_w=vessel.static_load)), args.out)
    if args.plot is not None:
        from ..show.pictures.map_pictures import plot_energy_map
        plot_energy_map(made, boat.name, args.plot)
    rows = [_energy_row(made, at) for at in np.ndindex(len(currents), len(winds))]
    figures = without_nan({'boat': boat.name, 'static_load_w': vessel.static_load, 'courses': courses.size,
                           'speeds': speeds.size, 'points': number, 'wall_s': took,
                           'feasible_share': float(made.feasible.mean()), 'conditions': rows})
    head = ('current', 'wind', 'feasible', 'least J/m', 'at course', 'speed m/s', 'most J/m')
    lines = [_cells(head)] + [_cells((_flow(row, 'current'), _flow(row, 'wind'), f'{100 * row["feasible_share"]:.0f} %',
                                      *(_short(row[key]) for key in ('least_j_m', 'least_course_deg', 'least_speed_m_s',
                                                                     'most_j_m')))) for row in rows]
    lines.append(f'{boat.name}, {vessel.static_load:g} W static load: {courses.size} courses x {speeds.size} speeds x '
                 f'{len(currents)} currents x {len(winds)} winds = {number} steady motions in {took:.2f} s')
    return figures, '\n'.join(lines)


def best(args: argparse.Namespace, boat: Boat) -> Told:
    """Find the best speed of each course."""
    from ..planning.energy_map import best_dataset, best_speeds
    vessel, currents, winds = vessel_of(args, boat), _conditions(args, 'current'), _conditions(args, 'wind')
    speeds, courses = speeds_of(args, vessel, max(args.current_speed)), _courses(args)
    made = best_speeds(vessel, courses, speeds, currents, winds)
    if args.out is not None:
        from ..sweep.results_file import write_dataset
        write_dataset(best_dataset(made, attributes_of(args, boat, f'Best speeds of {boat.name}',
                                                       static_load_w=vessel.static_load)), args.out)
    if args.plot is not None:
        from ..show.pictures.map_pictures import plot_best_speeds
        plot_best_speeds(made, boat.name, args.plot)
    rows = []
    for n, m in np.ndindex(len(currents), len(winds)):
        rows.append({**_conditions_row(currents[n], winds[m]), 'course_deg': courses,
                     'best_speed_m_s': made.speed[:, n, m], 'energy_per_meter_j_m': made.energy_per_meter[:, n, m],
                     'power_total_w': made.power[:, n, m], 'at_lowest_speed': made.at_limit[:, n, m]})
    figures = without_nan({'boat': boat.name, 'static_load_w': vessel.static_load, 'lowest_speed_m_s': speeds[0],
                           'conditions': rows})
    head = ('current', 'wind', *(f'{courses[n]:.0f} deg' for n in _quarters(courses)))
    lines = ['best speed over ground, m/s (energy, J/m), by course', _cells(head, 15)]
    for row in rows:
        lines.append(_cells((_flow(row, 'current'), _flow(row, 'wind'), *(
            _best_cell(row, n) for n in _quarters(courses))), 15))
    if made.at_limit.any():
        lines.append(f'* the lowest speed looked at, {speeds[0]:g} m/s: slower would be cheaper yet, since '
                     f'{_why_slow(vessel)}')
    return figures, '\n'.join(lines)


def reach(args: argparse.Namespace, boat: Boat) -> Told:
    """Find what a battery reaches."""
    from ..planning.reach import COURSES, reach_dataset
    from ..planning.reach import reach as reach_of
    vessel, waters = vessel_of(args, boat), _waters(args)
    limit = _energy(args, boat)
    if args.extent is not None and not (args.extent[0] < args.extent[2] and args.extent[1] < args.extent[3]):
        raise InputError(f'--extent is {args.extent}; must be XMIN YMIN XMAX YMAX, rising')
    speeds = speeds_of(args, vessel, _fastest(waters, args))
    made = reach_of(vessel, waters, tuple(args.start), limit, speeds, args.points, args.round_trip, args.extent,
                    Counter('reach'))
    if args.out is not None:
        from ..sweep.results_file import write_dataset
        write_dataset(reach_dataset(made, attributes_of(args, boat, f'Reach of {boat.name}', energy_j=limit,
                                                        static_load_w=vessel.static_load)), args.out)
    if args.plot is not None:
        from ..show.pictures.map_pictures import plot_reach
        plot_reach(made, boat.name, args.plot)
    degrees = np.degrees(COURSES)
    figures = without_nan({
        'boat': boat.name, 'static_load_w': vessel.static_load, 'energy_j': limit, 'round_trip': args.round_trip,
        'start_x_m': args.start[0], 'start_y_m': args.start[1], 'area_m2': made.area,
        'area_uniform_m2': made.uniform_area, 'spacing_m': made.lattice.spacing,
        'direction_error_relative': made.direction_error, 'ends_where_the_flow_does': made.cut,
        'course_deg': degrees, 'distance_m': made.distances})
    error = f'ways are {_dear(made.direction_error)}, and smoothed over a spacing of {made.lattice.spacing:.3g} m'
    if math.isfinite(made.uniform_area):
        error += f'; without the grid the area is {made.uniform_area / 1e6:.4g} km^2, {_percent(made)} more'
    lines = [f'{boat.name}, {vessel.static_load:g} W static load, {limit / JOULES_PER_WH:g} Wh'
             f'{", there and back" if args.round_trip else ""}: {made.area / 1e6:.4g} km^2 '
             f'({made.lattice.columns} x {made.lattice.rows} points)', error,
             'course, deg  ' + ' '.join(f'{value:10.0f}' for value in degrees[::3]),
             'distance, m  ' + ' '.join(f'{value:10.5g}' for value in made.distances[::3])]
    if made.cut:
        lines.append('the area ends where the flow, or --extent, does: the energy would last longer there')
    lines += [_slow_note(vessel, speeds)] if vessel.static_load == 0.0 else []
    return figures, '\n'.join(lines)


def front(args: argparse.Namespace, boat: Boat) -> Told:
    """Find the front of time and energy."""
    from ..planning.time_energy_front import front as front_of
    from ..planning.time_energy_front import front_dataset
    vessel, waters = vessel_of(args, boat), _waters(args)
    speeds = speeds_of(args, vessel, _fastest(waters, args))
    made = front_of(vessel, waters, tuple(args.start), tuple(args.goal), speeds, args.points, args.margin,
                    progress=Counter('front'))
    if args.out is not None:
        from ..sweep.results_file import write_dataset
        write_dataset(front_dataset(made, attributes_of(args, boat, f'Time and energy of {boat.name}',
                                                        static_load_w=vessel.static_load)), args.out)
    if args.plot is not None:
        from ..show.pictures.map_pictures import plot_front
        plot_front(made, waters, boat.name, args.plot)
    rows = [{'duration_s': way.duration, 'energy_j': way.energy, 'length_m': way.length,
             'mean_speed_m_s': way.length / way.duration, 'price_of_time_w': way.price} for way in made.ways]
    straight = None if made.straight is None else {'duration_s': made.straight.duration,
                                                   'energy_j': made.straight.energy}
    figures = without_nan({'boat': boat.name, 'static_load_w': vessel.static_load, 'spacing_m': made.lattice.spacing,
                           'ways': rows, 'cheapest_straight': straight})
    lines = [_cells(('time, s', 'energy, J', 'length, m', 'mean, m/s'))]
    lines += [_cells((f'{row["duration_s"]:.1f}', f'{row["energy_j"]:.1f}', f'{row["length_m"]:.1f}',
                      f'{row["mean_speed_m_s"]:.3f}')) for row in rows]
    if made.straight is not None:
        saved = 1.0 - made.ways[-1].energy / made.straight.energy
        lines.append(f'straight on, the cheapest takes {made.straight.duration:.1f} s and {made.straight.energy:.1f} J'
                     f': the way saves {100 * saved:.1f} %')
    else:
        lines.append('the straight line cannot be gone')
    lines += [_slow_note(vessel, speeds)] if vessel.static_load == 0.0 else []
    return figures, '\n'.join(lines)


def _waters(args: argparse.Namespace) -> Any:
    from ..flow.flow_file import read_flow
    from ..planning.lattice_flow import Waters
    fields: list[Any] = []
    for name, medium in (('current', 'water'), ('wind', 'air')):
        uniform, named = getattr(args, name), getattr(args, f'{name}_flow')
        if uniform is not None and named is not None:
            raise InputError(f'--{name} and --{name}-flow are both given; one will do')
        if uniform is not None and uniform[0] < 0.0:
            raise InputError(f'--{name} has the speed {uniform[0]:g}; must be at least 0')
        fields.append(UniformFlow(*polar_to_earth(*uniform)) if uniform is not None else
                      UniformFlow() if named is None else read_flow(named, Path.cwd()))
        if getattr(fields[-1], 'medium', medium) != medium:
            raise InputError(f'--{name}-flow is {named!r}, a flow of {fields[-1].medium}; must be one of {medium}')
    return Waters(fields[0], fields[1], args.time)


def _fastest(waters: Any, args: argparse.Namespace) -> float:
    """Return about how fast the current is at most, m/s: over the field, or around the start where it has no end."""
    if isinstance(waters.current, UniformFlow):
        return waters.current.speed
    extent = np.array(waters.current.extent)
    if not np.isfinite(extent).all():
        extent = np.array([*args.start, *args.start]) + 1e3 * np.array([-1.0, -1.0, 1.0, 1.0])
    x, y = np.meshgrid(np.linspace(extent[0], extent[2], 100), np.linspace(extent[1], extent[3], 100))
    vx, vy, inside = waters.current.velocity(waters.time, x.ravel(), y.ravel())
    return float(np.hypot(vx, vy)[inside].max(initial=0.0))


def _energy(args: argparse.Namespace, boat: Boat) -> float:
    if args.energy_wh is not None:
        return args.energy_wh * JOULES_PER_WH
    if boat.battery is None:
        raise InputError(f'{boat.path}: has no battery; say how much energy there is by --energy-wh')
    return boat.battery.capacity_wh * boat.battery.initial_state_of_charge * JOULES_PER_WH


def _conditions(args: argparse.Namespace, name: str) -> list[tuple[float, float]]:
    speeds, directions = getattr(args, f'{name}_speed'), getattr(args, f'{name}_direction')
    if min(speeds) < 0.0:
        raise InputError(f'--{name}-speed has {min(speeds):g}; must be at least 0')
    found = [(speed, direction) for speed in speeds for direction in directions]
    still = [condition for condition in found if not condition[0]]  # All the same: one of them will do.
    return [condition for condition in found if condition[0] or condition == still[0]]


def _courses(args: argparse.Namespace) -> np.ndarray:
    return np.arange(args.courses) * (360.0 / args.courses)


def _quarters(courses: np.ndarray) -> list[int]:
    return [round(n * courses.size / 8) for n in range(8) if courses.size >= 8 or n % 2 == 0]


def _conditions_row(current: tuple[float, float], wind: tuple[float, float]) -> dict[str, Any]:
    return {'current_speed_m_s': current[0], 'current_direction_deg': current[1], 'wind_speed_m_s': wind[0],
            'wind_direction_deg': wind[1]}


def _energy_row(made: Any, at: tuple[int, ...]) -> dict[str, Any]:
    metre = made.fields['energy_per_meter'][:, :, at[0], at[1]]
    row = {**_conditions_row(made.currents[at[0]], made.winds[at[1]]), 'feasible_share': float(
        np.isfinite(metre).mean()), 'least_j_m': math.nan, 'least_course_deg': math.nan, 'least_speed_m_s': math.nan,
        'most_j_m': math.nan}
    if np.isfinite(metre).any():
        course, speed = np.unravel_index(np.nanargmin(metre), metre.shape)
        row |= {'least_j_m': float(metre[course, speed]), 'least_course_deg': float(made.courses_deg[course]),
                'least_speed_m_s': float(made.speeds[speed]), 'most_j_m': float(np.nanmax(metre))}
    return row


def _best_cell(row: dict[str, Any], n: int) -> str:
    speed, cost = row['best_speed_m_s'][n], row['energy_per_meter_j_m'][n]
    return f'{speed:.3f}{"*" if row["at_lowest_speed"][n] else ""} ({cost:.3g})' if math.isfinite(speed) else '-'


def _why_slow(vessel: Any) -> str:
    return 'the boat file has no static load' if vessel.static_load == 0.0 else 'the flow carries the boat'


def _slow_note(vessel: Any, speeds: np.ndarray) -> str:
    return (f'the boat has no static load, so that slow is cheap: the result depends on the lowest '
            f'speed over ground, {speeds[0]:g} m/s. Give --static-load or --speeds')


def _dear(error: float) -> str:
    if math.isinf(error):
        return "too few: the flow is so much faster than the boat that the grid's directions miss some that it can go"
    return f'at most {100 * error:.2g} % too dear for their directions'


def _percent(made: Any) -> str:
    return f'{100.0 * (made.uniform_area / made.area - 1.0):.2g} %'


def _flow(row: dict[str, Any], name: str) -> str:
    speed = row[f'{name}_speed_m_s']
    return f'{speed:g} to {row[f"{name}_direction_deg"]:g}' if speed else '0'


def _short(value: float) -> str:
    return f'{value:.4g}' if math.isfinite(value) else '-'


def _cells(cells: tuple[str, ...], width: int = 12) -> str:
    return ' '.join(f'{cell:>{width}}' for cell in cells)
