"""
Missions: how long an estimate of 500 waypoints takes, the first time for a boat too, and how far off it is.

Each first time is that of a fresh process, whose imports alone are not counted; nothing is kept on disk.
"""

import subprocess
import sys
import time
from pathlib import Path

from options import Options
from report import Result, progress

UNIT = Path(__file__).resolve().parents[1] / 'test' / 'unit'
sys.path.insert(0, str(UNIT))

BOATS = 'lutra_prop', 'blueboat', 'wamv', 'otter', 'kayak', 'lutra_rudder', 'lutra_airboat'
WAYPOINTS, AIM = 500, 50.0
ONCE = '''
import sys, time
sys.path.insert(0, {unit!r})
from mission_boats import long_mission
from usv_energy.studies.mission.mission_estimate import legs_estimate
scenario = long_mission({boat!r}, {number}, {random}, {current})
times = []
for _ in range(2):
    begin, busy = time.perf_counter(), time.process_time()
    legs_estimate(scenario)
    times += [1e3 * (time.perf_counter() - begin), 1e3 * (time.process_time() - busy)]
print(*times)
'''


def measure(options: Options) -> Result:
    """Return the times of estimates, and their errors against the simulator for several boats and missions."""
    result = Result('mission')
    for boat in BOATS[:1] if options.quick else BOATS[:4]:
        for what, random, current in (('lanes', False, 0.0), ('any_way', True, 0.0), ('any_way_current', True, 0.1)):
            progress(f'  mission: {WAYPOINTS} waypoints, {boat}, {what}')
            runs = [_times(boat, random, current) for _ in range(2 if options.quick else 5)]
            result.add(f'{boat}_{what}_first_ms', [run[0] for run in runs])
            result.add(f'{boat}_{what}_first_processor_ms', [run[1] for run in runs], AIM)
            result.add(f'{boat}_{what}_later_processor_ms', [run[3] for run in runs])
    for boat in BOATS[:1] if options.quick else BOATS:
        _errors(result, boat)
    result.notes.append(f'times: {WAYPOINTS} waypoints; first: in a fresh process, imports not counted; processor: '
                        'without waiting for a core. Errors: of the estimate against the simulator')
    return result


def _times(boat: str, random: bool, current: float) -> list[float]:
    program = ONCE.format(unit=str(UNIT), boat=boat, number=WAYPOINTS, random=random, current=current)
    done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, check=True)
    return [float(value) for value in done.stdout.split()]


def _errors(result: Result, boat: str) -> None:
    from mission_boats import COURSES, mission_of_boat  # type: ignore[import-not-found]  # of the tests

    from usv_energy.sim.runner import run_scenario
    from usv_energy.studies.mission.mission_estimate import legs_estimate
    for course in COURSES:
        begin = time.monotonic()
        scenario = mission_of_boat(boat, course)
        legs, run = legs_estimate(scenario), run_scenario(scenario)
        progress(f'  mission: {boat}, {course}: simulated in {time.monotonic() - begin:.1f} s')
        key = f'{boat}_{course.replace(", ", "_").replace(" ", "_")}'
        result.add(f'{key}_time_error_percent', [100.0 * (float(legs.end[-1]) / run.duration - 1.0)])
        result.add(f'{key}_energy_error_percent', [100.0 * (float(legs.total.sum()) / run.energy.total - 1.0)])
