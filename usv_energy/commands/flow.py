"""`usv-energy flow`: what is in a file of water current or wind, its values at points, its picture, and samples."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..files.errors import InputError
from .arguments import number

FILE_HELP = 'a file (HEC-RAS, OpenFOAM, netCDF, raster ...), a flow\'s YAML file, or the name of a shipped flow'
COLOURS, MEDIA = ('speed', 'power'), ('water', 'air')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='flow_verb', metavar='COMMAND', title='commands', required=True)

    def verb(name: str, purpose: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, help=purpose, allow_abbrev=False,
                                description=f'{purpose[0].upper()}{purpose[1:]}.')

    info = verb('info', 'say what is in a flow: times, extent, units, speeds, what is missing')
    sample = verb('sample', 'print the velocity at points')
    plot = verb('plot', 'draw a map with arrows, dry land and, if wanted, the track of a run')
    make = verb('make', 'write sample files: a HEC-RAS-like river, netCDF, rasters, a plane of wind')
    for child in (info, sample, plot):
        _add_file(child)
    sample.add_argument('--points', type=Path, required=True, metavar='CSV',
                        help='columns t, x, y: s from the file\'s first time and m in its own coordinates; of the '
                             'world, with --transform or a YAML file')
    _add_plot(plot)
    make.add_argument('folder', type=Path, metavar='DIR', help='where to; files of the same names are replaced')
    for child in (info, sample, make):
        child.add_argument('--json', nargs='?', const='-', metavar='FILE',
                           help='write JSON to FILE; without FILE to stdout')


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('file', metavar='FILE', help=FILE_HELP)
    parser.add_argument('--reader', help='the reader by name, where the content does not tell')
    parser.add_argument('--option', action='append', default=[], metavar='NAME=VALUE',
                        help='an option of the reader, its value as in YAML; may be given again')
    parser.add_argument('--transform', nargs=3, type=number, metavar=('X', 'Y', 'ROTATION_DEG'),
                        help='place of the world\'s origin on the file\'s map, m, and direction of the world\'s x axis '
                             'there, degrees counter-clockwise')


def _add_plot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('--out', type=Path, metavar='PNG',
                        help='the picture (default: the flow\'s name, in this folder)')
    parser.add_argument('--medium', choices=MEDIA, help='what flows, where a raw file does not say')
    parser.add_argument('--time', type=number, metavar='S', help='s (default: the middle of the track, else of the '
                                                                  'file, else 0)')
    parser.add_argument('--extent', nargs=4, type=number, metavar=('XMIN', 'YMIN', 'XMAX', 'YMAX'),
                        help='what to show, m (default: around the track, else all)')
    parser.add_argument('--track', type=Path, metavar='CSV', help='samples.csv of a run')
    parser.add_argument('--colour', choices=COLOURS, default=COLOURS[0],
                        help='what the track shows (%(default)s)')


def execute(args: argparse.Namespace) -> int:
    """Run one of the verbs."""
    from ..files.json_file import check_target
    check_target(getattr(args, 'json', None))
    verbs: dict[str, Callable[[argparse.Namespace], None]] = {
        'info': _info, 'sample': _sample, 'plot': _plot, 'make': _make}
    verbs[args.flow_verb](args)
    return 0


def _opened(args: argparse.Namespace) -> Any:
    """Return the flow that the arguments name."""
    from ..files.locate import names
    from ..flow.flow_file import SUFFIXES, raw_flow, read_flow
    from ..flow.readers import open_flow
    from ..flow.transform import Transform
    path = Path(args.file).expanduser()
    if path.suffix in SUFFIXES or args.file in names('flows'):
        given = [name for name in ('reader', 'option', 'transform') if getattr(args, name)]
        if given:
            raise InputError(f'--{given[0]} goes with a raw file; {args.file} is a flow of its own: say it there')
        return read_flow(args.file)
    if not path.exists():
        raise InputError(f'{path}: there is no such file, nor a shipped flow of this name; there are: '
                         f'{", ".join(names("flows"))}')
    options = dict(map(_option, args.option))
    return raw_flow(path, open_flow(path, options, args.reader), Transform(*(args.transform or ())))


def _option(text: str) -> tuple[str, Any]:
    import yaml
    name, equals, value = text.partition('=')
    if not equals or not name:
        raise InputError(f'--option is {text!r}; must be NAME=VALUE')
    try:
        return name, yaml.safe_load(value)
    except yaml.YAMLError:
        raise InputError(f'--option {name} is {value!r}, which is wrong YAML') from None


def _info(args: argparse.Namespace) -> None:
    from ..files.json_file import write_json
    from ..flow.readers import READERS, reader
    from ..show.text.flow_text import info_text
    flow = _opened(args)
    try:
        told = flow.describe()
    finally:
        flow.close()
    if args.json:
        write_json(told, args.json)
    else:
        name = told.get('reader')
        print(info_text(told, reader(name).options if name in READERS else None))


def _sample(args: argparse.Namespace) -> None:
    from ..files.json_file import write_json
    from ..flow.flow_points import lines_of, read_points, records_of, velocities_at
    points = read_points(args.points)
    flow = _opened(args)
    try:
        answer = velocities_at(flow, points)
    finally:
        flow.close()
    if args.json:
        write_json(records_of(answer), args.json)
    else:
        print('\n'.join(lines_of(answer)))


def _plot(args: argparse.Namespace) -> None:
    from ..files.json_file import check_target
    from ..show.pictures.flow_map import plot_flow, read_track
    track = read_track(args.track, args.colour) if args.track else None
    flow = _opened(args)
    try:
        out = args.out or Path(f'{flow.name}.png')
        check_target(str(out))
        medium = args.medium or flow.medium or flow.describe().get('medium') or ''
        plot_flow(replace(flow, medium=medium), out, time=args.time, extent=args.extent, track=track)
    finally:
        flow.close()
    print(out)


def _make(args: argparse.Namespace) -> None:
    from ..files.json_file import write_json
    from ..files.whole_file import check_writable
    from ..flow.samples.sample_files import make_samples
    check_writable(args.folder)
    made = make_samples(args.folder)
    if args.json:
        write_json([{'file': str(path), 'what': what} for path, what in made], args.json)
    else:
        for path, what in made:
            print(f'{path}: {what}')
