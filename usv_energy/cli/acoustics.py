"""`usv-energy acoustics`: vehicles with acoustic modems, which of their messages arrive, and what sending costs."""

import argparse

from usv_energy.cli.arguments import add_json, picture_path
from usv_energy.cli.quantities import speed_from_zero
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.phrases import AIR, flow_phrase
from usv_energy.physics.acoustics import NOISES
from usv_energy.show.terminal import list_files, show_result
from usv_energy.sim.acoustics.acoustic_run import contacts_of, ranges_of, read_acoustic_plan, run_plan
from usv_energy.studies.runs.acoustic_output import acoustic_summary, acoustic_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('plan', nargs='?', default='thetis',
                        help='name in config/acoustics or path of a file: the sea, vehicles, messages (%(default)s)')
    parser.add_argument('--wind', type=_speed, metavar='WIND',
                        help="at 10 m, 6 (m/s), `12 kn`, `12 kn from NE`, not the file's; its speed alone counts")
    parser.add_argument('--noise', choices=NOISES, help="instead of the file's reading of the noise of the sea")
    parser.add_argument('--out', type=picture_path, metavar='PNG', help='write a picture: places, levels by time')
    add_json(parser)


def _speed(text: str) -> float:
    """Return the speed of a wind, m/s, whose direction may be said, too."""
    try:
        return float(speed_from_zero(text))
    except argparse.ArgumentTypeError:
        try:
            said = flow_phrase(text, 'it', AIR) if any(map(str.isalpha, text)) else None
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        if said is None:
            raise
        return said.speed


def execute(args: argparse.Namespace) -> int:
    """Run the plan, print the outcome of each message, and draw it if requested."""
    check_target(args.out)
    plan = read_acoustic_plan(args.plan)
    given = {key: value for key, value in (('wind', args.wind), ('noise', args.noise)) if value is not None}
    plan = plan._replace(sea=plan.sea._replace(**given))
    sent, contacts, ranges = run_plan(plan), list(contacts_of(plan)), ranges_of(plan)
    show_result(acoustic_text(plan, sent, contacts, ranges), acoustic_summary(plan, sent, contacts, ranges), args.json)
    if args.out is not None:
        from usv_energy.studies.runs.acoustic_output import plot_acoustics
        plot_acoustics(plan, sent, contacts, ranges, args.out)
        list_files(args.out)
    return 0
