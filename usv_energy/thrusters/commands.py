"""
What a thruster's motor and screw make of a command in moving water: the three questions that each kind answers.

A command is written as the thrust, N, that it gives at standstill (astern below 0). It stands for what the motor is
told: a pulse, a duty, a throttle. Under way the same command gives another thrust, since the water that flows in
unloads the screw and lets the motor turn faster. Every part of the product that has a command, wants a thrust, or asks
for its power comes here; how the answers follow is the matter of the kind:

    kind            propeller      in the boat file's `propeller`
    plain.py        None           none: a command is its thrust at any speed
    bollard_map.py  BollardMap     `map` or `model`: measured at standstill, corrected for the inflow
    screw.py        Screw          `diameter`: open-water curves of a screw on a motor that holds its rate
    thrust_table.py ThrustTable    `table`: electrical power over thrust and speed

Beside an answer stands no test of the kind: a new one is one file, which registers its three functions and its reader.
"""

from usv_energy.physics.elementwise import by_type


@by_type('propeller')
def thrust_of_command(command, inflow, propeller):
    """
    Return the thrust along the axis, N, that a command gives in moving water; it does not fall with the command.

    :param command: As the thrust at standstill, N; float or array.
    :param inflow: Speed of the water (or air) into the thruster along its axis, m/s, above 0 going ahead; same shape.
    :param propeller: Of the thruster; None of a plain one.
    """


@by_type('propeller')
def thrust_at_rate(bollard, inflow, propeller):
    """
    Return the thrust along the axis, N, of a thruster that turns as fast as for a thrust at standstill.

    :param bollard: That thrust, N, astern below 0: it says the rate; float or array.
    :param inflow: As `thrust_of_command`.
    :param propeller: As `thrust_of_command`.
    """


@by_type('propeller')
def command_of_thrust(thrust, inflow, propeller):
    """
    Return the command, as a thrust at standstill, N, that gives a thrust in moving water: `thrust_of_command` inverted.

    Limits are left out. Where several commands give a thrust (a screw that the water turns), it is the largest of them.

    :param thrust: Along the axis, N, astern below 0; float or array.
    :param inflow: As `thrust_of_command`.
    :param propeller: As `thrust_of_command`.
    """


@by_type('propeller')
def power_of_thrust(thrust, inflow, propeller):
    """
    Return the electrical power that a thruster draws for a thrust in moving water, W, never below 0.

    :param thrust: Along the axis, N, astern below 0; float or array.
    :param inflow: As `thrust_of_command`.
    :param propeller: Of the thruster; of a plain one the boat's `losses` say the power (`drive.py`).
    """
