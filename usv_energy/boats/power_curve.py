"""
A boat that is described only by a table of electrical power over speed.

Its file has `power_curve` in place of drag and thrusters. It is converted to a boat with a quadratic drag and a map
from thrust to power such that in still air the power is exactly that of the table at the speed through the water. The
size of the drag matters only if wind adds to it; it follows from the propulsive efficiency at the fastest speed.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files import checked
from usv_energy.files.errors import InputError

EFFICIENCY = 0.4    # (-), propulsive efficiency if the file gives none; small propellers reach a third to a half.
KNOTS = 24          # Knots of the map for each interval of the table.
NO_SWAY = 1e9       # N s/m, drag in sway, so large that the boat does not drift, since its real value is not known.
FOREIGN = ('inertia', 'damping', 'thrusters', 'foils', 'correlation', 'identification')


class PowerCurve(NamedTuple):
    """
    A table of total electrical power over speed.

    `speeds`: through the water, m/s, ascending from 0. `powers`: W. `source`: where the numbers come from.
    `efficiency`: propulsive efficiency at the fastest speed, (-). `assumed`: whether it is the default value.
    """

    speeds: tuple[float, ...]
    powers: tuple[float, ...]
    source: str
    efficiency: float
    assumed: bool


def power_curve_from(document: dict[str, Any], source: object) -> PowerCurve:
    """
    Return the power curve of a boat's file.

    :param document: The file's content, merged with its base; it holds `power_curve`.
    :param source: Name of the file in error messages.
    :raises InputError: If an entry is not valid; the message names the file, the key, the value and what is allowed.
    """
    for key in FOREIGN:
        if key in document:
            raise InputError(f'{source}: {key} stands beside power_curve; must be left out: a boat known by its power '
                             'over speed has no other numbers of its motion')
    checked.check(document, 'power_curve', source)
    plain: dict[str, Any] = checked.values_of(document)
    rows = [(float(speed), float(power)) for speed, power in plain['power_curve']]
    hotel = float(plain.get('static_load', rows[0][1] if rows[0][0] == 0.0 else 0.0))
    if rows[0][0] == 0.0 and rows[0][1] != hotel:
        raise InputError(f'{source}: static_load is {hotel:g} W, and power_curve has {rows[0][1]:g} W at 0 m/s; must '
                         'be the same, or left out')
    if rows[0][0] > 0.0:
        rows.insert(0, (0.0, hotel))
    _check_rows(rows, source)
    efficiency = plain.get('losses', {}).get('efficiency')
    given = EFFICIENCY if efficiency is None else _share(efficiency, source)
    speeds, powers = zip(*rows)
    return PowerCurve(speeds, powers, str(plain.get('power_curve_source', '')), given, efficiency is None)


def _share(efficiency: Any, source: object) -> float:
    if not isinstance(efficiency, (int, float)) or not 0.0 < efficiency <= 1.0:
        raise InputError(f'{source}: losses.efficiency is {efficiency!r}; must be a number above 0, at most 1')
    return float(efficiency)


def _check_rows(rows: Sequence[tuple[float, float]], source: object) -> None:
    for (slow, less), (fast, more) in pairwise(rows):
        if not fast > slow:
            raise InputError(f'{source}: power_curve has {fast:g} m/s after {slow:g} m/s; the speeds must rise')
        if more < less:
            what = f'{less:g} W at {slow:g} m/s' if slow > 0.0 else f'a hotel load of {less:g} W'
            raise InputError(f'{source}: power_curve has {more:g} W at {fast:g} m/s after {what}; the power must not '
                             'fall')
    if not rows[-1][1] > rows[0][1]:
        raise InputError(f'{source}: power_curve has {rows[-1][1]:g} W at all speeds; must be more than the hotel load '
                         'somewhere')


def _number(value: Any, key: str, source: object) -> float:
    plain = checked.values_of(value)
    if isinstance(plain, bool) or not isinstance(plain, (int, float)) or plain < 0.0:
        raise InputError(f'{source}: {key} is {plain!r}; must be a number from 0 on')
    return float(plain)


def power_at(curve: PowerCurve, speed: Any) -> Any:
    """
    Return the electrical power at a speed through the water, W, by monotone interpolation; NaN beyond the table.

    :param curve: The PowerCurve.
    :param speed: m/s; float or array.
    """
    return monotone_cubic(np.array(curve.speeds), np.array(curve.powers), speed)


def monotone_cubic(x: np.ndarray, y: np.ndarray, at: Any) -> Any:
    """
    Return the values at some places of the monotone cubic through points; NaN beyond them.

    :param x: Rising, shape (n,), at least two; `y`: of the same shape.
    :param at: In the unit of x; float or array.

    Source: Fritsch and Butland, A method for constructing local monotone piecewise cubic interpolants (1984), and at
    the ends Moler, Numerical Computing with MATLAB (2004), section 3.6, as scipy's PchipInterpolator. That takes 27 MB.
    """
    width, slope = np.diff(x), np.diff(y) / np.diff(x)
    before, after, near, far = slope[:-1], slope[1:], width[1:] + 2.0 * width[:-1], 2.0 * width[1:] + width[:-1]
    with np.errstate(divide='ignore', invalid='ignore'):
        inner = np.where(before * after > 0.0, (near + far) / (far / before + near / after), 0.0)
    steep = np.concatenate(([_end_slope(width, slope)], inner, [_end_slope(width[::-1], slope[::-1])]))
    place = np.asarray(at, dtype=float)
    left = np.clip(np.searchsorted(x, place, 'right') - 1, 0, width.size - 1)
    share, base = (place - x[left]) / width[left], (1.0 - (place - x[left]) / width[left]) ** 2
    value = (base * ((1.0 + 2.0 * share) * y[left] + share * width[left] * steep[left]) + share ** 2 * (
        (3.0 - 2.0 * share) * y[left + 1] - (1.0 - share) * width[left] * steep[left + 1]))
    return np.where((place >= x[0]) & (place <= x[-1]), value, np.nan)[()]


def _end_slope(width: np.ndarray, slope: np.ndarray) -> float:
    """Return the slope at the first of some points, by the widths and the slopes of the intervals from there on."""
    if slope.size == 1:
        return float(slope[0])
    found = ((2.0 * width[0] + width[1]) * slope[0] - width[0] * slope[1]) / (width[0] + width[1])
    if found * slope[0] <= 0.0:
        return 0.0
    return float(3.0 * slope[0] if slope[0] * slope[1] <= 0.0 and abs(found) > 3.0 * abs(slope[0]) else found)


def with_vessel(document: dict[str, Any], curve: PowerCurve, source: object) -> dict[str, Any]:
    """
    Return the content of a boat file in which drag and thrusters replace the power curve.

    The table was measured in still air, so its power includes the air drag, which is subtracted here.

    :param document: The file's content, as for `power_curve_from`.
    :param curve: The PowerCurve of the file.
    :param source: Name of the file in error messages.
    :raises InputError: If the air drag alone exceeds the total drag.
    """
    windage = {'frontal_area': 0.0, 'c_x': 0.0, 'air_density': 0.0, **document.get('windage', {})}
    area, coefficient, density = (_number(windage[key], f'windage.{key}', source)
                                  for key in ('frontal_area', 'c_x', 'air_density'))
    all_drag, thrust, power = _newtons(curve)
    drag = all_drag - 0.5 * density * coefficient * area
    if drag <= 0.0:
        raise InputError(f'{source}: windage.frontal_area is {area:g} m^2; in still air that alone is more drag than '
                         f'{curve.efficiency:g} of the power at {curve.speeds[-1]:g} m/s overcomes (losses.efficiency)')
    knots = [[-t, p] for t, p in zip(thrust[:0:-1], power[:0:-1])] + [[t, p] for t, p in zip(thrust, power)]
    side = {'x': 0.0, 'min_thrust': -thrust[-1], 'max_thrust': thrust[-1]}
    kept = {key: value for key, value in document.items() if key not in ('power_curve', 'power_curve_source', 'losses')}
    return {**kept, 'inertia': {'m11': 1.0, 'm22': 1.0, 'm33': 1.0},
            'damping': {'linear': {'d11': 0.0, 'd22': NO_SWAY, 'd33': 1.0},
                        'quadratic': {'d11': drag, 'd22': 0.0, 'd33': 0.0}},
            'windage': {**windage, 'lateral_area': 0.0, 'c_y': 0.0},
            'thrusters': [{'name': 'left', 'y': 0.1, **side}, {'name': 'right', 'y': -0.1, **side}],
            'losses': {'map': knots}, 'static_load': curve.powers[0]}


def _newtons(curve: PowerCurve) -> tuple[float, list[float], list[float]]:
    """Return the quadratic drag, N s^2/m^2, and the thrusts, N, and powers, W, of one of two equal thrusters."""
    hotel, fastest = curve.powers[0], curve.speeds[-1]
    drag = curve.efficiency * (curve.powers[-1] - hotel) / fastest ** 3
    share = np.arange(KNOTS) / KNOTS
    starts, ends = np.array(curve.speeds[:-1]), np.array(curve.speeds[1:])
    speeds = np.append((starts[:, None] + share * (ends - starts)[:, None]).ravel(), fastest)
    watts = power_at(curve, speeds)
    watts[::KNOTS] = curve.powers  # Without rounding.
    return drag, (0.5 * drag * speeds ** 2).tolist(), (0.5 * np.maximum(watts - hotel, 0.0)).tolist()
