"""A plain thruster: its thrust equals the command at any speed, as in the thesis; `Losses` gives its power."""

from usv_energy.physics.elementwise import kernel, register_body
from usv_energy.thrusters.commands import command_of_thrust, thrust_at_rate, thrust_of_command


@kernel
def _thrust(command, inflow, propeller):
    return command


@kernel
def _thrust_at_rate(bollard, inflow, propeller):
    return bollard


@kernel
def _command(thrust, inflow, propeller):
    return thrust


register_body(thrust_of_command, type(None), _thrust)
register_body(thrust_at_rate, type(None), _thrust_at_rate)
register_body(command_of_thrust, type(None), _command)
