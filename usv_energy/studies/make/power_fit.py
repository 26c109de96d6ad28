"""
What facts tell of a boat's drag and power: a fit of four factors, with their doubt.

The drag is friction * F(u) + waves * W(u) + air, F and W being what theory gives for the hull, in the form of a boat
file, the power drive * P(drag, u) + hotel. Each factor is 1 by theory, with a doubt (a prior); watts at speeds, or the
largest thrust at the top speed, are measurements. The logarithms of the factors are found by least squares, and their
covariance is that of the linearized problem (Laplace).

The thrusters of a boat of which little is known: a sheet of the library, a bollard pull, or watts and a diameter.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_values import NORMAL_95
from usv_energy.files.errors import InputError
from usv_energy.physics.hull_resistance import (
    HullForm,
    form_factor,
    friction_resistance,
    transom_resistance,
    wave_resistance,
)
from usv_energy.studies.make.boat_facts import DERIVED, GUESSED, MEASURED, WATER_DENSITY, BoatFacts, ValueHow
from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_of_command
from usv_energy.thrusters.kind import DescribedPropeller
from usv_energy.thrusters.propeller_file import propeller_from
from usv_energy.thrusters.thruster_sheet import read_thruster

# Doubt in the electrical power at a thrust, standard deviations of its logarithm: by a maker's sheet or the boat's own
# bollard pull under way, and by a figure of merit that is guessed.
BY_SHEET, BY_GUESS = 0.08, 0.25
MERIT = 0.40        # (-), ideal power of an actuator disc over electrical power, at standstill: 0.2 (M200) to 0.5.
PITCH, AREA, BLADES = 0.6, 0.4, 3.0     # Of a screw of which nothing is known: P/D, A_E/A_0, number of blades.
DIAMETER, AT_POWER = 0.25, 1000.0       # m, of a propeller with this electrical power, W; it goes with the cube root.
ASTERN = 0.7        # (-), thrust astern over that ahead, at standstill.
# (-), what the electronics and the idling of a motor take, over its largest power; in a maker's sheet it is contained.
STANDBY = 0.02
# (-), what a motor takes to turn at full speed without thrust, over its largest power: friction and iron losses, which
# go with the rate of turning, that is with the root of the thrust. Behind resistors a motor takes current, and power
# from the battery, in proportion to its torque; what it takes without thrust is the same at all steps.
IDLING, IDLING_BEHIND_RESISTORS = 0.1, 0.2
ROWS = 9            # Of a map made of the ideal power.
BEYOND = 1.2        # (-), power of a thruster over the largest that is known.
BETWEEN = 4         # Rows of what a map is longer than its guess.
REACH = 1.002       # (-), thrust at the end of a map over the one that the fastest speed that is given asks for.
CUBE = 3.0          # Exponent of the power over the speed, beyond the largest that is known.


class MadeDrive(NamedTuple):
    """
    One thruster of a boat, as an entry of its file, and the doubt in its power.

    `entry`: `propeller` and limits of thrust; `described`: the same, read; `doubt`: standard deviation of the logarithm
    of its power; `diameter`: of its propeller, m; `origins`: of its numbers; `standby`: what it takes as soon as it is
    on, W.
    """

    entry: dict[str, Any]
    described: DescribedPropeller
    doubt: float
    diameter: float
    origins: dict[str, ValueHow]
    standby: float = 0.0

    def power(self, thrust: np.ndarray, speed: np.ndarray) -> np.ndarray:
        """Return the electrical power of one thruster, W, at thrusts, N, and inflow speeds, m/s."""
        return np.asarray(power_of_thrust(thrust, speed, self.described.propeller))

    def most_thrust(self, speed: float) -> float:
        """Return the largest thrust of one thruster at an inflow speed, m/s, in N."""
        return float(thrust_of_command(self.described.limits[1], speed, self.described.propeller))

    def ending_at(self, most: float) -> 'MadeDrive':
        """Return this drive with a map up to a thrust at standstill, N, on which its power stays as it is."""
        kept = [row[0] for row in self.entry['propeller']['map'] if 0.0 < row[0] < most] or [0.5 * most]
        knots = np.array([*kept[:-1], *np.geomspace(kept[-1], most, BETWEEN)])
        propeller = {**self.entry['propeller'],
                     'map': _both_ways(np.column_stack((knots, self.power(knots, np.zeros(knots.size)))))}
        return self._replace(entry={'propeller': propeller}, described=propeller_from(propeller, 'thrusters'))

    def of_facts(self, factor: float, thrust: float, speed: float) -> 'MadeDrive':
        """
        Return this drive ending where the fastest speed needs it; if its map is a guess, at its largest power at least.

        :param factor: Of the fit, on its power, (-).
        :param thrust: Of one thruster, N, at that speed.
        :param speed: That speed, m/s; 0 if none is given.
        """
        if self.knows_thrust:
            low, high = self.described.limits
            needed = REACH * float(command_of_thrust(thrust, speed, self.described.propeller))
            cut = ValueHow(needed, DERIVED, f'full throttle is what {speed:g} m/s need; tied, its sheet or bollard '
                           f'pull has {high:.4g} N', 'N')
            astern = cut._replace(value=low * needed / high, words='in proportion to that ahead')
            return self if needed >= high else self._replace(
                described=replace(self.described, limits=(astern.value, needed)),
                origins={**self.origins, 'max_thrust': cut, 'min_thrust': astern})
        end, power = self.entry['propeller']['map'][-1]
        rows = np.array([row for row in self.entry['propeller']['map'] if row[0] >= 0.0]).T
        wanted = self.origins['largest power'].value / factor
        most = float(np.interp(wanted, rows[1], rows[0])) if wanted < power else end * (wanted / power) ** (2.0 / 3.0)
        needed = REACH * float(command_of_thrust(thrust, speed, self.described.propeller))
        if needed <= most:
            return self.ending_at(most)
        found = self.ending_at(needed)
        drawn = ValueHow(factor * found.entry['propeller']['map'][-1][1], GUESSED,
                         f'at standstill, turning as fast as {speed:g} m/s may need', 'W')
        return found._replace(origins={**self.origins, 'largest power': drawn})

    @property
    def knows_thrust(self) -> bool:
        """Whether its largest thrust is known, by a sheet or a bollard pull."""
        return self.doubt == BY_SHEET


def made_drive(facts: BoatFacts) -> MadeDrive:
    """
    Return a thruster of a boat, all being equal.

    :raises InputError: If the library has no such thruster, or the bollard pull is not valid.
    """
    where = f'{facts.path}: thrusters'
    if 'model' in facts.thrusters:
        return _of_sheet(facts, where)
    return _of_bollard(facts, where) if 'bollard' in facts.thrusters else _of_power(facts, where)


def _of_sheet(facts: BoatFacts, where: str) -> MadeDrive:
    model, voltage = facts.thrusters['model'], float(facts.thrusters['voltage'])
    described = propeller_from({'model': model, 'voltage': voltage}, where)
    words = f"its maker's sheet, config/thrusters/{model}.yaml"
    entry = {'propeller': {'model': model, 'voltage': {'value': voltage, 'unit': 'V', 'source': 'measured: as given'}}}
    inflow = read_thruster(model).inflow or {}
    diameter = float(inflow['diameter']) if 'diameter' in inflow else _diameter(
        facts, float(power_of_thrust(described.limits[1], 0.0, described.propeller))).value
    return MadeDrive(entry, described, BY_SHEET, diameter, {'largest thrust': ValueHow(
        described.limits[1], MEASURED, words, 'N')})


def _of_bollard(facts: BoatFacts, where: str) -> MadeDrive:
    """Return a thruster by the boat's own bollard pull; rows between standstill and the largest pull."""
    pulls = np.array(sorted(facts.thrusters['bollard']), dtype=float) / facts.number
    most, power = pulls[-1]
    if len(pulls) < ROWS // 2:
        shares = np.linspace(0.0, 1.0, ROWS)[1:]
        extra = np.column_stack((most * shares, power * shares ** 1.5))
        pulls = np.array(sorted({**dict(extra.tolist()), **dict(pulls.tolist())}.items()))
    diameter = _diameter(facts, power)
    ideal = most ** 1.5 / (math.sqrt(0.5 * math.pi * WATER_DENSITY) * diameter.value)
    if ideal >= power:
        raise InputError(f'{where}.bollard has {most:g} N for {power:g} W of a thruster, for which the best propeller '
                         f'takes {ideal:.4g} W at {diameter.value:.3g} m ({diameter.how}); check it, or diameter')
    entry = _map_entry(pulls, diameter, f'measured: bollard pull; between its {len(facts.thrusters["bollard"])} rows '
                       f'and astern ({ASTERN:g} of the thrust for the same power) guessed')
    return MadeDrive(entry, propeller_from(entry['propeller'], where), BY_SHEET, diameter.value, {
        'bollard pull': ValueHow(most, MEASURED, 'as given', 'N'), 'diameter': diameter})


