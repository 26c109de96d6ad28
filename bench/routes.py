"""
Routes: a field of 500 x 500 nodes and 24 hours, one departure and 48, how good they are, and a public peer beside them.

One departure runs in a fresh process, so that its memory is its own; the first time there reads compiled code from the
disk, or compiles. Costs of the peer's way are counted by us, in the same field, to the same goal.
"""

import contextlib
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from options import Options
from report import Result, progress

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main
from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.work import cores, forked
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.field import Velocities
from usv_energy.flow.grids.grid import GriddedFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers, shape_barriers
from usv_energy.studies.route.departures import route_departures
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.plan_route import RouteRequest, goal_order, plan_route
from usv_energy.studies.route.route_cost import objective_value, route_along_path
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem
from usv_energy.studies.route.search.rough_ways import SearchOptions

SIDE, HOURS, NODES = 50e3, 24, 500
START, GOAL = (5e3, 5e3), (45e3, 44e3)
LAW = PowerLaw(20.0, 3.0, 10.0, 2.0)
DEPARTURES = 48
AIM, AIM_MEMORY, AIM_DEPARTURES = 10e3, 1e3, 120e3      # ms, MB, ms (issue 17, E)
AIM_TIDE, AIM_RIVER = 20e3, (5e3, 1e3)                  # ms (issue 39, D)
RIVER = 'route --from 320 95 --to 20 95 --boat lutra_prop --static-load 6 --current river --clearance 3'
CASES, PEER_NODES = 1000, 100
GOALS, GOALS_SEED = (12, 20), 71_000     # The most goals of which all orders are compared, and more.
HERE = Path(__file__).resolve()
ONCE = '''
import json, resource, sys, time
sys.path.insert(0, {here!r})
from routes import eddy_grid, field_problem
from usv_energy.studies.route.find_route import find_route
problem = field_problem({what!r}, eddy_grid({nodes}))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
rows = []
for _ in range(2):
    begin, busy = time.perf_counter(), time.process_time()
    found = find_route(problem)
    rows.append((1e3 * (time.perf_counter() - begin), 1e3 * (time.process_time() - busy)))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
print(json.dumps([rows, peak, found.cost, found.rough, found.bound, before]))
'''


def eddy_grid(nodes: int, seed: int = 1, number: int = 40, fastest: float = 0.8) -> GriddedFlow:
    """Return eddies that drift, 24 hours on a grid of 50 km, Gaussian stream functions; at most `fastest` m/s."""
    rng = np.random.default_rng(seed)
    axis = np.linspace(0.0, SIDE, nodes)
    x, y = np.meshgrid(axis, axis)
    places, sizes = rng.uniform(0.0, SIDE, (number, 2)), rng.uniform(2e3, 6e3, number)
    swirls = rng.choice((-1.0, 1.0), number) * rng.uniform(0.3, 1.0, number)
    drifts = rng.uniform(-0.1, 0.1, (number, 2))
    velocity = np.zeros((2, HOURS, nodes, nodes))
    for k in range(HOURS):
        for (east, north), size, swirl, drift in zip(places, sizes, swirls, drifts):
            dx, dy = (x - east - 3600.0 * k * drift[0]) / size, (y - north - 3600.0 * k * drift[1]) / size
            share = swirl * np.exp(0.5 - 0.5 * (dx * dx + dy * dy))
            velocity[0, k] -= share * dy
            velocity[1, k] += share * dx
    velocity *= fastest / np.hypot(*velocity).max()
    return GriddedFlow(3600.0 * np.arange(HOURS), (0.0, 0.0, SIDE, SIDE), velocity[0], velocity[1],
                       Path('eddies'))


def field_problem(what: str, flow: GriddedFlow) -> RouteProblem:
    """Return the problem across the field: `time` at 1 m/s, `energy` by an arrival time, or `free` of one."""
    problem = RouteProblem(START, GOAL, LAW, flow, UniformFlow(), NoBarriers())
    return {'time': problem._replace(objective='time', speed=1.0), 'free': problem,
            'energy': problem._replace(arrive_by=60e3)}[what]


def measure(options: Options) -> Result:
    """Return times, memory, and how good the routes are."""
    result = Result('routes')
    nodes = 100 if options.quick else NODES
    for what in ('time', 'energy', 'free'):
        progress(f'  routes: {what}, {nodes} x {nodes} x {HOURS}')
        _once(result, what, nodes)
    _departures(result, nodes, 4 if options.quick else DEPARTURES)
    _operators_questions(result, 4 if options.quick else 25)
    for number in (3,) if options.quick else GOALS:
        _goals(result, number)
    _against_straight(result, 20 if options.quick else CASES)
    _peer(result, options)
    result.notes.append(f'{nodes} x {nodes} nodes, {HOURS} hourly steps; first: in a fresh process, compiled code on '
                        'disk or not; the bound: no way is cheaper, as far as the lattice resolves the flow')
    return result


