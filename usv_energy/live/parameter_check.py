"""The parameters of an autopilot beside the boat file: what they say of the same boat, and where they differ."""

from collections.abc import Mapping

from usv_energy.boats.boat_file import Boat
from usv_energy.logs.autopilots.dataflash import LEFT, RIGHT, THROTTLE
from usv_energy.logs.autopilots.vehicle import BOAT_CLASS
from usv_energy.studies.plan.steady_motion import top_speed

STEERING = 26        # SERVOn_FUNCTION: GroundSteering
CAPACITY_SHARE = 0.1  # Largest difference of two capacities, as a share of the boat file's.
SPEED_SHARE = 1.02    # of the top speed, up to which an ordered speed can be held.


def parameter_differences(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    """
    Return where ArduPilot's parameters say something else than a boat file, sentences.

    :param parameters: By their names; those that are missing are not compared.
    :param boat: The Boat.
    """
    return [*_of_frame(parameters), *_of_outputs(parameters, boat), *_of_speeds(parameters, boat),
            *_of_battery(parameters, boat)]


def _of_frame(parameters: Mapping[str, float]) -> list[str]:
    frame = parameters.get('FRAME_CLASS')
    if frame is None or int(frame) == BOAT_CLASS:
        return []
    return [f'FRAME_CLASS is {frame:g}; boats have {BOAT_CLASS}']


def _of_outputs(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    functions = {int(value) for name, value in parameters.items()
                 if name.startswith('SERVO') and name.endswith('_FUNCTION')}
    vessel, found = boat.vessel, []
    turns = any(one.azimuth is not None for one in vessel.thrusters) or any(
        one.steer is not None for one in vessel.foils)
    number = len(vessel.thrusters)
    if {LEFT, RIGHT} <= functions and number < 2:
        found.append(f'SERVOn_FUNCTION has a throttle on the left and one on the right ({LEFT}, {RIGHT}); the boat '
                     f'file has {number} thruster')
    if THROTTLE in functions and not {LEFT, RIGHT} & functions and number > 1 and not turns:
        found.append(f'SERVOn_FUNCTION has one throttle ({THROTTLE}); the boat file has {number} thrusters that do not '
                     'turn and no rudder, so nothing would steer it')
    if STEERING in functions and not turns:
        found.append(f'SERVOn_FUNCTION has a steering servo ({STEERING}); in the boat file nothing turns')
    return found


def _of_speeds(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    if not boat.vessel.thrusters:
        return []
    top = float(top_speed(boat.vessel))
    return [f'{name} is {parameters[name]:g} m/s; the top speed of the boat file is {top:.2f} m/s'
            for name in ('CRUISE_SPEED', 'WP_SPEED') if parameters.get(name, 0.0) > SPEED_SHARE * top]


def _of_battery(parameters: Mapping[str, float], boat: Boat) -> list[str]:
    battery, pack, found = boat.battery, boat.pack, []
    if battery is None:
        return ['BATT_CAPACITY: the boat file has no battery'] if parameters.get('BATT_CAPACITY', 0.0) > 0.0 else []
    own = 1000.0 * battery.capacity_wh / battery.nominal_voltage
    given = parameters.get('BATT_CAPACITY', 0.0)
    if given > 0.0 and abs(given - own) > CAPACITY_SHARE * own:
        found.append(f'BATT_CAPACITY is {given:.0f} mAh; the boat file has {battery.capacity_wh:g} Wh at '
                     f'{battery.nominal_voltage:g} V, {own:.0f} mAh')
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
