"""
The relation of command, thrust and electrical power of a thruster under way, one set of functions for all kinds.

A command is expressed as the thrust, N, that it gives at standstill; it is negative astern. It stands for what the
motor controller receives: a pulse width, a duty cycle or a throttle. Under way the same command gives a different
thrust, because the inflow unloads the propeller and lets the motor turn faster. All code that converts between command,
thrust and power calls these functions. Each kind of propeller registers its own implementation:

    kind            propeller      in the boat file's `propeller`
    plain.py        None           none: a command is its thrust at any speed
    bollard_map.py  BollardMap     `map` or `model`: measured at standstill, corrected for the inflow
    screw.py        Screw          `diameter`: open-water curves of a screw on a motor that holds its rate
    thrust_table.py ThrustTable    `table`: electrical power over thrust and speed

No other code tests which kind a propeller is. A new kind is one file that registers its functions and its reader.
"""

from usv_energy.physics.elementwise import by_type


@by_type('propeller')
def thrust_of_command(command, inflow, propeller):
    """
    Return the thrust along the axis, N, that a command gives in moving water; it never decreases as the command grows.

    :param command: As the thrust at standstill, N; float or array.
    :param inflow: Speed of the water (or air) into the thruster along its axis, m/s, above 0 going ahead; same shape.
    :param propeller: `Thruster.propeller`; None for a plain thruster.
    :raises TypeError: If no kind is registered for the type of `propeller`.
    """


@by_type('propeller')
def thrust_at_rate(bollard, inflow, propeller):
    """
    Return the thrust along the axis, N, at the rate of turning at which the thrust at standstill is `bollard`.

    :param bollard: Thrust at standstill at that rate, N, negative astern; float or array.
    :param inflow: As `thrust_of_command`.
    :param propeller: As `thrust_of_command`.
    """


@by_type('propeller')
def command_of_thrust(thrust, inflow, propeller):
    """
    Return the command, N (thrust at standstill), that gives a thrust in moving water.

    It is the inverse of `thrust_of_command`. The thruster's limits are not applied. If several commands give the same
    thrust (a windmilling screw), it is the largest of them.

    :param thrust: Along the axis, N, negative astern; float or array.
    :param inflow: As `thrust_of_command`.
    :param propeller: As `thrust_of_command`.
    """


@by_type('propeller')
def power_of_thrust(thrust, inflow, propeller):
    """
    Return the electrical power that a thruster draws for a thrust in moving water, W, never below 0.

    :param thrust: Along the axis, N, negative astern; float or array.
    :param inflow: As `thrust_of_command`.
    :param propeller: As `thrust_of_command`, but not None: `drive.py` finds the power of a plain thruster by `Losses`.
    """
