"""
How long reading a million rows of a table without a map, or sentences of NMEA 0183, takes, and how much memory.

    python3 bench/read_files.py [--rows 1000000]

Each file is made first, and read in a process of its own; wanted are 10 s and 1 GB at most.
"""

import argparse
import functools
import operator
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from usv_energy.logs.read_log import read_log

KNOTS = 1.943844


def table(path: Path, rows: int) -> None:
    """Write a table as a chart plotter has it: texts for times, degrees, knots, a battery."""
    stamps = np.datetime64('2024-05-01T10:00:00.0') + np.arange(rows) * np.timedelta64(100, 'ms')
    with path.open('w') as file:
        file.write('Timestamp,Lat,Lon,SOG,COG,HDG,Volt,Curr\n')
        for number, stamp in enumerate(stamps.astype(str).tolist()):
            east = 1e-6 * (number % 400_000)
            file.write(f'{stamp}Z,45.6000000,{9.0 + east:.7f},{KNOTS * 0.78:.3f},90.0,90.0,24.1,{3.2 + number % 7}\n')


def sentences(path: Path, rows: int) -> None:
    """Write sentences of a second each: RMC, HDT, MWV, VTG."""
    with path.open('w') as file:
        for number in range(rows // 4):
            hours, rest = divmod(number % 86400, 3600)
            minutes = 30.0 + 60.0 * 1e-5 * (number % 40_000)
            place = f'4536.00000,N,{9 + int(minutes // 60):03d}{minutes % 60:08.5f},E'
            for text in (f'GPRMC,{hours:02d}{rest // 60:02d}{rest % 60:02d}.00,A,{place},1.516,90.0,'
                         f'{1 + number // 86400:02d}0524,,,A', 'HEHDT,90.0,T', 'WIMWV,45.0,R,5.0,M,A',
                         'GPVTG,90.0,T,,M,1.516,N,2.808,K,A'):
                file.write(f'${text}*{functools.reduce(operator.xor, text.encode()):02X}\r\n')


FILES = {'table': ('table.csv', table), 'NMEA 0183': ('log.nmea', sentences)}


def main() -> None:
    """Make and read the files, or read one."""
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--rows', type=int, default=1_000_000)
    parser.add_argument('--read', type=Path, help='read this file and print seconds, samples and megabytes')
    args = parser.parse_args()
    if args.read is not None:
        begin = time.process_time()
        log = read_log(args.read)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(f'{time.process_time() - begin:.1f} s of processor time, {len(log)} samples, {most:.0f} MB')
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, (file, write) in FILES.items():
            path = Path(folder) / file
            write(path, args.rows)
            print(f'{name}: {args.rows} rows, {path.stat().st_size / 1e6:.0f} MB: ', end='', flush=True)
            subprocess.run([sys.executable, '-P', __file__, '--read', str(path)], check=True)


if __name__ == '__main__':
    main()
