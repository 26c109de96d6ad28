"""
Scenarios at a free pace with a process a node: do driver, table, summary and bag agree?

python3 test/launch/free_runs.py --runs 20 --pace 1.0 4.0 --busy 2     # on a busy machine; exit status 1 if one fails
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from domain_coordinator import domain_id
from launched import DEADLINE, ROOT, Started, node_command

from usv_energy.logs.bags.bag import read_bag
from usv_energy.logs.bags.mcap import McapFile
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.sim.run_files import read_samples
from usv_energy.sim.scenario import read_scenario

BUSY_LOOP = 'while True: pass'
ANSWERS = ('odom', 'boat_state', 'water_current', 'wind', 'power', 'energy', 'battery_state', 'thruster_power')


def faults_of_run(scenario, pace, folder, start, deadline=DEADLINE):
    """
    Run a scenario, the simulator's process first; return in words what does not agree, nothing where all does.

    :param start: Starts a command and returns its Started.
    """
    out = folder / 'out'
    specs = scenario_nodes(scenario, ScenarioOptions(pace=str(pace), out=str(out), plots=False))
    started = {}
    for spec in reversed(specs):
        ends = {'exit_when_done': True} if spec.executable == 'recorder' else {}
        started[spec.name] = start(*node_command(spec, '/boat', folder, autostart=True, **ends))
    try:
        started['recorder'].exit_code(deadline)
    finally:
        for process in started.values():
            if process.running():
                process.interrupt()
        for process in started.values():
            process.process.wait(DEADLINE)
    result = re.search(r': all waypoints reached, ([\d.]+) s, ([\d.]+) J', started['scenario_driver'].output())
    if result is None:
        return ['the driver has no result:', *(f'{name}:\n{process.output()}' for name, process in started.items())]
    return list(disagreements(out / f'{scenario.name}_{scenario.convention}', *map(float, result.groups())))


def disagreements(folder, duration, energy):
    """Give what does not agree between the driver's duration (s) and energy (J) and the files of a run, in words."""
    summary = json.loads((folder / 'summary.json').read_text())
    rows = read_samples(folder / 'samples.csv')
    times = np.array([row.time for row in rows])
    period = np.median(np.diff(times))
    whole = round(duration / period) + 1
    for what, found, wanted in (
            ('duration of the summary', round(summary['duration_s'], 2), duration),
            ('energy of the summary', round(summary['energy_j'], 2), energy),
            ('energy of the table', rows[-1].energy, summary['energy_j']),
            ('start of the table', times[0], 0.0),
            ('end of the table', times[-1], summary['duration_s']),
            ('rows', len(rows), whole),
            ('samples of the energy', summary['samples'] + summary['invalid_samples'], whole),
            ('longest step of the table', round(np.diff(times).max() / period, 6), 1.0),
            ('complete', summary['complete'], True)):
        if found != wanted:
            yield f'{what}: {found}, not {wanted}'
    file = McapFile(next((folder / 'bag').glob('*.mcap')))
    stamps = {}
    for batch in file.batches({f'/boat/{name}' for name in ANSWERS}):
        stamps.setdefault(batch.topic, set()).update(batch.times)
    yield from (f'{topic}: {len(found)} times in the bag, not {whole} or more' for topic, found in stamps.items()
                if len(found) < whole - 1)
    if len(stamps) != len(ANSWERS) or file.faults:
        yield f'bag: {sorted(stamps)} {file.faults}'
    log = read_bag(folder / 'bag')
    if log.start > 0.0 or any(note.code == 'repeated' for note in log.notes):
        yield f'odometry of the bag: from {log.start} s; {[note.text for note in log.notes]}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=20, help='at each pace')
    parser.add_argument('--pace', type=float, nargs='+', default=[1.0, 4.0])
    parser.add_argument('--busy', type=int, default=2, help='loops beside the runs')
    parser.add_argument('--scenario', default='3')
    parser.add_argument('--keep', type=Path, help='folder for the files of the runs that do not agree')
    args = parser.parse_args()
    loops = [subprocess.Popen([sys.executable, '-c', BUSY_LOOP], start_new_session=True) for _ in range(args.busy)]
    failed = 0
    try:
        for pace in args.pace:
            for number in range(1, args.runs + 1):
                began = time.monotonic()
                with domain_id() as domain:
                    os.environ['ROS_DOMAIN_ID'] = str(domain)
                    faults = one_run(args.scenario, pace, args.keep)
                failed += bool(faults)
                seconds = time.monotonic() - began
                print(f'pace {pace:g}, run {number}: {"; ".join(faults) or "agrees"} ({seconds:.0f} s)', flush=True)
    finally:
        for loop in loops:
            loop.send_signal(signal.SIGKILL)
    print(f'{failed} of {args.runs * len(args.pace)} runs do not agree')
    return int(failed > 0)


def one_run(scenario, pace, keep=None):
    """Return what does not agree in a run, whose files are then copied to a folder."""
    with tempfile.TemporaryDirectory(prefix='usv_energy_free_') as folder:
        started = []

        def start(*command):
            started.append(Started(command, Path(folder) / f'{len(started)}.log'))
            return started[-1]

        try:
            faults = faults_of_run(read_scenario(scenario), pace, Path(folder), start)
        except AssertionError as error:
            faults = [str(error)]
        finally:
            for process in started:
                process.kill()
        if keep and faults:
            shutil.copytree(folder, keep / Path(folder).name)
        return faults


if __name__ == '__main__':
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
