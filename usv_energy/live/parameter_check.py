"""
The parameters of an autopilot beside the boat file: what they say of the same boat, and where they differ.

Sources: ArduPilot, https://ardupilot.org/rover/docs/parameters.html; PX4,
https://docs.px4.io/main/en/advanced_config/parameter_reference.html.
"""

import math
from collections.abc import Mapping

from usv_energy.boats.boat_file import Boat
from usv_energy.logs.autopilots.dataflash import LEFT, RIGHT, THROTTLE
from usv_energy.logs.autopilots.vehicle import BOAT_CLASS
from usv_energy.studies.plan.steady_motion import top_speed

STEERING = 26        # SERVOn_FUNCTION: GroundSteering
MOTORS, SERVOS = range(101, 113), range(201, 209)  # PX4's PWM_MAIN_FUNCn and PWM_AUX_FUNCn
OUTPUTS = 'PWM_MAIN_FUNC', 'PWM_AUX_FUNC'
ORDERED_SPEEDS = 'CRUISE_SPEED', 'WP_SPEED', 'GND_SPEED_TRIM', 'RD_MISS_SPD_DEF', 'RA_MISS_SPD_DEF'
CAPACITY_SHARE = 0.1  # Largest difference of two capacities, as a share of the boat file's.
SPEED_SHARE = 1.02    # of the top speed, up to which an ordered speed can be held.
LIMITED_SHARE = 0.95  # of the largest thrust: less is said to be limited by the parameters.
SAME_PLACE, SAME_ANGLE = 0.05, 1.0  # m, deg: smaller differences are none.


