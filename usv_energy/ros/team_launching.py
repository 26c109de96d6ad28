"""What team.launch.py does: the graph of each boat of a team, and a node for each quadcopter."""

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import Any

from launch_ros.actions import Node

from ..air.take_off_check import shortfall
from ..air.team_plan import CraftPlan, TeamPlan, read_team
from ..files.errors import InputError
from ..flow.uniform import UniformFlow
from ..show.team_folder import write_scenarios
from .launch_arguments import Arguments
from .launching import PACKAGE, Processes, graph_processes, watched


def team_actions(arguments: Arguments) -> list[Any]:
    """
    Return the actions that run a team.

    :param arguments: Of team.launch.py.
    :raises InputError: For a wrong argument or file, or a flight that its battery does not hold.
    """
    plan = read_team(arguments['team'])
    if plan.waves is not None:
        raise InputError(f'{plan.path}: has waves, which lift the decks of boats in the plane; on a graph such decks '
                         'stay level: give a current with waves and a hull of parts (current: {flow: sea})')
    out = arguments.out(Path(arguments['team']).stem, 'team')
    folder = Path(out).resolve() if out else Path(tempfile.mkdtemp(prefix='usv_energy_team_'))
    folder.mkdir(parents=True, exist_ok=True)
    if not out:
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    graphs = [graph_processes(arguments.options(
        'scenario', scenario=str(path), out=out, clock=not number, **_flows(plan)), arguments, f'/{boat.name}')
        for number, (boat, path) in enumerate(zip(plan.boats, write_scenarios(plan, folder)))]
    together = Processes(*([one for part in parts for one in part] for parts in zip(*graphs)))
    together.every.extend(_quadcopter(plan, craft, arguments) for craft in plan.crafts)
    return watched(together, whole_launch=True)


def _flows(plan: TeamPlan) -> dict[str, str]:
    """Return the flows of the form with one boat, which stand in no scenario's file."""
    scenario = plan.boats[0].scenario
    return {} if plan.boats[0].document is not None else {
        name: f'{flow.speed!r},{flow.direction_deg!r}' for name, flow in (
            ('current', scenario.current), ('wind', scenario.wind)) if isinstance(flow, UniformFlow)}


def _quadcopter(plan: TeamPlan, craft: CraftPlan, arguments: Arguments) -> Node:
    orders = craft.orders
    short = shortfall(craft.craft, craft.battery, orders.land - orders.take_off, orders.reserve)
    if short:
        raise InputError(f'{plan.path}: flight of {craft.name}: {short}')
    parameters: dict[str, Any] = {
        'quadcopter': str(craft.path), 'controller': craft.controller, 'battery': craft.battery, 'step': plan.step,
        **{f'pad_{axis}': value for axis, value in zip('xyz', craft.pad)}, **orders._asdict(),
        'hover': orders.land - orders.take_off, 'silence': 3600.0, 'use_sim_time': arguments.flag('use_sim_time'),
        'autostart': arguments.flag('autostart')}
    if craft.lost:
        raise InputError(f'{plan.path}: {craft.name} has lost: on a graph a deck is lost where its odometry is')
    return Node(package=PACKAGE, executable='quadcopter_simulator', name='quadcopter_simulator',
                namespace=f'/{craft.name}', output='screen', parameters=[parameters],
                remappings=[('boat_odom', f'/{craft.deck}/odom'), ('boat_wind', f'/{craft.deck}/wind')],
                ros_arguments=['--log-level', arguments['log_level']])
