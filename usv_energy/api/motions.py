"""The power and the energy of motions: `power`, `energy`, `uniform_flow`."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from usv_energy.api.given import (
    Vector,
    array_of,
    boat_of,
    check_unit,
    choice_of,
    number_of,
    optional_number,
    seconds_of,
    unlabelled,
    vector_of,
)
from usv_energy.api.results import Result, ResultTable
from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.files.errors import InputError
from usv_energy.files.limits import LOGGED
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.frames import polar_to_earth
from usv_energy.physics.motion import Flow, Motion
from usv_energy.physics.sampling import longest_interval, period_of
from usv_energy.powering.energy import CAUSES, Energy, integrate, steps_between
from usv_energy.powering.loads import long_run_powers, with_loads
from usv_energy.powering.power import CONVENTIONS, Power, speed_through_water
from usv_energy.show.figure import Panel
from usv_energy.show.text_table import fixed, joules, metres, percent, seconds, text_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOTION_UNITS = {'yaw': 'rad', 'u': 'm/s', 'v': 'm/s', 'r': 'rad/s', 'u_dot': 'm/s^2', 'v_dot': 'm/s^2',
                'r_dot': 'rad/s^2', 'current[0]': 'm/s', 'current[1]': 'm/s', 'wind[0]': 'm/s', 'wind[1]': 'm/s'}
NEGLIGIBLE = 1e-9   # of the total: a cause that is left out of texts and pictures
VELOCITY_UNITS = {'u_r': 'm s-1', 'v_r': 'm s-1', 'r': 'rad s-1'}


class PowerResult(Result, Power):
    """
    The power of motions by cause, W: floats, or arrays, Series or DataArrays as the motion was given.

    `inertia`, `damping`, `wind`, `foils`, `waves` and `side_force` make `thrust`, the mechanical power of the
    thrusters; `total = thrust + unrecovered + losses + static_load + loads`. `u_r`, `v_r` (m/s) and `r` (rad/s) are
    the velocity through the water.
    """

    __slots__ = ()

    def text(self) -> str:
        """Return the causes that are not 0; of arrays the mean, the least and the most."""
        plain = {name: np.asarray(getattr(self, name), dtype=float) for name in CAUSES}
        number = plain['total'].size
        least = NEGLIGIBLE * np.fmax.reduce(np.abs(plain['total']), axis=None, initial=0.0)
        shown = {name: values for name, values in plain.items() if np.any(np.abs(values) > least) or name == 'total'}
        if plain['total'].ndim == 0:
            return '\n'.join(text_table([['power', 'W'], *([name, fixed(float(values), 3)]
                                                           for name, values in shown.items())], 'lr', rule=True))
        rows = [[name, *(fixed(float(reduce(values)), 3) if np.isfinite(values).any() else '-'
                         for reduce in (np.nanmean, np.nanmin, np.nanmax))] for name, values in shown.items()]
        return '\n'.join([f'power of {number} motions, shape {plain["total"].shape}', *text_table(
            [['', 'mean, W', 'least, W', 'most, W'], *rows], 'lr', rule=True)])

    def figures(self) -> dict[str, Any]:
        """Return the causes by name, `<cause>_w`, lists of arrays."""
        return {f'{name}_w': np.asarray(getattr(self, name)).tolist() for name in CAUSES}

    def tabulated(self) -> ResultTable:
        """Return one row a motion, the first index slowest."""
        units = {**dict.fromkeys(CAUSES, 'W'), **VELOCITY_UNITS}
        return ResultTable('motion', {name: (np.ravel(np.asarray(getattr(self, name))), units[name])
                                      for name in self._fields}, {})

    def to_xarray(self) -> Any:
        """Return a Dataset over the dimensions of the DataArrays that were given, else as other results."""
        if not hasattr(self.total, 'dims'):
            return super().to_xarray()
        import xarray
        return xarray.Dataset(self._asdict())

    def to_dataframe(self) -> Any:
        """Return a DataFrame with the index of the Series that were given, else as other results."""
        frame = super().to_dataframe()
        return frame.set_axis(self.total.index) if hasattr(self.total, 'index') and hasattr(
            self.total, 'iloc') else frame

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: the total of each motion, and the causes."""
        def by_cause(axes: 'Axes') -> None:
            from usv_energy.show.causes import CAUSES as DRAWN
            least = NEGLIGIBLE * np.fmax.reduce(np.abs(np.asarray(self.total)), axis=None, initial=0.0)
            for cause in DRAWN:
                values = np.ravel(np.asarray(getattr(self, cause.key)))
                if np.any(np.abs(values) > least):
                    axes.plot(values, color=cause.colour, label=cause.name, marker='o' if values.size == 1 else None)
            axes.plot(np.ravel(np.asarray(self.total)), color='black', label='total',
                      marker='o' if np.size(self.total) == 1 else None)
            axes.set(xlabel='Motion', ylabel='Power, W')
            axes.legend(loc='best')
        return {'power': by_cause}