def parameter_differences(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    """
    Return where the parameters of ArduPilot or PX4 say something else than a boat file, sentences.

    :param parameters: By their names; those that are missing are not compared.
    :param boat: The Boat.
    """
    return [*_of_frame(parameters), *_of_outputs(parameters, boat), *_of_thrust_limits(parameters, boat),
            *_of_motors(parameters, boat), *_of_speeds(parameters, boat), *_of_battery(parameters, boat),
            *_of_cells(parameters, boat)]


def _of_frame(parameters: Mapping[str, float]) -> list[str]:
    frame = parameters.get('FRAME_CLASS')
    if frame is None or int(frame) == BOAT_CLASS:
        return []
    return [f'FRAME_CLASS is {frame:g}; boats have {BOAT_CLASS}']


def _of_outputs(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    functions = {int(value) for name, value in parameters.items()
                 if name.startswith('SERVO') and name.endswith('_FUNCTION')}
    found, turns, number = [], _turns(boat), len(boat.vessel.thrusters)
    if {LEFT, RIGHT} <= functions and number < 2:
        found.append(f'SERVOn_FUNCTION has a throttle on the left and one on the right ({LEFT}, {RIGHT}); the boat '
                     f'file has {number} thruster')
    if THROTTLE in functions and not {LEFT, RIGHT} & functions and number > 1 and not turns:
        found.append(f'SERVOn_FUNCTION has one throttle ({THROTTLE}); the boat file has {number} thrusters that do not '
                     'turn and no rudder, so nothing would steer it')
    if STEERING in functions and not turns:
        found.append(f'SERVOn_FUNCTION has a steering servo ({STEERING}); in the boat file nothing turns')
    return found


def _turns(boat: Boat) -> bool:
    """Return whether a thruster or a foil of a boat turns."""
    return any(one.azimuth is not None for one in boat.vessel.thrusters) or any(
        one.steer is not None for one in boat.vessel.foils)


def _of_thrust_limits(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    """Compare ArduPilot's limits of throttle and angle."""
    found = []
    most = parameters.get('MOT_THR_MAX', 100.0)
    for name, curve, thruster in zip(boat.thruster_names, boat.pulse_curves, boat.vessel.thrusters):
        end = _pulse_ahead(parameters, {'left': LEFT, 'right': RIGHT}.get(name, THROTTLE), most)
        if curve is None or not math.isfinite(end) or thruster.max_thrust <= 0.0:
            continue
        thrust = float(curve.thrust(end))
        if thrust < LIMITED_SHARE * thruster.max_thrust:
            found.append(f'MOT_THR_MAX, SERVOn_TRIM and SERVOn_MAX let {name} have {end:.0f} us at most, '
                         f'{thrust:.1f} N; the boat file has {thruster.max_thrust:.1f} N')
    if not found and most < 100.0 * LIMITED_SHARE and not any(boat.pulse_curves):
        found.append(f'MOT_THR_MAX is {most:g} %; the largest thrust of the boat file is that of 100 %')
    angle = parameters.get('MOT_VEC_ANGLEMAX', 0.0)
    limits = [math.degrees(min(abs(one.azimuth.least), abs(one.azimuth.largest)))
              for one in boat.vessel.thrusters if one.azimuth is not None]
    if angle > 0.0 and not limits:
        found.append(f'MOT_VEC_ANGLEMAX is {angle:g} deg; in the boat file no thruster turns')
    elif angle > min(limits, default=math.inf) + SAME_ANGLE:
        found.append(f'MOT_VEC_ANGLEMAX is {angle:g} deg; in the boat file a thruster turns by {min(limits):g} deg')
    return found


def _pulse_ahead(parameters: Mapping[str, float], function: int, most: float) -> float:
    """Return the pulse of an output at the largest throttle ahead, %, us; NaN where its parameters are not known."""
    for name, value in parameters.items():
        if name.endswith('_FUNCTION') and name.startswith('SERVO') and value == function:
            channel = name[:-len('FUNCTION')]
            if parameters.get(f'{channel}REVERSED', 0.0):
                return math.nan  # A speed controller that is wired the other way round: its curve is mirrored, too.
            trim, end = parameters.get(f'{channel}TRIM', math.nan), parameters.get(f'{channel}MAX', math.nan)
            return trim + 0.01 * most * (end - trim)
    return math.nan


def _of_motors(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    """Compare PX4's outputs and rotors."""
    functions = [int(value) for name, value in parameters.items() if name.startswith(OUTPUTS)]
    motors = len({one for one in functions if one in MOTORS})
    thrusters, found = boat.vessel.thrusters, []
    if motors and motors != len(thrusters):
        found.append(f'PWM_MAIN_FUNCn and PWM_AUX_FUNCn have {motors} motors; the boat file has {len(thrusters)} '
                     'thrusters')
    if any(one in SERVOS for one in functions) and not _turns(boat):
        found.append('PWM_MAIN_FUNCn and PWM_AUX_FUNCn have a servo; in the boat file nothing turns')
    rotors = int(parameters.get('CA_ROTOR_COUNT', 0.0))
    if rotors and rotors != len(thrusters):
        found.append(f'CA_ROTOR_COUNT is {rotors}; the boat file has {len(thrusters)} thrusters')
    elif rotors:
        places = [(parameters.get(f'CA_ROTOR{number}_PX', math.nan), -parameters.get(f'CA_ROTOR{number}_PY', math.nan))
                  for number in range(rotors)]  # forward and right; ours are forward and to port
        if all(map(math.isfinite, sum(places, ()))) and any(map(any, places)):
            left = [(one.x, one.y) for one in thrusters]
            for number, place in enumerate(places):
                nearest = min(left, key=lambda other: math.dist(place, other))
                left.remove(nearest)
                if math.dist(place, nearest) > SAME_PLACE:
                    found.append(f'CA_ROTOR{number}_PX and _PY are {place[0]:g} m forward and {_side(place[1])}; the '
                                 f'boat file has a thruster {nearest[0]:g} m forward and {_side(nearest[1])}')
    return found


def _side(y: float) -> str:
    return f'{abs(y):g} m to {"port" if y > 0.0 else "starboard"}'


def _of_speeds(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    if not boat.vessel.thrusters:
        return []
    top = float(top_speed(boat.vessel))
    return [f'{name} is {parameters[name]:g} m/s; the top speed of the boat file is {top:.2f} m/s'
            for name in ORDERED_SPEEDS if parameters.get(name, 0.0) > SPEED_SHARE * top]


def _of_battery(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    battery, pack, found = boat.battery, boat.pack, []
    if parameters.get('BATT_MONITOR', 1.0) == 0.0:
        return []  # It does not look at its battery: what it says of it are defaults.
    capacities = [(name, value) for name in ('BATT_CAPACITY', 'BAT1_CAPACITY')
                  if (value := parameters.get(name, 0.0)) > 0.0]
    if battery is None:
        return [f'{name}: the boat file has no battery' for name, _ in capacities]
    own = 1000.0 * battery.capacity_wh / battery.nominal_voltage
    found += [f'{name} is {given:.0f} mAh; the boat file has {battery.capacity_wh:g} Wh at '
              f'{battery.nominal_voltage:g} V, {own:.0f} mAh'
              for name, given in capacities if abs(given - own) > CAPACITY_SHARE * own]
    cutoff = 0.0 if pack is None else float(pack.series * pack.cell.cutoff_voltage)
    for name in ('BATT_LOW_VOLT', 'BATT_CRT_VOLT'):
        volts = parameters.get(name, 0.0)
        if volts >= battery.nominal_voltage:
            found.append(f'{name} is {volts:g} V, the nominal voltage of the boat file\'s battery or more '
                         f'({battery.nominal_voltage:g} V): it would say so with much of the charge left')
        elif 0.0 < volts < cutoff:
            found.append(f'{name} is {volts:g} V, below the cutoff of the boat file\'s cells ({cutoff:g} V): it would '
                         'never say so')
    if 0.0 < own < parameters.get('BATT_LOW_MAH', 0.0):
        found.append(f'BATT_LOW_MAH is {parameters["BATT_LOW_MAH"]:.0f} mAh, more than the boat file\'s battery holds')
    return found


def _of_cells(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    """Compare PX4's cells; 0 are counted by itself."""
    pack = boat.pack
    if pack is None:
        return []
    found: list[str] = []
    number, empty = int(parameters.get('BAT1_N_CELLS', 0.0)), parameters.get('BAT1_V_EMPTY', 0.0)
    if number > 0 and number != pack.series:
        found.append(f'BAT1_N_CELLS is {number}; the boat file has {pack.series:g} cells in series')
    if 0.0 < empty < pack.cell.cutoff_voltage:
        found.append(f'BAT1_V_EMPTY is {empty:g} V, below the cutoff of the boat file\'s cells '
                     f'({pack.cell.cutoff_voltage:g} V): it counts on charge that is not there')
    return found