def _of_power(facts: BoatFacts, where: str) -> MadeDrive:
    """Return a thruster by its power alone: an actuator disc with a guessed figure of merit."""
    top = facts.top_speed or 0.0
    known = [(power - (facts.hotel or 0.0)) * max(top / speed, 1.0) ** CUBE for speed, power in facts.speeds]
    if 'max_power' in facts.thrusters:
        power = ValueHow(float(facts.thrusters['max_power']), MEASURED, 'as given', 'W')
    elif known:
        by_cube = ', at the top speed by the cube of the speed' if top > max(speed for speed, _ in facts.speeds) else ''
        power = ValueHow(BEYOND * max(known) / facts.number, GUESSED,
                         f'{BEYOND:g} times the largest that is given{by_cube}', 'W')
    else:
        power = ValueHow(2.0 * facts.displacement / facts.number, GUESSED, '2 W for each kg', 'W')
    # What idles is of the power that is known: guessed for the top speed it would become most of the hotel load.
    idle = STANDBY * min([power.value, *(BEYOND * watts / facts.number for _, watts in facts.speeds)])
    diameter = _diameter(facts, power.value)
    disc = math.sqrt(2.0 * WATER_DENSITY * 0.25 * math.pi) * diameter.value
    most = (power.value * MERIT * disc) ** (2.0 / 3.0)
    share = np.linspace(0.0, 1.0, ROWS)[1:]
    if facts.thrusters.get('control') == 'resistors':
        drawn, idle = share + IDLING_BEHIND_RESISTORS * (1.0 - share), 0.0
        words = f'in proportion to the thrust behind its resistors, {IDLING_BEHIND_RESISTORS:g} of it idling'
    else:
        drawn = (1.0 - IDLING) * share ** 1.5 + IDLING * np.sqrt(share)
        words = f'{IDLING:g} of it idling'
    entry = _map_entry(np.column_stack((most * share, power.value * drawn)), diameter,
                       f'guessed: actuator disc with {MERIT:g} of the ideal efficiency at full power; {words}')
    return MadeDrive(entry, propeller_from(entry['propeller'], where), BY_GUESS, diameter.value, {
        'largest power': power, 'diameter': diameter,
        'figure of merit': ValueHow(MERIT, GUESSED, 'motor and propeller together, 0.2 to 0.5 in sheets', '-'),
        'standby': ValueHow(idle, GUESSED, f'{STANDBY:g} of the power that is known', 'W')}, idle)


def _diameter(facts: BoatFacts, power: float) -> ValueHow:
    if 'diameter' in facts.thrusters:
        return ValueHow(float(facts.thrusters['diameter']), MEASURED, 'as given')
    return ValueHow(DIAMETER * (power / AT_POWER) ** (1.0 / 3.0), GUESSED,
                    f'{DIAMETER:g} m at {AT_POWER:g} W, by the cube root of the power')


def _map_entry(pulls: np.ndarray, diameter: ValueHow, source: str) -> dict[str, Any]:
    """Return `propeller` of one thruster from rows of thrust, N, and power, W, rising, at standstill."""
    inflow = {'diameter': _rounded(diameter.value), 'pitch_ratio': PITCH, 'area_ratio': AREA, 'blades': BLADES,
              'source': f'diameter {diameter.how}: {diameter.words}; pitch, area and blades guessed'}
    return {'propeller': {'map': _both_ways(pulls), 'inflow': inflow, 'source': source}}


def _both_ways(pulls: np.ndarray) -> list[list[float]]:
    """Return the rows of a map from those ahead."""
    ahead = [[_rounded(thrust), _rounded(power)] for thrust, power in pulls.tolist()]
    astern = [[-_rounded(ASTERN * thrust), power] for thrust, power in reversed(ahead)]
    return [*astern, [0.0, 0.0], *ahead]