def _once(result: Result, what: str, nodes: int) -> None:
    program = ONCE.format(here=str(HERE.parent), what=what, nodes=nodes)
    done = subprocess.run([sys.executable, '-W', 'ignore', '-c', program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    (first, later), peak, cost, rough, bound, before = json.loads(done.stdout)
    result.add(f'{what}_first_ms', [first[0]], AIM)
    result.add(f'{what}_first_processor_ms', [first[1]])
    result.add(f'{what}_later_ms', [later[0]], AIM)
    result.add(f'{what}_later_processor_ms', [later[1]])
    result.add(f'{what}_peak_mb', [peak], AIM_MEMORY)
    result.add(f'{what}_peak_beyond_field_mb', [peak - before])
    result.add(f'{what}_search_above_polish_percent', [100.0 * (rough / cost - 1.0)])
    result.add(f'{what}_above_bound_percent', [100.0 * (cost / bound - 1.0)])


def _departures(result: Result, nodes: int, number: int) -> None:
    progress(f'  routes: {number} departures')
    begin = time.perf_counter()
    found = route_departures(field_problem('time', eddy_grid(nodes)), np.linspace(0.0, 6 * 3600.0, number).tolist(),
                             progress=lambda done, of: progress(f'  routes: departure {done} of {of}')
                             if not done % 8 else None)
    result.add(f'departures_{number}_ms', [1e3 * (time.perf_counter() - begin)], AIM_DEPARTURES)
    result.add('departures_without_route_count', [float(np.isnan(found.cost).sum())], 0.0)


def _goals(result: Result, number: int) -> None:
    """Order random goals in the eddies, least time: routes from each to each on one core, then the order itself."""
    progress(f'  routes: the order of {number} goals')
    rng = np.random.default_rng(GOALS_SEED + number)
    goals = tuple((float(east), float(north)) for east, north in rng.uniform(0.1 * SIDE, 0.9 * SIDE, (number, 2)))
    problem = field_problem('time', eddy_grid(PEER_NODES))
    asked = RouteRequest(read_boat('lutra_prop'), problem, goals, (('eddies', problem.current),), (0.0,), workers=1)
    begin, busy = time.perf_counter(), process_times()
    order = goal_order(asked, lambda done, of: progress(f'  routes: {done} of {of}') if not done % 50 else None)
    result.add(f'goals_{number}_ms', [1e3 * (time.perf_counter() - begin)])
    result.add(f'goals_{number}_processor_ms', [1e3 * (process_times() - busy)])
    result.add(f'goals_{number}_h', [order.energy / 3600.0])
    result.add(f'goals_{number}_as_given_h', [order.as_given / 3600.0])
    result.add(f'goals_{number}_gap_percent', [100.0 * order.gap])


def process_times() -> float:
    """Return the processor time of this process and of its children that have ended, s."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Tide(NamedTuple):
    """A tide in a strait 2 km wide, which turns every 6.2 hours and runs at 0.9 m/s in the middle."""

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the velocity at many points, at one time; see FlowField.velocity."""
        return self.velocities(np.full(np.shape(x), t), x, y)

    def velocities(self, t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the same with a time for each point, which the polish asks for."""
        share, turn = np.exp(-((x - 1150.0) / 800.0) ** 2), 2.0 * np.pi * t / 44_700.0
        return (0.25 * share * np.sin(turn + 8e-4 * y), 0.9 * share * np.cos(turn), np.ones(np.shape(x), dtype=bool))


def _operators_questions(result: Result, number: int) -> None:
    """Time what an operator waits for: departures of a crossing in a tide, past an island, and a way up a river."""
    progress(f'  routes: {number} departures of 2.3 km in a tide')
    shapely = optional('shapely', 'flow', 'an island')
    island = shapely.Polygon([(900, -300), (1300, -250), (1400, 200), (1000, 300), (800, 100)])
    boat, hours = read_boat('blueboat'), 3600.0 * np.arange(number)
    problem = RouteProblem((0.0, 0.0), (2300.0, 0.0), LAW, Tide(), UniformFlow(), shape_barriers([island], 0.6),
                           extent=(-1000.0, -2000.0, 3400.0, 2000.0))
    begin, busy = time.perf_counter(), process_times()
    plan_route(RouteRequest(boat, problem, (problem.goal,), (('tide', problem.current),), tuple(hours.tolist())))
    result.add(f'tide_{number}_departures_ms', [1e3 * (time.perf_counter() - begin)], AIM_TIDE)
    result.add(f'tide_{number}_departures_processor_ms', [1e3 * (process_times() - busy)])
    for name, aim in zip(('river_first_ms', 'river_later_ms'), AIM_RIVER):
        begin = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main(RIVER.split())
        result.add(name, [1e3 * (time.perf_counter() - begin)], aim)


class Pulsing(NamedTuple):
    """Eddies, Gaussian in their stream function, that come and go: places m, sizes m, swirls m/s, rate rad/s."""

    places: np.ndarray
    sizes: np.ndarray
    swirls: np.ndarray
    rate: float

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the velocity at many points, at one time; see FlowField.velocity."""
        return self.velocities(np.full(np.shape(x), t), x, y)

    def velocities(self, t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the same with a time for each point, which the polish asks for."""
        u, v = np.zeros(np.shape(x)), np.zeros(np.shape(x))
        for (east, north), size, swirl in zip(self.places, self.sizes, self.swirls):
            dx, dy = (x - east) / size, (y - north) / size
            share = swirl * np.exp(0.5 - 0.5 * (dx * dx + dy * dy))
            u, v = u - share * dy, v + share * dx
        beat = np.cos(self.rate * t)
        return beat * u, beat * v, np.ones(np.shape(x), dtype=bool)


def random_case(seed: int) -> RouteProblem:
    """Return a random problem a unit wide: eddies, steady or pulsing, least time or least energy, by a time or not."""
    rng = np.random.default_rng(50_000 + seed)
    number, strength = 8, rng.uniform(0.2, 0.9)
    flow = Pulsing(rng.uniform((-0.2, -0.5), (1.2, 0.5), (number, 2)), rng.uniform(0.08, 0.25, number),
                   strength * rng.choice((-1.0, 1.0), number) * rng.uniform(0.5, 1.0, number),
                   float(rng.choice((0.0, rng.uniform(0.5, 4.0)))))
    law = PowerLaw(1.0, rng.uniform(2.0, 3.0), rng.uniform(0.1, 1.0), 3.0)
    problem = RouteProblem((0.0, 0.0), (1.0, 0.0), law, flow, UniformFlow(), NoBarriers())
    if seed % 3 == 0:
        return problem._replace(objective='time', speed=1.0)
    return problem._replace(arrive_by=rng.uniform(0.8, 3.0) if seed % 3 == 1 else None)


def excess_over_straight(seed: int) -> float:
    """Return by how much a random case's route is dearer than the straight way, a share; -1: that cannot be gone."""
    problem = random_case(seed)
    try:
        found = find_route(problem, SearchOptions(points=1500, hop_points=700))
    except InputError:
        return math.nan
    return found.cost / objective_value(problem, found.straight) - 1.0 if found.straight is not None else -1.0


def _against_straight(result: Result, number: int) -> None:
    progress(f'  routes: {number} random cases against the straight way')
    excess = np.full(number, np.nan)
    for done, (seed, value) in enumerate(forked(excess_over_straight, number, cores()), start=1):
        excess[seed] = value
        if not done % 50:
            progress(f'  routes: case {done} of {number}')
    result.add(f'dearer_than_straight_of_{number}_count', [float((excess > 1e-9).sum())], 0.0)
    result.add(f'no_route_of_{number}_count', [float(np.isnan(excess).sum())])
    result.add('saved_against_straight_percent', (-100.0 * excess[excess > -1.0]).tolist())


def _peer(result: Result, options: Options) -> None:
    """Compare with dabry, on the same field at the same speed, in the same run."""
    if options.route_peer is None or options.quick:
        result.skipped['peer'] = ('takes minutes: not with --quick' if options.route_peer else
                                  'needs --route-peer, a checkout of github.com/dabry-route/dabry, and '
                                  '--route-peer-python, an interpreter that has what it needs')
        return
    flow = eddy_grid(PEER_NODES)
    problem = field_problem('time', flow)
    find_route(problem)
    begin, busy = time.perf_counter(), time.process_time()
    ours = find_route(problem).cost
    result.add('beside_peer_ours_ms', [1e3 * (time.perf_counter() - begin)])
    result.add('beside_peer_ours_processor_ms', [1e3 * (time.process_time() - busy)])
    result.add('beside_peer_ours_h', [ours / 3600.0])
    progress('  routes: dabry on the same field, which takes some minutes')
    found = _peer_answer(options, flow)
    for key, values in zip(('peer_ms', 'peer_processor_ms'), zip(*found['times'])):
        result.add(key, [1e3 * value for value in values])
    if 'points' in found:
        x, y = np.array([*found['points'], GOAL]).T
        x[0], y[0] = START
        theirs = route_along_path(problem, x, y).duration
        result.add('peer_h', [theirs / 3600.0])
        result.add('peer_above_ours_percent', [100.0 * (theirs / ours - 1.0)])
    else:
        result.skipped['peer_h'] = found['failed']


def _peer_answer(options: Options, flow: GriddedFlow) -> dict[str, Any]:
    """Return what bench/route_peer.py prints."""
    grid = flow.grid
    shape = grid.nt, grid.ny, grid.nx
    with tempfile.TemporaryDirectory() as folder:
        field, task = Path(folder, 'field.npz'), Path(folder, 'task.json')
        np.savez(field, vx=grid.vx.reshape(shape), vy=grid.vy.reshape(shape), times=flow.times, extent=flow.extent)
        task.write_text(json.dumps({'field': str(field), 'start': START, 'goal': GOAL, 'speed': 1.0, 'longest': 75e3,
                                    'repeats': 1}), encoding='utf-8')
        done = subprocess.run([str(options.route_peer_python), str(HERE.with_name('route_peer.py')),
                               str(options.route_peer), str(task)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f'dabry: {(done.stderr.strip() or "failed").splitlines()[-1]}')
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer
