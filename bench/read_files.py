"""
How long `analyze` takes for a million rows of a table without a map, or sentences of NMEA 0183, and how much memory.

    python3 bench/read_files.py [--rows 1000000]

Each file is made first, and analysed in a process of its own; wanted are 10 s and 1 GB at most. The boat goes round a
circle of 200 m at 1 m/s, 10 times a second (NMEA: once a second), and draws some 16 W. With motors, their rates tell
the thrusts.
"""

import argparse
import contextlib
import functools
import io
import json
import math
import operator
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from usv_energy.cli.main import main as usv_energy

KNOTS, RADIUS, BEGIN = 1.944, 200.0, datetime(2024, 5, 1, 9)  # The radius in m.


def states(rows: int, step: float) -> Iterator[tuple[datetime, float, float, float, float]]:
    """Give time, latitude, longitude, course, all in degrees, and amperes."""
    for number in range(rows):
        angle = step * number / RADIUS
        yield (BEGIN + timedelta(seconds=step * number), 45.6 + RADIUS * math.sin(angle) / 111_140.0,
               9.5 + RADIUS * (1.0 - math.cos(angle)) / 78_020.0, math.degrees(angle) % 360.0,
               1.1 + 0.3 * math.sin(number / 70.0))


def table(path: Path, rows: int, motors: bool = False) -> None:
    """Write a table as a chart plotter has it: texts for times, degrees, knots, a battery; rates of motors, too."""
    with path.open('w') as file:
        file.write(f'time,lat,lon,sog_kn,cog,voltage,current{",rpm_left,rpm_right,throttle" if motors else ""}\n')
        for when, north, east, course, amperes in states(rows, 0.1):
            rate = 1170.0 + 100.0 * amperes
            file.write(f'{when.isoformat(timespec="milliseconds")}Z,{north:.8f},{east:.8f},{KNOTS},{course:.2f},14.8,'
                       f'{amperes:.3f}{f",{rate:.1f},{rate + 5.0:.1f},35" if motors else ""}\n')


def german_table(path: Path, rows: int) -> None:
    """Write a table with decimal commas, and with date and time in two columns."""
    with path.open('w', encoding='cp1252') as file:
        file.write('Datum;Uhrzeit;Breite;Länge;FüG (kn);Kurs (°);Spannung [V];Strom [A]\r\n')
        for when, north, east, course, amperes in states(rows, 0.1):
            numbers = f'{north:.8f};{east:.8f};{KNOTS};{course:.2f};14.8;{amperes:.3f}'.replace('.', ',')
            file.write(f'{when:%d.%m.%Y};{when:%H:%M:%S},{when.microsecond // 1000:03d};{numbers}\r\n')


def sentences(path: Path, rows: int) -> None:
    """Write sentences of a second each: RMC, HDT, MWV, VTG."""
    with path.open('w') as file:
        for when, north, east, course, _ in states(rows // 4, 1.0):
            place = f'{int(north):02d}{north % 1.0 * 60.0:09.6f},N,{int(east):03d}{east % 1.0 * 60.0:09.6f},E'
            for text in (f'GPRMC,{when:%H%M%S}.00,A,{place},{KNOTS},{course:.1f},{when:%d%m%y},,,A',
                         f'HEHDT,{course:.1f},T', 'WIMWV,45.0,R,1.0,M,A',
                         f'GPVTG,{course:.1f},T,,M,{KNOTS},N,3.600,K,A'):
                file.write(f'${text}*{functools.reduce(operator.xor, text.encode()):02X}\r\n')


FILES: dict[str, tuple[str, Callable[[Path, int], None], str]] = {
    'table': ('table.csv', table, 'lutra_prop'),
    'table with motors': ('motors.csv', functools.partial(table, motors=True), 'blueboat'),
    'table with decimal commas': ('german.csv', german_table, 'lutra_prop'),
    'NMEA 0183': ('log.nmea', sentences, 'lutra_prop')}


def main() -> None:
    """Make and analyse the files, or analyse one."""
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--rows', type=int, default=1_000_000)
    parser.add_argument('--read', nargs=2, help='analyse this file of this boat and print seconds, joules, megabytes')
    args = parser.parse_args()
    if args.read is not None:
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(io.StringIO()):
            usv_energy(['analyze', args.read[0], '--boat', args.read[1], '--json', '-'])
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(f'{time.process_time():.1f} s of processor time, {json.loads(text.getvalue())["energy_j"]:.0f} J, '
              f'{most:.0f} MB')
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, (file, write, boat) in FILES.items():
            path = Path(folder) / file
            write(path, args.rows)
            print(f'{name}: {args.rows} rows, {path.stat().st_size / 1e6:.0f} MB: ', end='', flush=True)
            subprocess.run([sys.executable, '-P', __file__, '--read', str(path), boat], check=True)


if __name__ == '__main__':
    main()