def _rounded(value: float) -> float:
    return float(f'{value:.5g}')


def total_power(drive: MadeDrive, number: int) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return the function that gives the power of all thrusters, W, for a force ahead, N, at speeds, m/s."""
    return lambda force, speed: number * drive.power(force / number, speed)


FRICTION, WAVES, DRIVE, HOTEL = range(4)
HEIGHT, TALLEST = 0.2, 1.5      # (-) of the length, and m: height above water.
FILLED = 0.6            # (-), area seen over length or width times height.
C_X, AIR = 0.8, 1.225   # (-), and kg/m^3.
APPENDAGE = 0.01        # m, drag area of one thruster with its leg, pod and guard over the diameter of its propeller.
# Standard deviations of the logarithms, by theory alone; of the waves of hulls that are thin, and that are not.
DOUBT_FRICTION, DOUBT_WAVES_THIN, DOUBT_WAVES = 0.25, 0.35, 0.5
DOUBT_HOTEL = 0.5       # The same of a hotel load that is guessed.
HOTEL_GUESS = 10.0      # W
LEAST_HOTEL, LEAST_DOUBT = 1e-3, 0.01   # W, and (-): so small that they count as none, for the logarithm.
DOUBT_READING = 0.10    # Of a power that is given at a speed.
# Of a power at any other speed, by the course of theory and of a drive over speed: with a drive's own sheet or bollard
# pull, without, and without but with two readings whose speeds are so far APART, the faster over the slower. Chosen on
# five of the public tables of docs/hulls.md.
DOUBT_SHAPE, DOUBT_SHAPE_GUESSED, DOUBT_SHAPE_OF_TWO, APART = 0.10, 0.20, 0.12, 1.4
# Of the largest thrust at a top speed that is given, and of the power for it, both by a sheet or a bollard pull. The
# volts of a pack, 12.8 to 16.8 of four cells, change the power by a third each way.
DOUBT_THRUST, DOUBT_FULL = 0.10, 0.30
TOO_FAR = 3.0           # (-), of a factor on friction or waves: facts that ask for it do not go together.
FAR_START = 20.0        # (-), of the waves, where the sum of squares may have a second valley.
SLOWEST, POINTS = 0.15, 24      # Share of the fastest speed at which the table begins; its rows.
STEP = 1e-4             # Of the logarithms, for derivatives.
ROUNDS, CLOSE = 50, 1e-8    # Of Gauss and Newton, at most, and the last step as a part of the doubts.


class Theory(NamedTuple):
    """
    The drag by theory, as a boat file has it.

    `linear`, N s/m, and `quadratic`, N s^2/m^2: of the friction; `speed`, m/s, rising, and `waves`, N: shape (n,);
    `air`: of the air at rest, N s^2/m^2.
    """

    speed: np.ndarray
    linear: float
    quadratic: float
    waves: np.ndarray
    air: float

    def drag(self, speed: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """Return the drag, N, at speeds, m/s, by the factors."""
        speed = np.asarray(speed)
        waves = np.interp(speed, self.speed, self.waves / self.speed ** 2)
        return np.asarray(speed * (factors[FRICTION] * (self.linear + self.quadratic * speed) + speed * (
            factors[WAVES] * waves + self.air)))


class PowerFit(NamedTuple):
    """
    The factors on theory, their covariance, and the functions that use them.

    `factors`: friction, waves and drive (-), and the hotel load, W, shape (4,); `known`: covariance of their
    logarithms, shape (4, 4); `shape`: standard deviation of the logarithm of the power by the course of theory over
    speed; `missed`: the same by readings that no factors meet, hotel load included; `theory`: of the hull;
    `thrusters`: power of all of them, W, for a force, N, at a speed, m/s.
    """

    factors: np.ndarray
    known: np.ndarray
    shape: float
    missed: float
    theory: Theory
    thrusters: Callable[[np.ndarray, np.ndarray], np.ndarray]

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of the logarithms of the factors, that of the drive with the doubt of the course, and the miss."""
        found = self.known.copy()
        found[DRIVE, DRIVE] += self.shape ** 2
        found[DRIVE:, DRIVE:] += self.missed ** 2
        return found

    def power(self, speed: np.ndarray, factors: np.ndarray | None = None) -> np.ndarray:
        """Return the electrical power with the hotel load, W, at speeds, m/s."""
        return _power(np.asarray(speed, dtype=float), self.factors if factors is None else factors, self.theory,
                      self.thrusters)

    def doubt(self, speed: np.ndarray) -> np.ndarray:
        """Return the standard deviation of the logarithm of the power at speeds, m/s."""
        slopes = _jacobian(lambda factors: np.log(self.power(speed, factors)), self.factors)
        return np.asarray(np.sqrt(np.einsum('ij,jk,ik->i', slopes, self.covariance, slopes)))

    def doubt_of_drag(self, speed: float) -> float:
        """Return the standard deviation of the logarithm of the drag at a speed, m/s."""
        slope = _jacobian(lambda factors: np.log(self.theory.drag(np.array([speed]), factors)), self.factors)[0]
        return float(np.sqrt(slope @ self.covariance @ slope))


