"""The parameters of a fit with bounds and priors, the model forms, and the Vessel for a set of values."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_values import number_of, vessel_with
from usv_energy.boats.checks import is_pair
from usv_energy.boats.numbers import BOAT_NUMBERS, fitted_in
from usv_energy.boats.vessel import Vessel
from usv_energy.files.checked import BoatNumber
from usv_energy.files.errors import InputError
from usv_energy.foils.foil import Foil
from usv_energy.studies.identify.rollout.rollout import LONGEST_STEP, MOST_SUBSTEPS, RATE_OF_STEP
from usv_energy.studies.identify.rollout.tracks import LogTrack, lag_prior
from usv_energy.thrusters.drive import inflow_coefficient, knows_inflow, with_inflow

INFLOW = 'propellers.inflow'
INFLOW_UNIT = 'N^0.5 s/m'
# Relative prior standard deviation of an area or an inflow coefficient; a smaller one if the thruster's data sheet
# nearly determines its propeller (docs/propellers.md).
KNOWN_TO = 0.5
OF_SHEET = 0.1
MOST = 5.0      # Upper bound of an area or an inflow coefficient, over its value.
PAIRED = 'thrust.asymmetry'
WAVES = 'damping.wave.scale'
WAVES_STD = 0.5     # (-), prior standard deviation of that scale; theory is known to that (docs/hulls.md).
Row = tuple[str, str, float, float, float, float]  # Key, unit, lower and upper bound, prior, its standard deviation.


def pushes_ahead_only(vessel: Vessel) -> bool:
    """
    Return whether all actuators push straight ahead with a thrust that does not depend on the motion.

    That holds for fixed thrusters in water that point straight ahead and have no inflow coefficient.
    """
    return not vessel.foils and all(
        thruster.axis is None and thruster.in_air is None and not knows_inflow(thruster)
        for thruster in vessel.thrusters)


def are_compared(vessel: Vessel) -> bool:
    """Return whether the motion distinguishes the thrust of the first thruster from the second: two side by side."""
    return is_pair(vessel) or pushes_ahead_only(vessel)


def actuator_rows(vessel: Vessel, by_sheet: bool = False) -> list[Row]:
    """
    Return the parameters of a boat's actuators: one area per kind of movable foil, one inflow coefficient.

    :param by_sheet: Whether the inflow coefficient follows from a library sheet, and not from an entry of the boat
        file.
    """
    rows: list[Row] = []
    for first in foil_groups(vessel):
        area = vessel.foils[first].area
        rows.append((f'foils.{first}.area', 'm^2', 0.0, MOST * area, area, KNOWN_TO * area))
    if inflow := inflow_of(vessel):
        rows.append((INFLOW, INFLOW_UNIT, 0.0, MOST * inflow, inflow, (OF_SHEET if by_sheet else KNOWN_TO) * inflow))
    return rows


def foil_groups(vessel: Vessel) -> dict[int, list[int]]:
    """Return the indices of the movable foils, with equal foils grouped under the index of their first."""
    groups: dict[int, list[int]] = {}
    for place, foil in enumerate(vessel.foils):
        if foil.steer is not None:
            first = next((other for other in groups if _alike(vessel.foils[other], foil)), place)
            groups.setdefault(first, []).append(place)
    return groups


def inflow_of(vessel: Vessel) -> float:
    """Return the inflow coefficient of the first propeller that has one, N^0.5 s/m; 0 if none has."""
    return next(filter(None, map(inflow_coefficient, vessel.thrusters)), 0.0)


def with_actuators(vessel: Vessel, given: Mapping[str, float]) -> Vessel:
    """
    Return a Vessel with the parameters of its actuators; equal foils share one area.

    :param given: Values by key; the inflow coefficient is that of the first propeller, the others change with it.
    """
    foils = list(vessel.foils)
    for first, places in foil_groups(vessel).items():
        for place in places if f'foils.{first}.area' in given else ():
            foils[place] = foils[place]._replace(area=given[f'foils.{first}.area'])
    thrusters = vessel.thrusters
    if INFLOW in given:
        factor = given[INFLOW] / inflow_of(vessel)
        thrusters = tuple(with_inflow(thruster, factor) for thruster in thrusters)
    return vessel._replace(foils=tuple(foils), thrusters=thrusters)


def _alike(one: Foil, other: Foil) -> bool:
    return all(getattr(one, key) == getattr(other, key) for key in ('area', 'density', 'lift', 'drag', 'drag0')) and (
        one.in_air is other.in_air or one.in_air == other.in_air) and one.curve is other.curve


class FitParameter(NamedTuple):
    """One number of the fit: key, unit, bounds, the prior's value and standard deviation, all in that unit."""

    key: str
    unit: str
    lower: float
    upper: float
    prior: float
    std: float


