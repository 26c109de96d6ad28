"""`usv-energy flow`: the content of a file of water current or wind, values at points, a map, and sample files."""

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from usv_energy.cli.arguments import add_json, add_verb, file_path, picture_path
from usv_energy.cli.quantities import any_length, any_time, number

if TYPE_CHECKING:
    from usv_energy.flow.flow_file import FlowFile

FILE_HELP = 'a file (HEC-RAS, OpenFOAM, netCDF, raster ...), a flow\'s YAML file, or the name of a shipped flow'
COLOURS, MEDIA = ('speed', 'power'), ('water', 'air')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='flow_verb', metavar='COMMAND', title='commands', required=True)

    info = add_verb(verbs, 'info', 'say what is in a flow: times, extent, units, speeds, what is missing')
    sample = add_verb(verbs, 'sample', 'print the velocity at points')
    plot = add_verb(verbs, 'plot', 'draw a map with arrows, dry land and, if wanted, the track of a run')
    make = add_verb(verbs, 'make', 'write sample files: a HEC-RAS-like river, netCDF, rasters, a plane of wind')
    for child in (info, sample, plot):
        _add_file(child)
    sample.add_argument('--points', type=file_path, required=True, metavar='CSV',
                        help='columns t, x, y: s from the file\'s first time and m in its own coordinates; of the '
                             'world, with --transform or a YAML file')
    _add_plot(plot)
    make.add_argument('folder', type=file_path, metavar='DIR', help='where to; files of the same names are replaced')
    for child in (info, sample, make):
        add_json(child)


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('file', metavar='FILE', help=FILE_HELP)
    parser.add_argument('--reader', help='the reader by name, where the content does not tell')
    parser.add_argument('--option', action='append', default=[], metavar='NAME=VALUE',
                        help='an option of the reader, its value as in YAML; may be given again')
    parser.add_argument('--transform', nargs=3, type=number, metavar=('X', 'Y', 'ROTATION_DEG'),
                        help='place of the world\'s origin on the file\'s map, m, and direction of the world\'s x axis '
                             'there, degrees counter-clockwise')


def _add_plot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('--out', type=picture_path, metavar='PNG',
                        help='the picture (default: the flow\'s name, in this folder)')
    parser.add_argument('--medium', choices=MEDIA, help='what flows, where a raw file does not say')
    parser.add_argument('--time', type=any_time, metavar='S', help='s (default: the middle of the track, else of the '
                                                                  'file, else 0)')
    parser.add_argument('--extent', nargs=4, type=any_length, metavar=('XMIN', 'YMIN', 'XMAX', 'YMAX'),
                        help='what to show, m (default: around the track, else all)')
    parser.add_argument('--track', type=file_path, metavar='CSV', help='samples.csv of a run')
    parser.add_argument('--colour', choices=COLOURS, default=COLOURS[0], help='what the track shows (%(default)s)')


def execute(args: argparse.Namespace) -> int:
    """Run one of the verbs."""
    {'info': _info, 'sample': _sample, 'plot': _plot, 'make': _make}[args.flow_verb](args)
    return 0


def _opened(args: argparse.Namespace) -> 'closing[FlowFile]':
    from usv_energy.flow.flow_argument import named_flow
    return closing(named_flow(args.file, args.reader, args.option, args.transform))


def _info(args: argparse.Namespace) -> None:
    from usv_energy.show.terminal import show_result
    from usv_energy.studies.runs.flow_output import info_text
    with _opened(args) as flow:
        description = flow.describe()
    show_result(info_text(description), description, args.json)


def _sample(args: argparse.Namespace) -> None:
    from usv_energy.flow.flow_argument import lines_of, read_points, records_of, velocities_at
    from usv_energy.show.terminal import show_result
    points = read_points(args.points)
    with _opened(args) as flow:
        answer = velocities_at(flow, points)
    show_result('\n'.join(lines_of(answer)), records_of(answer), args.json)


def _plot(args: argparse.Namespace) -> None:
    from usv_energy.show.terminal import list_files
    from usv_energy.studies.runs.flow_output import plot_flow, read_track
    track = read_track(args.track, args.colour) if args.track else None
    with _opened(args) as flow:
        list_files(plot_flow(flow, args.out, args.medium, args.time, args.extent, track))


def _make(args: argparse.Namespace) -> None:
    from usv_energy.flow.sample_files import make_samples
    from usv_energy.show.terminal import show_result
    written = make_samples(args.folder)
    show_result('\n'.join(f'{path}: {what}' for path, what in written),
                [{'file': str(path), 'what': what} for path, what in written], args.json)
