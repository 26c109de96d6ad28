"""The thrusters of a boat of which little is known: a sheet of the library, a bollard pull, or watts and a diameter."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.studies.make.boat_facts import GUESSED, MEASURED, WATER_DENSITY, BoatFacts, ValueHow
from usv_energy.thrusters.commands import power_of_thrust, thrust_of_command
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
    return MadeDrive(entry, described, BY_SHEET, diameter, {'thrust and power of a thruster': ValueHow(
        described.limits[1], MEASURED, words)})


def _of_bollard(facts: BoatFacts, where: str) -> MadeDrive:
    """Return a thruster by the boat's own bollard pull; rows between standstill and the largest pull."""
    pulls = np.array(sorted(facts.thrusters['bollard']), dtype=float) / facts.number
    most, power = pulls[-1]
    if len(pulls) < ROWS // 2:
        shares = np.linspace(0.0, 1.0, ROWS)[1:]
        extra = np.column_stack((most * shares, power * shares ** 1.5))
        pulls = np.array(sorted({**dict(extra.tolist()), **dict(pulls.tolist())}.items()))
    diameter = _diameter(facts, power)
    entry = _map_entry(pulls, diameter, f'measured: bollard pull; between its {len(facts.thrusters["bollard"])} rows '
                       f'and astern ({ASTERN:g} of the thrust for the same power) guessed')
    return MadeDrive(entry, propeller_from(entry['propeller'], where), BY_SHEET, diameter.value, {
        'bollard pull of a thruster': ValueHow(most, MEASURED, 'as given'), 'diameter': diameter})


def _of_power(facts: BoatFacts, where: str) -> MadeDrive:
    """Return a thruster by its power alone: an actuator disc with a guessed figure of merit."""
    top = facts.top_speed or 0.0
    known = [(power - (facts.hotel or 0.0)) * max(top / speed, 1.0) ** CUBE for speed, power in facts.speeds]
    if 'max_power' in facts.thrusters:
        power = ValueHow(float(facts.thrusters['max_power']), MEASURED, 'as given')
    elif known:
        power = ValueHow(BEYOND * max(known) / facts.number, GUESSED, f'{BEYOND:g} times the largest that is given' + (
            ', at the top speed by the cube of the speed' if top > max(speed for speed, _ in facts.speeds) else ''))
    else:
        power = ValueHow(2.0 * facts.displacement / facts.number, GUESSED, '2 W for each kg')
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
        'power of a thruster': power, 'diameter': diameter,
        'figure of merit': ValueHow(MERIT, GUESSED, 'motor and propeller together, 0.2 to 0.5 in sheets'),
        'standby': ValueHow(idle, GUESSED, f'{STANDBY:g} of the power that is known')}, idle)


def _diameter(facts: BoatFacts, power: float) -> ValueHow:
    if 'diameter' in facts.thrusters:
        return ValueHow(float(facts.thrusters['diameter']), MEASURED, 'as given')
    return ValueHow(DIAMETER * (power / AT_POWER) ** (1.0 / 3.0), GUESSED,
                    f'{DIAMETER:g} m at {AT_POWER:g} W, by the cube root of the power')


def _map_entry(pulls: np.ndarray, diameter: ValueHow, source: str) -> dict[str, Any]:
    """Return `propeller` of one thruster from rows of thrust, N, and power, W, rising, at standstill."""
    ahead = [[_rounded(thrust), _rounded(power)] for thrust, power in pulls.tolist()]
    astern = [[-_rounded(ASTERN * thrust), power] for thrust, power in reversed(ahead)]
    inflow = {'diameter': _rounded(diameter.value), 'pitch_ratio': PITCH, 'area_ratio': AREA, 'blades': BLADES,
              'source': f'diameter {diameter.how}: {diameter.words}; pitch, area and blades guessed'}
    return {'propeller': {'map': [*astern, [0.0, 0.0], *ahead], 'inflow': inflow, 'source': source}}


def _rounded(value: float) -> float:
    return float(f'{value:.5g}')


def total_power(drive: MadeDrive, number: int) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return the function that gives the power of all thrusters, W, for a force ahead, N, at speeds, m/s."""
    return lambda force, speed: number * drive.power(force / number, speed)