class LogScale(NamedTuple):
    """Largest values of the logs: thrust ahead and astern, N (of one thruster), speed, m/s, yaw rate, rad/s."""

    ahead: float
    astern: float
    speed: float
    yaw_rate: float


LINEAR, QUADRATIC = fitted_in('linear'), fitted_in('quadratic')
THRUST = ('thrust.scale', 'thrust.astern', 'thrust.asymmetry', 'thrusters.lag')
COUPLED = ('coupling.inertia', 'coupling.damping', 'coupling.skew')
SWAY_LIFT, *OTHER_LIFT = fitted_in('lift')
LIFT = (SWAY_LIFT, 'coupling.lift', *OTHER_LIFT)
CURVE = ('thrust.exponent',)
COMPASS = ('compass.constant', 'compass.cosine', 'compass.sine')

FORMS: dict[str, tuple[str, ...]] = {
    'linear': (*LINEAR, *THRUST),
    'quadratic': (*LINEAR, *QUADRATIC, *THRUST),
    'coupled': (*LINEAR, *QUADRATIC, *THRUST, *COUPLED),
    'lift': (*LINEAR, *QUADRATIC, *THRUST, *LIFT),
    'lift+curve': (*LINEAR, *QUADRATIC, *THRUST, *LIFT, *CURVE),
    'lift+curve+compass': (*LINEAR, *QUADRATIC, *THRUST, *LIFT, *CURVE, *COMPASS),
}
# The simpler form that each form extends; its fit starts from that one.
SIMPLER = {'quadratic': 'linear', 'coupled': 'quadratic', 'lift': 'quadratic', 'lift+curve': 'lift',
           'lift+curve+compass': 'lift+curve'}
ABOUT = {
    'linear': "the thesis's: diagonal inertia, linear damping",
    'quadratic': 'and quadratic damping',
    'coupled': 'and m23, d23, d32: sway and yaw in each other',
    'lift': 'quadratic, and damping of sway and yaw that grows with the surge velocity',
    'lift+curve': 'and thrust that is no straight line of what the log gives',
    'lift+curve+compass': 'and a deviation of the measured heading',
}
LEAST_MASS = 0.4            # Share of the base's value: motion does not make a hull lighter.
MASS_STD, THRUST_STD, NOMINAL_THRUST_STD = 0.5, 0.05, 0.5   # Shares of the prior's value.
ASTERN_STD, ASYMMETRY_STD = 0.15, 0.2                       # Of thrust astern to ahead, and between two thrusters, (-).
COMPASS_STD = 0.05                                          # rad: 3 degrees, a compass that nobody adjusted.


