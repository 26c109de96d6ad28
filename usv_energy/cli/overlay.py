"""`usv-energy overlay`: compare measured with simulated speeds: MAE, standard deviation, share within one sigma."""

import argparse
from typing import TYPE_CHECKING

from usv_energy.cli.arguments import add_json, add_log_arguments, add_outputs, add_payload, read_logs
from usv_energy.cli.maneuvers import add_pulses, pulses_of
from usv_energy.cli.quantities import any_time
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.show.terminal import list_files, show_result

if TYPE_CHECKING:
    from usv_energy.logs.log import Log

PICTURE = 'overlay.png'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('logs', nargs='+', metavar='LOG',
                        help='what was measured: bags, tables (CSV), logs of autopilots; several are repeats of one '
                             'run where --maneuver or --simulated says what is simulated')
    parser.add_argument('--boat', default='lutra_prop',
                        help='name or YAML file of the boat that is simulated (%(default)s)')
    add_payload(parser)
    parser.add_argument('--maneuver', metavar='NAME',
                        help="simulate this maneuver, not each log's own thrusts or pulses: a name in "
                             'config/maneuvers or a YAML file')
    add_pulses(parser)
    parser.add_argument('--simulated', metavar='RUN', help='take this run, or any log, as what was simulated')
    parser.add_argument('--from', dest='begin', type=any_time, default=-float('inf'), metavar='S',
                        help='of the logs: from this time on')
    parser.add_argument('--to', dest='end', type=any_time, default=float('inf'), metavar='S', help='and up to this one')
    parser.add_argument('--no-align', action='store_true',
                        help='with --maneuver or --simulated: leave the clocks as they are, where else logs are moved '
                             'to cross a quarter of the simulated top speed when the simulation does')
    add_log_arguments(parser)
    add_outputs(parser, '', PICTURE)
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Simulate, overlay the logs, and print the differences."""
    from usv_energy.studies.compare.comparison import overlay_of, overlay_summary, overlay_text, trace_of
    check_target(args.plot)
    if args.maneuver and args.simulated:
        raise InputError('--maneuver says what to simulate, and --simulated gives a run that was; leave one out')
    if args.pwm is not None and not args.maneuver:
        raise InputError('--pwm goes with --maneuver')
    logs = [log.between(args.begin, args.end) for log in read_logs(args.logs, args)]
    simulated = _simulated(args, logs)
    alone = len(simulated) == 1 and bool(args.maneuver or args.simulated)
    overlay = overlay_of([trace_of(log) for log in logs], [trace_of(log) for log in simulated],
                       alone and not args.no_align)
    show_result(overlay_text(overlay), overlay_summary(overlay), args.json)
    if args.plot is not None:
        from usv_energy.studies.compare.comparison import plot_overlay
        plot_overlay(overlay, args.plot)
        list_files(args.plot)
    return 0


def _simulated(args: argparse.Namespace, logs: 'list[Log]') -> 'list[Log]':
    """Return the simulated logs: of a given run, of a maneuver, or of each log's own thrusts."""
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.logs.maneuver_log import maneuver_log
    from usv_energy.logs.read_log import read_log
    from usv_energy.sim.maneuver import read_maneuver, run_maneuver
    from usv_energy.studies.analyze.what_if import replayed
    if args.simulated:
        return [read_log(args.simulated)]
    boat = read_boat(args.boat, payload=args.payload)
    if not args.maneuver:
        return [replayed(log, boat) for log in logs]
    maneuver = read_maneuver(args.maneuver)
    if args.pwm is not None:
        maneuver = maneuver.with_pulses(pulses_of(args.pwm))
    return [maneuver_log(maneuver, *run_maneuver(maneuver, boat, boat), boat)]