class Measurement(NamedTuple):
    """
    A measurement that could be made.

    `name`: in words; `rows`, `doubt`: as a part of the fit; `shape`: as of the PowerFit, once it is made.
    """

    name: str
    rows: Callable[[np.ndarray], np.ndarray]
    doubt: float
    shape: float


def theory_of(facts: BoatFacts, form: HullForm, thrusters: float, fastest: float) -> Theory:
    """
    Return friction (with what thrusters and a transom add), waves and air drag of a hull by theory up to a speed.

    Beyond a hump the wave resistance keeps its height until it rises again: a boat file's must not fall.

    :param facts: The BoatFacts.
    :param form: The HullForm.
    :param thrusters: The drag area of all thrusters in the water, m^2.
    :param fastest: m/s.
    """
    speed = fastest * np.linspace(SLOWEST, 1.0, POINTS)
    friction = form_factor(form) * friction_resistance(speed, form, WATER_DENSITY)
    friction += 0.5 * WATER_DENSITY * thrusters * speed ** 2 + transom_resistance(speed, form, WATER_DENSITY)
    air = 0.5 * AIR * C_X * area_above(facts, 'width')
    waves = np.maximum.accumulate(wave_resistance(speed, form, WATER_DENSITY))
    return Theory(speed, *_linear_and_quadratic(speed, friction), waves, air)


def height_above(facts: BoatFacts) -> ValueHow:
    """Return the height above water, m."""
    if 'height' in facts.hull:
        return ValueHow(float(facts.hull['height']), MEASURED, 'as given')
    return ValueHow(min(HEIGHT * facts.hull['length'], TALLEST), GUESSED,
                    f'{HEIGHT:g} of the length, at most {TALLEST:g} m')


def area_above(facts: BoatFacts, side: str) -> float:
    """Return the area above water, m^2, seen over a side of the hull, `width` or `length`."""
    return FILLED * float(facts.hull[side]) * height_above(facts).value