@dataclass(frozen=True, eq=False)
class FitModel:
    """A form's parameters with the base boat and the scale of the logs."""

    form: str
    parameters: tuple[FitParameter, ...]
    boat: Boat
    scale: LogScale

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Keys of the parameters, in order."""
        return tuple(parameter.key for parameter in self.parameters)

    def column(self, name: str) -> np.ndarray:
        """Return one field (lower, upper, prior, std) of all parameters."""
        return np.array([getattr(parameter, name) for parameter in self.parameters])


def scale_of(tracks: Sequence[LogTrack]) -> LogScale:
    """
    Return the largest thrusts, speed and yaw rate of some logs.

    :raises InputError: If no log has a thrust or a motion.
    """
    thrust = np.concatenate([track.thrust.ravel() for track in tracks])
    motion = np.concatenate([track.motion for track in tracks])
    speed = float(np.nanmax(np.hypot(motion[:, 1], motion[:, 2]), initial=0.0))
    rate = float(np.nanmax(np.abs(motion[:, 3]), initial=0.0))
    ahead, astern = (float(np.nanmax(sign * thrust, initial=0.0)) for sign in (1.0, -1.0))
    if max(ahead, astern) <= 0.0 or max(speed, rate) < 0.02:
        raise InputError(f'{", ".join(track.name for track in tracks)}: the boat lies at rest (largest thrust '
                         f'{max(ahead, astern):.2f} N, speed {speed:.3f} m/s, yaw rate {rate:.3f} rad/s): '
                         'nothing can be learnt from that')
    either = max(ahead, astern)
    return LogScale(ahead or either, astern or either, max(speed, 0.02), max(rate, 0.02))


def least_turn(vessel: Vessel, speed: float) -> float:
    """
    Return the yaw rate, rad/s, below which a boat of this size at this speed, m/s, goes nearly straight ahead.

    It is r L / u = 0.2, a circle with a radius of five lengths; L is taken as four radii of gyration.
    """
    return float(0.05 * speed * (vessel.inertia.m11 / vessel.inertia.m33) ** 0.5)


def model_of(form: str, boat: Boat, scale: LogScale, nominal: bool) -> FitModel:
    """
    Return the parameters of a form with priors from the base boat; `form` is a key of FORMS.

    :param scale: Of the logs.
    :param nominal: Whether the logs' thrusts are only shares of the base boat's largest.
    """
    vessel = boat.vessel
    keys = [key for key in FORMS[form] if key != PAIRED or are_compared(vessel)]
    waves = [] if vessel.damping.wave is None else [FitParameter(
        WAVES, '-', 0.0, MOST, vessel.damping.wave.scale, WAVES_STD)]
    parameters = (*(_parameter(key, vessel, scale, nominal) for key in keys), *waves,
                  *(FitParameter(*row) for row in actuator_rows(vessel, _inflow_by_sheet(boat))))
    return FitModel(form, parameters, boat, scale)


def _inflow_by_sheet(boat: Boat) -> bool:
    """Return whether the first propeller with an inflow coefficient has the library's value for its geometry."""
    known = (one for one, thruster in zip(boat.propellers, boat.vessel.thrusters) if inflow_coefficient(thruster))
    first = next(known, None)
    return first is not None and bool(first.model) and 'Wageningen' in first.correction


def _parameter(key: str, vessel: Vessel, scale: LogScale, nominal: bool) -> FitParameter:
    if key in BOAT_NUMBERS:
        return _boat_parameter(BOAT_NUMBERS[key], number_of(vessel, key), vessel, scale)
    force = len(vessel.thrusters) * scale.ahead
    inertia, damping = vessel.inertia, vessel.damping
    root = (inertia.m22 * inertia.m33) ** 0.5
    limit = 10.0 * force / (scale.speed * max(scale.yaw_rate, 0.1))
    return {parameter.key: parameter for parameter in (
        FitParameter('thrusters.lag', 's', 0.0, 3.0, *lag_prior(vessel)),
        FitParameter('thrust.scale', '-', 0.1, 5.0, 1.0, NOMINAL_THRUST_STD if nominal else THRUST_STD),
        FitParameter('thrust.astern', '-', 0.2, 3.0, 1.0, ASTERN_STD),
        FitParameter('thrust.asymmetry', '-', -0.8, 0.8, 0.0, ASYMMETRY_STD),
        FitParameter('thrust.exponent', '-', 0.5, 3.0, 1.0, 0.5),
        *(FitParameter(compass, 'rad', -0.5, 0.5, 0.0, COMPASS_STD) for compass in COMPASS),
        FitParameter('coupling.inertia', '-', -0.8, 0.8, inertia.m23 / root, 0.3),
        FitParameter('coupling.damping', '-', -0.99, 0.99, 0.0, 0.5),
        FitParameter('coupling.skew', 'N s', -limit * scale.speed, limit * scale.speed,
                     0.5 * (damping.d32 - damping.d23), 0.3 * limit * scale.speed),
        FitParameter('coupling.lift', 'N s^2/m', -limit, limit, 0.5 * (damping.d32_u - damping.d23_u),
                     max(inertia.m11, 1e-3)),
    )}[key]