class EnergyResult(Result, Energy):
    """
    The energy of samples by cause, J, with the causes of `PowerResult`.

    `duration` s, `distance_over_ground` and `distance_through_water` m, `samples`, `invalid_samples` (the power was
    NaN), `gaps`, `gap_duration` s, and `energy_per_meter` J/m are those of the samples.
    """

    __slots__ = ()

    def text(self) -> str:
        """Return the sums, and the causes that are not 0."""
        rows = [[name, fixed(value, 1), percent(value / self.total if self.total else math.nan, 1)] for name in CAUSES
                if abs(value := getattr(self, name)) > NEGLIGIBLE * abs(self.total) or name == 'total']
        gaps = f'; {self.gaps} gaps of {self.gap_duration:.1f} s are not in it' if self.gaps else ''
        return '\n'.join([f'{joules(self.total)} in {seconds(self.duration)} over '
                          f'{metres(self.distance_over_ground)}{gaps}', '',
                          *text_table([['energy', 'J', 'of the total'], *rows], 'lr', rule=True)])

    def figures(self) -> dict[str, Any]:
        """Return the fields by name."""
        return dict(self._asdict())

    def tabulated(self) -> ResultTable:
        """Return one row a cause."""
        values = [getattr(self, name) for name in CAUSES]
        return ResultTable('cause', {'cause': (np.array(CAUSES), '1'), 'energy': (np.array(values), 'J')}, {
            'duration_s': self.duration, 'distance_over_ground_m': self.distance_over_ground,
            'distance_through_water_m': self.distance_through_water})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: the energy by cause."""
        def by_cause(axes: 'Axes') -> None:
            from usv_energy.show.causes import CAUSES as DRAWN
            drawn = [cause for cause in DRAWN if abs(getattr(self, cause.key)) > NEGLIGIBLE * abs(self.total)]
            axes.bar([cause.name for cause in drawn], [getattr(self, cause.key) for cause in drawn],
                     color=[cause.colour for cause in drawn])
            axes.set(ylabel='Energy, J')
            axes.tick_params(axis='x', rotation=30)
        return {'energy': by_cause}


def uniform_flow(speed: float, direction_deg: float) -> UniformFlow:
    """
    Return a current or wind that is the same everywhere and always, as a named tuple (x, y), m/s, earth frame (ENU).

    :param speed: Speed, m/s, from 0 on.
    :param direction_deg: Where it flows *to*, degrees counter-clockwise from east.
    :raises InputError: For a negative speed, or one that is no finite number.

    >>> usv_energy.uniform_flow(0.5, 90.0).y
    0.5
    """
    return UniformFlow(*polar_to_earth(number_of(speed, 'speed', 0.0), number_of(direction_deg, 'direction_deg')))


def power(boat: Boat | str | Path, *, u: ArrayLike, v: ArrayLike = 0.0, r: ArrayLike = 0.0, u_dot: ArrayLike = 0.0,
          v_dot: ArrayLike = 0.0, r_dot: ArrayLike = 0.0, yaw: ArrayLike = 0.0, current: Vector | str = (0.0, 0.0),
          wind: Vector | str = (0.0, 0.0), convention: str = 'rep103') -> PowerResult:
    """
    Return the electrical power that a motion takes, by cause, W.

    Every number may be a float, an array, a pandas Series or an xarray DataArray; all are broadcast to one shape, as
    numpy does it, and the result is of that kind. NaN is allowed where a value is not known, and gives NaN. `waves` is
    0 here, where no sea is given; `side_force` takes out what no thruster can give, `unrecovered` is what braking does
    not give back, `losses` are those of the thrusters, `static_load` is the hotel load, and `loads` what the boat
    file's loads take at that speed, of a duty cycle the mean. `residual` and `allocation` are 0: they are there where a
    log, or the graph, tells what the thrusters do.

    :param boat: The boat, or the name or path of its file.
    :param u: Surge velocity over ground, forward, m/s.
    :param v: Sway velocity over ground, to port, m/s.
    :param r: Yaw rate, counter-clockwise, rad/s.
    :param u_dot: Rate of change of u, m/s^2.
    :param v_dot: Rate of change of v, m/s^2.
    :param r_dot: Rate of change of r, rad/s^2.
    :param yaw: Heading, rad, counter-clockwise from east.
    :param current: Velocity of the water, (east, north), m/s, the same along the boat's way; or as `0.4 kn set 060`.
    :param wind: Velocity of the air, (east, north), m/s; or as `12 kn from NE`.
    :param convention: `rep103`, which is right, or `as_published`, the thesis's formulas.
    :raises InputError: If the shapes do not broadcast, coordinates or indices differ, a value is no number, or there is
        no such boat or convention.

    >>> round(usv_energy.power('lutra_prop', u=1.0, current='0.5 kn set W').total, 2)
    25.8
    """
    values = (yaw, u, v, r, u_dot, v_dot, r_dot, *vector_of(current, 'current'), *vector_of(wind, 'wind'))
    plain, labelled = unlabelled(dict(zip(MOTION_UNITS, values)), MOTION_UNITS)
    *moved, x, y, wind_x, wind_y = plain.values()
    for name, numbers in plain.items():
        if np.any(np.abs(numbers) > LOGGED):
            raise InputError(f'{name} holds a number beyond {LOGGED:g}; no boat moves so')
    known, formula = boat_of(boat), CONVENTIONS[choice_of(convention, 'convention', tuple(CONVENTIONS))]
    require_motion(known, 'the power of a motion')
    with np.errstate(invalid='ignore'):
        motion, vessel = Motion(*moved), known.vessel
        instant = formula.power(motion, Flow(x, y, wind_x, wind_y), vessel)
        watts = long_run_powers(vessel.loads, np.hypot(motion.u, motion.v)) if vessel.loads else ()
        found: Power = with_loads(instant, sum(watts))
    return PowerResult(*(labelled(value, name, VELOCITY_UNITS.get(name, 'W'))
                         for name, value in found._asdict().items()))


def energy(time: ArrayLike, power: Power, *, speed_over_ground: ArrayLike | None = None,
           max_gap: float | None = None) -> EnergyResult:
    """
    Return the energy of power samples, by cause, J: trapezoids between good samples.

    :param time: Stamps, s, or moments (datetime64, a DatetimeIndex), rising, shape (N,).
    :param power: From `power`, of arrays of shape (N,).
    :param speed_over_ground: m/s, shape (N,); that through the water where None.
    :param max_gap: Longest time between two samples that is integrated over, s; longer ones are counted as gaps. Three
        periods of the stamps, at least 1 s, where None.
    :raises InputError: If the shapes are not (N,), the time falls, a unit is another one, or `power` is none.

    >>> power = usv_energy.power('lutra_prop', u=[1.0, 1.0, 1.0])
    >>> round(usv_energy.energy([0.0, 0.5, 1.0], power).total, 3)
    16.328
    """
    if not isinstance(power, Power):
        raise InputError(f'power is of the type {type(power).__name__}; must be what usv_energy.power gave')
    stamps = seconds_of(time, 'time')
    check_unit(speed_over_ground, 'speed_over_ground', 'm/s')
    found = Power(*(np.asarray(values, dtype=float) for values in power))
    speed = np.hypot(found.u_r, found.v_r) if speed_over_ground is None else array_of(
        speed_over_ground, 'speed_over_ground')
    if stamps.ndim != 1 or not stamps.shape == np.shape(found.total) == speed.shape:
        raise InputError(f'time has the shape {stamps.shape}, the power {np.shape(found.total)}, the speed '
                         f'{speed.shape}; all must be (N,)')
    if not (np.diff(stamps) >= 0.0).all():
        raise InputError('time falls from one stamp to the next, or is NaN; must be sorted')
    gap = optional_number(max_gap, 'max_gap', above=0.0)
    longest = longest_interval(period_of(stamps)) if gap is None else gap
    steps = steps_between(stamps, np.isfinite(found.total), longest)
    mean = Power(*(steps.means(np.broadcast_to(values, stamps.shape)) for values in found))
    fresh = np.zeros(stamps.shape, dtype=bool)
    return EnergyResult(*integrate(steps, mean, speed, np.broadcast_to(speed_through_water(found), stamps.shape),
                                   fresh).energy)
