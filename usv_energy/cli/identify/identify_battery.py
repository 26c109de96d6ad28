"""`usv-energy identify-battery`: a battery's cell from pulses and discharges; a boat's pack from a mission."""

import argparse
from typing import TYPE_CHECKING

from usv_energy.cli.arguments import (
    add_json,
    add_log_arguments,
    add_outputs,
    check_outputs,
    file_path,
    number,
    positive,
    provenance_of,
    read_logs,
    whole_number,
)
from usv_energy.files.errors import InputError
from usv_energy.show.terminal import list_files, say, show_result

if TYPE_CHECKING:
    from usv_energy.boats.boat_file import Boat
    from usv_energy.studies.identify.cells.cell_recordings import CellColumns
    from usv_energy.studies.identify.cells.mission_fit import MissionRun

PICTURE = 'battery.png'
COLUMNS = (('time', 'time_s', 'time, s'), ('current', 'current_a', 'current, A; its sign is found'),
           ('voltage', 'voltage_v', 'voltage, V'), ('temperature', 'temperature_degC', 'temperature of a cell, degC'),
           ('charge', 'soc_percent', 'state of charge, percent: of voltages at rest, and of pulses'),
           ('at-rest', 'ocv_v', 'voltage at rest, V'))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('tables', nargs='+', type=file_path, metavar='TABLE',
                        help='tables (CSV), told apart by their columns: charge and voltage at rest; pulses, each from '
                             'rest, with their charge; discharges from rest, over time. With --boat: one mission, a '
                             'bag, .bin, .tlog, .ulg or a table with volts and amperes')
    parser.add_argument('--boat', metavar='BOAT',
                        help='name or YAML file of the boat whose cells made a mission: finds their resistance, charge '
                             'and capacity')
    parser.add_argument('--ambient', type=number, metavar='DEGC',
                        help="with --boat: temperature around the cells (default: the boat file's)")
    parser.add_argument('--ocv-std-mv', type=positive, default=20.0, metavar='MV',
                        help='with --boat: how well the voltage at rest of a cell is known, mV (%(default)s: that of '
                             'another cell of its chemistry)')
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
    add_outputs(parser, 'write the cell, FILE.yaml, for `chemistry` of a boat file; with --boat the boat file',
                PICTURE)
    add_log_arguments(parser)
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Fit the cell, print and write; the outputs are checked first."""
    from usv_energy.boats.cell_file import read_cell, write_cell
    from usv_energy.files.text_file import check_target
    from usv_energy.studies.identify.cells.cell_identification import cell_document, identify_cell
    from usv_energy.studies.identify.cells.cell_recordings import CellColumns, read_recordings
    from usv_energy.studies.identify.cells.cell_report import cell_summary, cell_text
    check_outputs(args.json, args.out, None)
    check_target(args.plot)
    columns = CellColumns(*(getattr(args, f'{name.replace("-", "_")}_column') for name, _, _ in COLUMNS))
    if args.boat is not None:
        return _execute_mission(args, columns)
    base = read_cell(args.chemistry)
    recordings = read_recordings(args.tables, columns, float(args.series), float(args.parallel))
    found = identify_cell(recordings, base, args.leave_one_out, say)
    summary = cell_summary(found)
    show_result(cell_text(summary), summary, args.json)
    if args.out is not None:
        write_cell(cell_document(found, base, args.out.stem, provenance_of(args)), args.out)
        say(f'cell: {args.out}; in a boat file: battery: {{chemistry: {args.out.name}, series: ...}}')
    if args.plot is not None:
        from usv_energy.studies.identify.cells.cell_report import plot_cell
        plot_cell(found, args.plot)
        list_files(args.plot)
    return 0


def _execute_mission(args: argparse.Namespace, columns: 'CellColumns') -> int:
    """Fit a boat's pack to a mission, print and write."""
    from usv_energy.boats.boat_file import read_boat, write_boat
    from usv_energy.studies.identify.cells.cell_report import pack_summary, pack_text
    from usv_energy.studies.identify.cells.mission_pack import identify_pack, pack_document, require_cells
    if len(args.tables) != 1:
        raise InputError(f'{len(args.tables)} logs with --boat; must be one mission at a time')
    boat = read_boat(args.boat)
    require_cells(boat)
    run = _mission_of(args, columns, boat)
    found = identify_pack(run, boat, 1e-3 * args.ocv_std_mv)
    summary = pack_summary(found, run, boat)
    show_result(pack_text(summary), summary, args.json)
    if args.out is not None:
        write_boat(pack_document(found, boat, args.out.stem, provenance_of(args)), args.out)
        say(f'boat: {args.out}')
    if args.plot is not None:
        from usv_energy.studies.identify.cells.cell_report import plot_pack
        plot_pack(found, args.plot)
        list_files(args.plot)
    return 0


def _mission_of(args: argparse.Namespace, columns: 'CellColumns', boat: 'Boat') -> 'MissionRun':
    """Return voltage and current of a mission, from a table with the columns of the arguments, or from any log."""
    from usv_energy.studies.identify.cells.mission_pack import run_of_log, run_of_table
    path = args.tables[0]
    run = None if args.columns is not None else run_of_table(path, columns, boat, args.ambient)
    return run_of_log(read_logs([str(path)], args)[0], boat, args.ambient) if run is None else run
