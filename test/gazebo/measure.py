"""
Print the tables of docs/gazebo_accuracy.md: Gazebo against the embedded simulator, drift, boats of kinds, pace.

    PYTHONPATH=. python test/gazebo/measure.py
"""

import math
import re
import sys
import tempfile
import time

import kinds
from gz_world import far_apart, missing, open_water, running, server
from steady import BOATS, CASES, disturbed, drift, steady_states

from usv_energy.boats.boat_file import read_boat

UNITS = {'u': 'm/s', 'v': 'm/s', 'r': 'rad/s'}


def folder():
    return tempfile.mkdtemp(prefix='usv_energy_gz_')


def stock_coriolis(text):
    """Return a world as one would write it: 9.7 kg, added mass below zero, and the system's own Coriolis terms."""
    text = re.sub(r'\s*<(disable_coriolis|nUV|yUR|xVR|nUR|xRR)>[^<]*</\1>', '', text)
    text = re.sub(r'<xDotU>[^<]*</xDotU>', '<xDotU>-0.05</xDotU><yDotV>-0.664</yDotV><nDotR>-0.064</nDotR>', text)
    text = re.sub(r'<mass>10\.3\d*</mass>', '<mass>9.7</mass>', text)
    return re.sub(r'<izz>1\.15\d*</izz>', '<izz>1.094</izz>', text)


def print_steady(states):
    print('| thrust | damping | | Gazebo | embedded | error |\n|---|---|---|---|---|---|')
    for (kind, case), (sample, state) in states.items():
        for name in CASES[case].looked_at:
            got, wanted = getattr(sample, name), getattr(state, {'u': 'u_r', 'v': 'v_r', 'r': 'r'}[name])
            print(f'| {case} | {kind} | {name}, {UNITS[name]} | {got:.5f} | {wanted:.5f} | {got / wanted - 1.0:+.2%} |')


def print_kinds(runs):
    print('| boat | | Gazebo | embedded | error |\n|---|---|---|---|---|')
    for name, run in runs.items():
        one, two = run.sample, run.state
        rows = [('speed, m/s', math.hypot(one.u, one.v), math.hypot(two.u_r, two.v_r))]
        if abs(two.r) > 1e-3:
            rows += [('yaw rate, rad/s', one.r, two.r), ('radius, m', rows[0][1] / abs(one.r), rows[0][2] / abs(two.r))]
        if run.embedded_work:
            rows.append(('work, J', run.work, run.embedded_work))
        if name.startswith('sail'):
            rows.append(('off its heading, deg', *(math.degrees(math.remainder(yaw - run.yaw, math.tau))
                                                   for yaw in (one.yaw, two.yaw))))
        for what, got, wanted in rows:
            share = '' if what.endswith('deg') else f'{got / wanted - 1.0:+.2%}'
            print(f'| {name} | {what} | {got:.4f} | {wanted:.4f} | {share} |')


def print_pace(numbers):
    print('| boats | seconds of the world in a second |\n|---|---|')
    for number in numbers:
        boats = far_apart({f'boat_{one}': read_boat('lutra_prop') for one in range(number)})
        with running(open_water(boats), list(boats), folder()) as world:
            for name in boats:
                world.thrust(name, 'left', 8.0)
                world.thrust(name, 'right', 9.0)
            world.run(2.0)
            start = time.monotonic()
            world.run(60.0)
            print(f'| {number} | {60.0 / (time.monotonic() - start):.1f} |')


def main():
    if missing():
        sys.exit(missing())
    print(server())
    states, late = steady_states(folder())
    print_steady(states)
    sample = late['quadratic']
    state = disturbed(read_boat(BOATS['quadratic']), CASES['surge_22'].thrusts, sample.r)
    print('circle of the quadratic boat under 22 N ahead: Gazebo', sample[7:9], sample.r, 'embedded', state[3:6])
    print("\nThe system's own Coriolis terms:")
    states, _ = steady_states(folder(), stock_coriolis)
    print_steady({key: value for key, value in states.items() if 'one' in key[1]})
    current, drifts = drift(folder(), 600.0)
    print(f'\ncurrent {current[0]:.5f} {current[1]:.5f} m/s')
    for kind, velocity in drifts.items():
        print(f'{kind}: {velocity[0]:.5f} {velocity[1]:.5f} m/s')
    print_kinds(kinds.runs(folder()))
    print_pace((1, 2, 5))


if __name__ == '__main__':
    main()