def _linear_and_quadratic(speed: np.ndarray, force: np.ndarray) -> tuple[float, float]:
    """Return a and b, not below 0, of a u + b u^2 with the least relative error to a force, N, over speed, m/s."""
    shares = np.column_stack((speed / force, speed ** 2 / force))
    both = np.linalg.lstsq(shares, np.ones(speed.size), rcond=None)[0]
    if both.min() >= 0.0:
        return float(both[0]), float(both[1])
    alone = shares.sum(axis=0) / (shares ** 2).sum(axis=0)     # One of them is 0 then: which leaves less?
    linear = np.square(shares[:, 0] * alone[0] - 1.0).sum() < np.square(shares[:, 1] * alone[1] - 1.0).sum()
    return (float(alone[0]), 0.0) if linear else (0.0, float(alone[1]))


def thruster_area(facts: BoatFacts, drive: MadeDrive) -> float:
    """Return the drag area of all thrusters of a boat, m^2."""
    return facts.number * APPENDAGE * drive.diameter


def fastest_given(facts: BoatFacts) -> float:
    """Return the fastest of all speeds that are given, m/s; 0 if none is."""
    return max([facts.top_speed or 0.0, *(speed for speed, _ in facts.speeds)])


def fastest_speed(facts: BoatFacts, form: HullForm, drive: MadeDrive) -> float:
    """Return the speed to which the drag is needed, m/s: the fastest that is given, or that its thrusters can hold."""
    given = fastest_given(facts)
    return 1.1 * (given or speed_by_theory(facts, form, drive))


def speed_by_theory(facts: BoatFacts, form: HullForm, drive: MadeDrive) -> float:
    """Return the speed that thrusters hold by theory, m/s."""
    low, high = 0.05, 20.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        theory = theory_of(facts, form, thruster_area(facts, drive), middle)
        holds = facts.number * drive.most_thrust(middle) > theory.drag(np.array(middle), np.ones(4))
        low, high = (middle, high) if holds else (low, middle)
    return low