def _boat_parameter(row: BoatNumber, value: float, vessel: Vessel, scale: LogScale) -> FitParameter:
    """
    Return a number of the boat as a parameter.

    The bounds of masses are shares of the base's. The scale of damping is that which balances the logs' largest thrust
    at their largest speed or yaw rate. Other numbers may be up to ten times the base's value, or ten of their unit.
    """
    group, _, name = row.path.partition('.')
    if group == 'inertia' and value > 0.0:
        return FitParameter(row.path, row.unit, LEAST_MASS * value, 10.0 * value, value, MASS_STD * value)
    upper, std = 10.0 * max(abs(value), 1.0), max(abs(value), 1.0)
    if group == 'damping':
        part, _, term = name.partition('.')
        force = len(vessel.thrusters) * scale.ahead
        if term == 'd33':  # The yaw rate of a gentle turn bounds the yaw damping for logs without turns.
            rate = max(scale.yaw_rate, least_turn(vessel, scale.speed))
            arm = _arm(vessel)
            natural = force * arm / rate / {'linear': 1.0, 'quadratic': rate}.get(part, scale.speed)
        else:
            sway = 1.0 if term == 'd11' else 3.0  # A hull has more drag in sway than in surge, so its sway is slower.
            natural = sway * force / scale.speed / (1.0 if part == 'linear' else scale.speed)
        upper, std = 50.0 * natural + 10.0 * abs(value), max(abs(value), 2.0 * natural)
    limits = row.limits
    lower = max(-upper, limits.get('minimum', -upper), limits.get('exclusiveMinimum', -upper))
    return FitParameter(row.path, row.unit, lower, min(upper, limits.get('maximum', upper)), value, std)


def _arm(vessel: Vessel) -> float:
    """Return the longest lever arm of all yaw moments, m (thrusts ahead, thrusts abeam, rudders); 1 if none."""
    arms = [abs(thruster.y) if thruster.axis is None else math.hypot(thruster.x, thruster.y)
            for thruster in vessel.thrusters]
    return max(*arms, *(abs(foil.x) for foil in vessel.foils if foil.steer is not None), 0.0) or 1.0


def vessel_of(values: np.ndarray, model: FitModel) -> Vessel:
    """Return the base boat's Vessel with the parameters' values; the thrusters keep their limits."""
    return _vessel_of(tuple(values.tolist()), model)


