"""`usv-energy identify battery`: a battery's cell from pulses and discharges; a boat's pack from a mission."""

import argparse

from usv_energy.cli.arguments import (
    add_json,
    add_log_arguments,
    add_outputs,
    check_outputs,
    file_path,
    provenance_of,
    read_logs,
    show_fit,
)
from usv_energy.cli.quantities import number, positive, whole_number
from usv_energy.files.errors import InputError
from usv_energy.show.terminal import list_files, say, show_result

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
    parser.add_argument('--mass', type=positive, metavar='KG',
                        help='of what was measured: nearly determines its heat capacity, 1000 J/(kg K); left out: that '
                             'of the chemistry, by capacity')
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
    from usv_energy.api.fits import identify_battery
    from usv_energy.files.text_file import check_target
    check_outputs(args.json, args.out, None)
    check_target(args.plot)
    columns = [getattr(args, f'{name.replace("-", "_")}_column') for name, _, _ in COLUMNS]
    if args.boat is not None:
        return _execute_mission(args, columns)
    found = identify_battery(args.tables, chemistry=args.chemistry, series=args.series, parallel=args.parallel,
                             columns=columns, leave_one_out=args.leave_one_out, mass=args.mass, say=say)
    show_result(found.text(), found.figures(), args.json)
    if args.out is not None:
        found.write(args.out, provenance_of(args))
        say(f'cell: {args.out}; in a boat file: battery: {{chemistry: {args.out.name}, series: ...}}')
    if args.plot is not None:
        found.write_picture(args.plot)
        list_files(args.plot)
    return 0


def _execute_mission(args: argparse.Namespace, columns: list[str]) -> int:
    """Fit a boat's pack to a mission, print and write."""
    from usv_energy.api.fits import identify_pack
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.studies.identify.cells.cell_recordings import CellColumns
    from usv_energy.studies.identify.cells.mission_fit import is_table, require_cells
    if len(args.tables) != 1:
        raise InputError(f'{len(args.tables)} logs with --boat; must be one mission at a time')
    boat, [path] = read_boat(args.boat), args.tables
    require_cells(boat)
    of_table = args.columns is None and is_table(path, CellColumns(*columns))
    found = identify_pack(path if of_table else read_logs([str(path)], args)[0], boat, columns=columns,
                          ambient_degc=args.ambient, ocv_std_mv=args.ocv_std_mv)
    return show_fit(found, args, 'boat')
