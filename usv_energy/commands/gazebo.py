"""`usv-energy gazebo`: Gazebo models and worlds from a boat file and a scenario."""

import argparse
import math
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

from ..files.errors import InputError
from ..files.locate import share_folder
from .arguments import add_payload

NAME = re.compile(r'[A-Za-z][A-Za-z0-9_]*')
STDOUT = '-'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='gazebo_verb', metavar='COMMAND', title='commands', required=True)

    def verb(name: str, purpose: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, help=purpose, allow_abbrev=False,
                                description=f'{purpose[0].upper()}{purpose[1:]}.')

    model = verb('model', 'write the SDF model of a boat')
    model.add_argument('--boat', default='lutra_prop', help='name of a shipped boat or its YAML file (%(default)s)')
    add_payload(model)
    model.add_argument('--name', default='diffboat', help='of the model and its topics (%(default)s)')
    model.add_argument('--out', default=STDOUT, metavar='DIR',
                       help='write DIR/model.sdf and DIR/model.config; - (the default) prints the SDF')
    world = verb('world', 'write the SDF world of a scenario, with boats in it')
    world.add_argument('--scenario', default='1', help='name of a shipped scenario or its YAML file (%(default)s)')
    world.add_argument('--boat', help='name or YAML file of another boat (default: the scenario\'s)')
    add_payload(world)
    world.add_argument('--boats', type=int, default=1, metavar='N',
                       help='how many, side by side, named diffboat, diffboat_2 ... (%(default)s); 0 to spawn your own')
    world.add_argument('--world', default='open_water', choices=('open_water', 'river'),
                       help='what is around them, and the world\'s name (%(default)s)')
    world.add_argument('--step', type=float, metavar='S',
                       help='of the physics (default: at most 0.004 s, the odometry\'s period a whole number of it)')
    world.add_argument('--pace', type=float, default=1.0, metavar='FACTOR',
                       help='seconds of the world in a second (%(default)s); 0 for as many as it can')
    world.add_argument('--out', default=STDOUT, metavar='FILE', help='where to; - (the default) prints it')


def execute(args: argparse.Namespace) -> int:
    """Run one of the verbs."""
    verbs: dict[str, Callable[[argparse.Namespace], None]] = {'model': _model, 'world': _world}
    verbs[args.gazebo_verb](args)
    return 0


def _model(args: argparse.Namespace) -> None:
    from ..boats.boat_file import read_boat
    from ..files.whole_file import check_writable
    from ..gazebo.model import config_text, lagging, model_text
    if not NAME.fullmatch(args.name):
        raise InputError(f'--name is {args.name!r}; must be letters, digits and _, a letter first: topics are named '
                         'after it')
    boat = read_boat(args.boat, payload=args.payload)
    payload = '' if args.payload is None else f', payload {args.payload:g}'
    _warn_of_lag(lagging(boat))
    heading = _heading(f'model: boat {args.boat}{payload}, name {args.name}', f'boat {boat.name}, {_shown(boat.path)}')
    text = model_text(boat, args.name, heading)
    if args.out == STDOUT:
        print(text, end='')
        return
    folder = Path(args.out)
    check_writable(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / 'model.sdf', text)
    _write(folder / 'model.config', config_text(boat, heading))


def _world(args: argparse.Namespace) -> None:
    from ..files.json_file import check_target
    from ..flow.flow_file import FlowFile, read_flow
    from ..flow.uniform import UniformFlow
    from ..gazebo.model import lagging
    from ..gazebo.world import boat_placements, world_text
    from ..sim.scenario import read_scenario
    if not (math.isfinite(args.pace) and args.pace >= 0.0):
        raise InputError(f'--pace is {args.pace}; must be a finite number, at least 0')
    check_target(args.out)
    scenario = read_scenario(args.scenario).with_options(boat=args.boat, payload=args.payload)
    _warn_of_lag(lagging(scenario.plant))
    river: FlowFile | None = None
    if args.world == 'river':
        river = scenario.current if not isinstance(scenario.current, UniformFlow) else read_flow('river')
    given = {'scenario': args.scenario, 'boat': args.boat, 'payload': args.payload, 'boats': args.boats,
             'world': args.world, 'step': args.step, 'pace': args.pace}
    made_with = 'world: ' + ', '.join(f'{key} {value}' for key, value in given.items() if value is not None)
    made_of = [f'scenario {scenario.name}, {_shown(scenario.path)}',
               f'boat {scenario.plant.name}, {_shown(scenario.plant.path)}']
    if river is not None:
        made_of.append(f'river {river.name}, {_shown(river.path)}')
    text = world_text(scenario, args.world, boat_placements(scenario, args.boats), args.pace,
                      _heading(made_with, *made_of), river=river, step=args.step)
    if args.out == STDOUT:
        print(text, end='')
    else:
        _write(Path(args.out), text)


def _heading(command: str, *sources: str) -> str:
    """Return the comment at the top of a file: what made it (XML forbids two hyphens), and of what."""
    return '\n'.join([f'Made by: usv-energy gazebo {command}', *(f'Made of: {source}' for source in sources),
                      'Change those, not this.'])


def _shown(path: Path) -> str:
    """Return a path as everyone may read it: of a shipped file from the package's folder on."""
    resolved = path.resolve()
    shared = share_folder().resolve()
    return resolved.relative_to(shared).as_posix() if resolved.is_relative_to(shared) else os.fspath(path)


def _warn_of_lag(names: list[str]) -> None:
    if names:
        print(f'usv-energy: the lag of {", ".join(names)} is left out: Gazebo\'s Thruster answers at once',
              file=sys.stderr)


def _write(path: Path, text: str) -> None:
    from ..files.whole_file import write_text
    write_text(text, path)
    print(path)
