"""`usv-energy identify-battery`: a battery's cell from pulses, discharges and voltages at rest."""

import argparse
from pathlib import Path

from ..show.output import list_files, say, show_result
from .arguments import add_json, file_path, whole_number
from .log_arguments import check_outputs, provenance_of

PICTURE = 'battery.png'
COLUMNS = (('time', 'time_s', 'time, s'), ('current', 'current_a', 'current, A; its sign is found'),
           ('voltage', 'voltage_v', 'voltage, V'), ('temperature', 'temperature_degC', 'temperature of a cell, degC'),
           ('charge', 'soc_percent', 'state of charge, percent: of voltages at rest, and of pulses'),
           ('at-rest', 'ocv_v', 'voltage at rest, V'))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('tables', nargs='+', type=file_path, metavar='TABLE',
                        help='tables (CSV), told apart by their columns: charge and voltage at rest; pulses, each from '
                             'rest, with their charge; discharges from rest, over time')
    parser.add_argument('--chemistry', default='nmc', metavar='NAME',
                        help='of the cell, for its limits, and its voltage at rest where none was measured: nmc, lfp, '
                             'lto, agm, or a YAML file (%(default)s)')
    parser.add_argument('--series', type=whole_number(1), default=1, metavar='N',
                        help='cells in series of what was measured (%(default)s)')
    parser.add_argument('--parallel', type=whole_number(1), default=1, metavar='N',
                        help='strings side by side (%(default)s)')
    for name, column, meaning in COLUMNS:
        parser.add_argument(f'--{name}-column', default=column, metavar='NAME', help=f'of {meaning} (%(default)s)')
    parser.add_argument('--leave-one-out', action='store_true',
                        help='give the errors on each discharge of a fit without it, too: as many fits as discharges')
    parser.add_argument('--plot', nargs='?', type=file_path, const=Path(PICTURE), metavar='PNG',
                        help=f'draw measured and modelled voltage, and the numbers over charge ({PICTURE})')
    parser.add_argument('--out', type=file_path, metavar='FILE',
                        help='write the cell (.yaml), for `chemistry` of a boat file')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Find the cell, print, write; what is to be written is checked first."""
    from ..boats.cell_file import read_cell, write_cell
    from ..files.json_file import check_target
    from ..identify.cells.cell_identification import cell_document, identify_cell
    from ..identify.cells.cell_recordings import CellColumns, read_recordings
    from ..show.text.cell_text import cell_summary, cell_text
    check_outputs(args.json, args.out, None)
    check_target(args.plot)
    base = read_cell(args.chemistry)
    columns = CellColumns(*(getattr(args, f'{name.replace("-", "_")}_column') for name, _, _ in COLUMNS))
    recordings = read_recordings(args.tables, columns, float(args.series), float(args.parallel))
    found = identify_cell(recordings, base, args.leave_one_out, say)
    summary = cell_summary(found)
    show_result(cell_text(summary), summary, args.json)
    if args.out is not None:
        write_cell(cell_document(found, base, args.out.stem, provenance_of(args)), args.out)
        say(f'cell: {args.out}; in a boat file: battery: {{chemistry: {args.out.name}, series: ...}}')
    if args.plot is not None:
        from ..show.pictures.cell_picture import plot_cell
        plot_cell(found, args.plot)
        list_files(args.plot)
    return 0
