"""
A process that analyses a bag and prints what it took, for `analyze.py`.

It loads nothing before the command does: numpy, loaded earlier, would not hear of the command that its linear algebra
is to take one thread.
"""

import json
import os
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path


def peak_mb() -> float:
    """Return the memory that this process took at most, MB; rusage's would count that of the process it came from."""
    status = Path('/proc/self/status').read_text(encoding='ascii')
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith('VmHWM')) / 1024.0


def _taken() -> dict[str, float]:
    """Return the memory that this process took, MB, and the processor's time that it and its processes took, s."""
    times = os.times()
    return {'peak_mb': peak_mb(),
            'processor': times.user + times.system + times.children_user + times.children_system}


def stages_of(bag: Path) -> dict[str, float]:
    """Analyse a bag as the command does; return seconds by stage, the memory at most, MB, and the page's size, kB."""
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.logs.read_log import read_log
    from usv_energy.studies.analyze.analysed_log import analysed_log
    from usv_energy.studies.analyze.log_report import log_report
    from usv_energy.studies.analyze.report_folder import DrawnBeside
    from usv_energy.studies.analyze.report_page import report_html
    boat = read_boat('lutra_prop')
    with DrawnBeside() as drawn:
        marks = [time.perf_counter()]
        log = read_log(bag)
        marks.append(time.perf_counter())
        analysed = analysed_log(log, boat)
        marks.append(time.perf_counter())
        drawn.begin(analysed)
        found = log_report(analysed)
        marks.append(time.perf_counter())
        page = report_html(found, drawn.pictures(found))
        marks.append(time.perf_counter())
    stages = dict(zip(('read', 'compute', 'summary', 'report'), (after - before for before, after in pairwise(marks))))
    return {**stages, **_taken(), 'page_kb': len(page) / 1e3}


def command_of(bag: Path) -> dict[str, float]:
    """Run the command on a bag, and return what this process took."""
    from usv_energy.cli.main import main
    with tempfile.TemporaryDirectory() as folder:
        status = main(['analyze', str(bag), '--boat', 'lutra_prop', '--out', folder])
    if status:
        raise RuntimeError(f'usv-energy analyze {bag}: exit status {status}')
    return _taken()


if __name__ == '__main__':
    print(json.dumps({'stages': stages_of, 'command': command_of}[sys.argv[1]](Path(sys.argv[2]))))
