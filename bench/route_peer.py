"""dabry, a public planner of routes, on a field from a file: run by the Python of its own environment, not copied."""

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np


def main(folder: str, task: str) -> None:
    """Print a JSON object: time_s and cpu_s of a repeat, cost_s, and the way's points, m."""
    sys.path.insert(0, folder)
    asked = json.loads(Path(task).read_text(encoding='utf-8'))
    field = np.load(asked['field'])
    print(json.dumps(dabry(asked, field)))


def dabry(asked: dict[str, Any], field: Any) -> dict[str, Any]:
    """Return what dabry makes of a time-optimal problem: extremals from the start, resampled until they are dense."""
    found = {name: getattr(import_module(f'dabry.{module}'), name) for module, name in (
        ('flowfield', 'DiscreteFF'), ('misc', 'Coords'), ('problem', 'NavigationProblem'),
        ('solver_ef', 'SolverEFResampling'))}
    values = np.stack((field['vx'], field['vy']), axis=-1).transpose(0, 2, 1, 3)   # time, x, y, component
    bounds = np.array([field['times'][[0, -1]], field['extent'][[0, 2]], field['extent'][[1, 3]]])
    times = []
    for _ in range(asked['repeats']):
        begin, busy = time.perf_counter(), time.process_time()
        flow = found['DiscreteFF'](values, bounds, found['Coords'].CARTESIAN)
        problem = found['NavigationProblem'](flow, np.array(asked['start']), np.array(asked['goal']), asked['speed'],
                                             bl=field['extent'][:2], tr=field['extent'][2:])
        scale = problem.length_reference
        longest = asked['longest'] * asked['speed'] / scale
        solver = found['SolverEFResampling'](problem.rescale(), total_duration=longest)
        solver.solve()
        times.append((time.perf_counter() - begin, time.process_time() - busy))
    if solver.solution_site is None:
        return {'failed': 'no trajectory came within its radius of the goal', 'times': times}
    site = solver.solution_site
    way = site.traj_full if site.traj_full is not None else site.traj
    goal = (np.array(asked['goal']) - problem.bl) / scale
    off = np.hypot(*(np.asarray(way.states) - goal).T)
    last = int(np.argmax(off < solver.target_radius)) if (off < solver.target_radius).any() else int(off.argmin())
    points = np.asarray(way.states)[:last + 1] * scale + problem.bl
    return {'times': times, 'points': points.tolist(), 'own_cost_s': float(way.times[last]) * scale / asked['speed'],
            'radius': float(solver.target_radius) * scale}


if __name__ == '__main__':
    main(*sys.argv[1:3])