def power_fit(facts: BoatFacts, form: HullForm, drive: MadeDrive,
              thrusters: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> PowerFit:
    """Return the factors that facts leave on theory, and their doubt; `thrusters`: `total_power` of the drive."""
    theory = theory_of(facts, form, thruster_area(facts, drive), fastest_speed(facts, form, drive))
    hotel, hotel_doubt = always_on(facts, drive)
    centre = np.log([1.0, 1.0, 1.0, hotel])
    doubts = np.array([DOUBT_FRICTION, DOUBT_WAVES_THIN if form.thin else DOUBT_WAVES, drive.doubt, hotel_doubt])
    speeds = np.array([speed for speed, _ in facts.speeds])
    watts = np.log([power for _, power in facts.speeds])

    def rows(factors: np.ndarray) -> np.ndarray:
        found = [(np.log(factors) - centre) / doubts]
        if speeds.size:
            found.append((np.log(_power(speeds, factors, theory, thrusters)) - watts) / DOUBT_READING)
        if facts.top_speed and drive.knows_thrust:
            most = facts.number * drive.most_thrust(facts.top_speed)
            at = np.array([facts.top_speed])
            drag = theory.drag(at, factors)
            found.append((np.log(drag) - math.log(max(most, 1e-9))) / DOUBT_THRUST)
            drawn, at_most = float(thrusters(np.array([most]), at)[0]), _power(at, factors, theory, thrusters)
            found.append((np.log(at_most - factors[HOTEL]) - math.log(max(drawn, 1e-9))) / DOUBT_FULL)
        elif facts.top_speed and 'max_power' in facts.thrusters and not speeds.size:
            drawn = facts.number * float(facts.thrusters['max_power'])
            power = _power(np.array([facts.top_speed]), factors, theory, thrusters) - factors[HOTEL]
            found.append((np.log(power) - math.log(drawn)) / (2.0 * DOUBT_READING))
        return np.concatenate(found)

    far = np.eye(len(centre))[WAVES] * math.log(FAR_START)
    factors, covariance, _ = min((_least_squares(rows, np.exp(start), doubts) for start in (centre, centre + far)),
                                 key=lambda found: found[2])
    shape, missed = doubt_of_shape(drive.knows_thrust, speeds.tolist()), 0.0
    if (far := float(np.abs(np.log(factors[[FRICTION, WAVES]])).max())) > math.log(TOO_FAR):
        shape = math.hypot(shape, far / NORMAL_95)      # Facts that do not go together: theory is within the interval.
    if speeds.size:     # Readings that no factors meet say what the course is worth.
        off = np.log(_power(speeds, factors, theory, thrusters)) - watts
        missed = math.sqrt(max(float(np.mean(off ** 2)) - shape ** 2, 0.0))
    return PowerFit(factors, covariance, shape, missed, theory, thrusters)


def _least_squares(rows: Callable[[np.ndarray], np.ndarray], factors: np.ndarray,
                   doubts: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the factors with the least sum of squares of rows in the valley of a start, their covariance, the sum."""
    for _ in range(ROUNDS):
        misfit, slopes = rows(factors), _jacobian(rows, factors)
        covariance = np.linalg.inv(slopes.T @ slopes)
        step, cost = -covariance @ slopes.T @ misfit, float(misfit @ misfit)
        while np.abs(step / doubts).max() > CLOSE and np.square(rows(factors * np.exp(step))).sum() > cost:
            step *= 0.5
        factors = factors * np.exp(step)
        if np.abs(step / doubts).max() <= CLOSE:
            break
    return factors, covariance, cost


def doubt_of_shape(knows_thrust: bool, speeds: Sequence[float]) -> float:
    """Return the `shape` of a PowerFit, (-), by whether the thrust is known, and the speeds of all readings, m/s."""
    if knows_thrust:
        return DOUBT_SHAPE
    return DOUBT_SHAPE_OF_TWO if speeds and max(speeds) >= APART * min(speeds) else DOUBT_SHAPE_GUESSED


def always_on(facts: BoatFacts, drive: MadeDrive) -> tuple[float, float]:
    """Return the hotel load with the standby of thrusters, W, and the standard deviation of its logarithm."""
    hotel, doubt = (HOTEL_GUESS, DOUBT_HOTEL) if facts.hotel is None else (facts.hotel, 0.0)
    standby = facts.number * drive.standby
    both = max(hotel + standby, LEAST_HOTEL)
    return both, max(math.hypot(doubt * hotel, DOUBT_HOTEL * standby) / both, LEAST_DOUBT)


def _power(speed: np.ndarray, factors: np.ndarray, theory: Theory,
           thrusters: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    return np.asarray(factors[DRIVE] * thrusters(theory.drag(speed, factors), speed) + factors[HOTEL])


def _jacobian(function: Callable[[np.ndarray], np.ndarray], factors: np.ndarray) -> np.ndarray:
    """Return the derivatives of a function by the logarithms of the factors, shape (values, 4)."""
    columns = []
    for change in STEP * np.eye(len(factors)):
        columns.append((function(factors * np.exp(change)) - function(factors * np.exp(-change))) / (2.0 * STEP))
    return np.column_stack(columns)


def narrowed(fit: PowerFit, speeds: np.ndarray, possible: Sequence[Measurement]) -> list[tuple[str, float]]:
    """
    Return what each of some measurements would leave of the doubt, the most useful first.

    :param speeds: At which the power is wanted, m/s.
    :param possible: Measurements that were not made.
    :return: The name, and the mean standard deviation of the logarithm of the power that would be left.
    """
    information, found = np.linalg.inv(fit.known), []
    for one in possible:
        slopes = _jacobian(one.rows, fit.factors) / one.doubt
        left = fit._replace(known=np.linalg.inv(information + slopes.T @ slopes), shape=one.shape)
        found.append((one.name, float(np.mean(left.doubt(speeds)))))
    return sorted(found, key=lambda pair: pair[1])
