"""`usv-energy gazebo`: Gazebo models and worlds from a boat file and a scenario."""

import argparse
from pathlib import Path

from usv_energy.cli.arguments import add_payload, add_verb, file_or_stdout
from usv_energy.cli.quantities import any_length, duration, number
from usv_energy.files.limits import safe_text
from usv_energy.files.text_file import STDOUT, check_target, check_writable, write_text
from usv_energy.show.terminal import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='gazebo_verb', metavar='COMMAND', title='commands', required=True)

    model = add_verb(verbs, 'model', 'write the SDF model of a boat')
    model.add_argument('--boat', default='lutra_prop', help='name of a shipped boat or its YAML file (%(default)s)')
    add_payload(model)
    model.add_argument('--name', default='diffboat', help='of the model and its topics (%(default)s)')
    model.add_argument('--pad', type=any_length, nargs=3, metavar='M',
                       help="with a deck on which a quadcopter's middle is so far ahead, to port, up of the boat's "
                            'point')
    model.add_argument('--out', type=file_or_stdout, default=STDOUT, metavar='DIR',
                       help='write DIR/model.sdf and DIR/model.config; - (the default) prints the SDF')
    copter = add_verb(verbs, 'quadcopter', 'write the SDF model of a quadcopter')
    copter.add_argument('--quadcopter', default='ar_drone',
                        help='name of a shipped quadcopter or its YAML file (%(default)s)')
    copter.add_argument('--name', default='quadcopter', help='of the model and its topics (%(default)s)')
    copter.add_argument('--out', type=file_or_stdout, default=STDOUT, metavar='DIR',
                        help='write DIR/model.sdf and DIR/model.config; - (the default) prints the SDF')
    world = add_verb(verbs, 'world', 'write the SDF world of a scenario, with boats in it')
    world.add_argument('--scenario', default='1', help='name of a shipped scenario or its YAML file (%(default)s)')
    world.add_argument('--boat', help='name or YAML file of another boat (default: the scenario\'s)')
    add_payload(world)
    world.add_argument('--boats', type=int, default=1, metavar='N',
                       help='how many, side by side, named diffboat, diffboat_2 ... (%(default)s); 0 to spawn your own')
    world.add_argument('--world', default='open_water', choices=('open_water', 'river'),
                       help='what is around them, and the world\'s name (%(default)s)')
    world.add_argument('--step', type=duration, metavar='S',
                       help='of the physics (default: at most 0.004 s, the odometry\'s period a whole number of it)')
    world.add_argument('--pace', type=number, default=1.0, metavar='FACTOR',
                       help='seconds of the world in a second (%(default)s); 0 for as many as it can')
    world.add_argument('--out', type=file_or_stdout, default=STDOUT, metavar='FILE',
                       help='where to; - (the default) prints it')


def execute(args: argparse.Namespace) -> int:
    """Make a model or a world, and print or write it."""
    from usv_energy.gazebo.generated import generated_model, generated_quadcopter, generated_world
    if args.gazebo_verb in ('model', 'quadcopter'):
        generated = generated_quadcopter(args.quadcopter, args.name) if args.gazebo_verb == 'quadcopter' else \
            generated_model(args.boat, args.name, args.payload, None if args.pad is None else tuple(args.pad))
        files = {'model.sdf': generated.sdf, 'model.config': generated.config}
        if args.out != STDOUT:
            check_writable(Path(args.out))
    else:
        check_target(args.out)
        generated = generated_world(args.scenario, args.boat, args.boats, args.world, args.step, args.pace,
                                    args.payload)
        files = {'': generated.sdf}
    for line in generated.left_out:
        say(f'usv-energy: {line}')
    if args.out == STDOUT:
        print(generated.sdf, end='')
        return 0
    for name, text in files.items():
        path = Path(args.out) / name
        write_text(text, path)
        print(safe_text(str(path)))
    return 0
