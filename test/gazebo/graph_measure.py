"""
Run gazebo.launch.py against a real headless server and set its results beside the embedded simulator's.

python3 graph_measure.py --out DIR [--boats N] [--pace lockstep] SCENARIO...

Needs launch and launch_ros, a server that runs our worlds, and ros_gz; or, where that is missing, ros_gz_interfaces and
gz-transport, to compile the bridge's stand-in (graph_bridge.py). Figures and their server: docs/gazebo_accuracy.md.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import gz_world
from graph_prefix import ROOT, has_ros_gz, make_prefix
from gz_compile import compiled_pipe

from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

LAUNCH = 'import sys; from ros2launch.api import launch_a_launch_file as run; sys.exit(run(' \
         'launch_file_path=sys.argv[1], launch_file_arguments=sys.argv[2:], noninteractive=True))'
DEADLINE = 600.0


def launch(environment, log, **arguments):
    """
    Run the launch file to its end; return its exit code and when (s of wall time) each line of note was said.

    Lines of note: the world runs, and each boat's end.
    """
    words = [f'{name}:={value}' for name, value in arguments.items()]
    process = subprocess.Popen([sys.executable, '-P', '-c', LAUNCH, str(ROOT / 'launch/gazebo.launch.py'), *words],
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True)
    said = {}
    with Path(log).open('w') as file:
        for line in process.stdout:
            file.write(line)
            for key in ('the world runs', 'all waypoints reached', 'not there after'):
                if key in line:
                    said.setdefault(key, []).append(time.monotonic())
    return process.wait(DEADLINE), said


def compared(name, folder):
    """Return a scenario's figures by Gazebo, beside those of the run without ROS."""
    scenario = read_scenario(name)
    plain = run_scenario(scenario)
    summary = json.loads((folder / f'{scenario.name}_{scenario.convention}/summary.json').read_text())
    return {
        'scenario': name, 'outcome': summary['outcome'], 'duration_s': summary['duration_s'],
        'embedded_duration_s': plain.duration, 'duration_relative': summary['duration_s'] / plain.duration - 1.0,
        'energy_j': summary['energy_j'], 'embedded_energy_j': plain.energy.total,
        'energy_relative': summary['energy_j'] / plain.energy.total - 1.0,
        'samples': summary['samples'], 'invalid_samples': summary['invalid_samples'], 'gaps': summary['gaps']}


def measure(args):
    environment = make_prefix(args.out / 'prefix', gz_world.server().command, args.pipe)
    rows = []
    for name in args.scenario:
        out = args.out / f'{name}-{args.boats}-{args.pace}'
        code, said = launch(environment, args.out / f'{name}.log', scenario=name, headless='true', boats=args.boats,
                            pace=args.pace, real_time_factor=args.real_time_factor, out=out, bag=args.bag,
                            plots=args.plots, use_sim_time=args.use_sim_time, composed=args.composed)
        if code:
            sys.exit(f'{name}: exit code {code}; see {args.out / name}.log')
        row = compared(name, out if args.boats == '1' else out / 'diffboat')
        ends = said.get('all waypoints reached', [])
        if 'the world runs' in said and ends:
            row['real_time_factor'] = row['duration_s'] / (max(ends) - said['the world runs'][0])
        row['load'] = os.getloadavg()[0]
        rows.append(row)
        print(json.dumps(row), file=sys.stderr, flush=True)
    print('| # | time, s | embedded | | energy, J | embedded | | real-time factor |\n|---|---|---|---|---|---|---|---|')
    for row in rows:
        factor = row.get('real_time_factor')
        print(f'| {row["scenario"]} | {row["duration_s"]:.2f} | {row["embedded_duration_s"]:.2f} '
              f'| {row["duration_relative"]:+.2%} | {row["energy_j"]:.2f} | {row["embedded_energy_j"]:.2f} '
              f'| {row["energy_relative"]:+.2%} | {"" if factor is None else f"{factor:.1f}"} |')
    (args.out / 'rows.json').write_text(json.dumps(rows, indent=2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('scenario', nargs='+')
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--pipe', type=Path, help='graph_pipe, compiled (default: made in --out if needed)')
    parser.add_argument('--boats', default='1')
    parser.add_argument('--pace', default='free')
    parser.add_argument('--real-time-factor', default='0')
    for name, default in (('bag', 'false'), ('plots', 'false'), ('use-sim-time', 'false'), ('composed', 'true')):
        parser.add_argument(f'--{name}', default=default)
    args = parser.parse_args()
    args.out = args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.pipe is None and not has_ros_gz():
        args.pipe = args.out / 'graph_pipe'
    if args.pipe and not args.pipe.exists():
        compiled_pipe(args.pipe, gz_world.server().major)
    measure(args)


if __name__ == '__main__':
    main()