@lru_cache(maxsize=64)  # A fit calls this once per trial and log.
def _vessel_of(values: tuple[float, ...], model: FitModel) -> Vessel:
    given = dict(zip(model.keys, values))
    vessel = model.boat.vessel
    numbers = {key: given[key] for key in BOAT_NUMBERS if key in given}
    if model.form == 'linear':
        numbers |= dict.fromkeys(QUADRATIC, 0.0)
    vessel = vessel_with(vessel, numbers)
    inertia, damping = vessel.inertia, vessel.damping
    if 'coupling.lift' in given:
        damping = damping._replace(d23_u=-given['coupling.lift'], d32_u=given['coupling.lift'])
    if 'coupling.inertia' in given:
        inertia = inertia._replace(m23=given['coupling.inertia'] * (inertia.m22 * inertia.m33) ** 0.5)
        even = given['coupling.damping'] * (damping.d22 * damping.d33) ** 0.5
        damping = damping._replace(d23=even - given['coupling.skew'], d32=even + given['coupling.skew'])
    lag = given.get('thrusters.lag', 0.0)
    vessel = with_actuators(vessel, given)
    return vessel._replace(inertia=inertia, damping=damping,
                           thrusters=tuple(thruster._replace(lag=lag) for thruster in vessel.thrusters))


def thrusts_of(thrust: np.ndarray, values: np.ndarray, model: FitModel) -> np.ndarray:
    """
    Return the thrusts for those in a log, by the form's scale, asymmetry and curve.

    They are scale (1 +- asymmetry / 2) F sign(f) |f / F|^exponent, where F is the largest thrust of the logs in that
    direction. Thrusts astern are also multiplied by the astern scale. Of two thrusters the first has the plus sign.

    :param thrust: As in the log, N, (n, thrusters).
    :return: N, same shape.
    """
    given = dict(zip(model.keys, map(float, values)))
    full = np.where(thrust > 0.0, model.scale.ahead, model.scale.astern)
    exponent = given.get('thrust.exponent', 1.0)
    curved = thrust if exponent == 1.0 else np.sign(thrust) * full * np.abs(thrust / full) ** exponent
    curved = np.where(curved < 0.0, given['thrust.astern'], 1.0) * curved
    asymmetry = given.get(PAIRED, 0.0) if thrust.shape[1] == 2 else 0.0
    sides = np.array([0.5, -0.5]) if thrust.shape[1] == 2 else np.zeros(thrust.shape[1])
    return np.asarray(curved * given['thrust.scale'] * (1.0 + asymmetry * sides))


def compass_of(values: np.ndarray, model: FitModel) -> tuple[float, float, float]:
    """Return the three numbers of the deviation of the measured heading, rad; 0 for forms without it."""
    given = dict(zip(model.keys, map(float, values)))
    constant, cosine, sine = (given.get(key, 0.0) for key in COMPASS)
    return constant, cosine, sine


def thrust_numbers(values: np.ndarray, model: FitModel) -> tuple[float, ...]:
    """Return the values that `thrusts_of` depends on."""
    return tuple(float(value) for key, value in zip(model.keys, values) if key.startswith('thrust.'))


def substeps_of(track: LogTrack, vessel: Vessel) -> int:
    """
    Return the number of integration steps between two samples.

    A fit tries hulls that respond faster than any real one, and another log may have faster turns than those of the
    fit. So the step follows from the fastest damping rate at the log's largest velocities.
    """
    if not len(track.steps):
        return 1
    u, v, r = track.largest
    m, d = vessel.inertia, vessel.damping
    root = (m.m22 * m.m33) ** 0.5
    turned = max((d.d22 + 2.0 * d.d22_q * v + d.d22_u * u) / m.m22, (d.d33 + 2.0 * d.d33_q * r + d.d33_u * u) / m.m33)
    turned += (max(abs(d.d23), abs(d.d32)) + max(abs(d.d23_u), abs(d.d32_u)) * u) / root
    turned += sum(foil.density * foil.area * (foil.lift + foil.drag) * u * (1.0 / m.m22 + foil.x ** 2 / m.m33)
                  for foil in vessel.foils if foil.in_air is None)
    rates = (d.d11 + 2.0 * d.d11_q * u) / m.m11, turned / (1.0 - abs(m.m23) / root)
    step = min(LONGEST_STEP, RATE_OF_STEP / max(*rates, 1e-6))
    return min(max(1, int(np.ceil(track.period / step - 1e-6))), MOST_SUBSTEPS)
