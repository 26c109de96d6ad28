"""
How well a route's promise holds: random routes of boats and flows, each run in the simulator with the full model.

Routes keep off the water's end as those of `usv-energy route` without a `--clearance` do.

    ./run shell python3 bench/simulated_routes.py --seed 61000 --count 20

Nothing was chosen on a seed that is named in docs/routes.md. A case takes some seconds.
"""

import math
import sys
import warnings
from typing import Any

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.files.errors import InputError
from usv_energy.files.work import cores, forked
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.field import FlowField
from usv_energy.flow.flow_argument import flow_of
from usv_energy.studies.route.barriers.read_barriers import barriers_with_room, resolved_water_edges
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.plan_route import RouteRequest, prepared_request
from usv_energy.studies.route.route_legs import legs_with_exact_energy, simplified_route
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem
from usv_energy.studies.route.route_study import RouteStudy, judged, shortest_leg, simulate_legs
from usv_energy.studies.route.search.rough_ways import SearchOptions

BOATS = {'lutra_prop': 6.0, 'blueboat': 8.0, 'otter': 30.0, 'lutra_rudder_t200': 6.0, 'wamv': 60.0}    # Hotel load, W.
LENGTH = 150.0, 400.0           # m, of the straight way.
FEW = SearchOptions(points=3000, hop_points=2000, most=1, bound=False)


def random_asked(seed: int, boat_name: str | None = None) -> tuple[str, RouteRequest]:
    """Return a random boat (or one), way, current and wind, named: the shipped river, or a uniform current."""
    rng = np.random.default_rng(seed)
    drawn = str(rng.choice(list(BOATS)))
    name = boat_name or drawn
    boat = with_static_load(read_boat(name), BOATS.get(name, 6.0))
    length, course = rng.uniform(*LENGTH), rng.uniform(-math.pi, math.pi)
    blowing, strong, towards = rng.uniform(0.0, 4.0), rng.uniform(0.0, 0.5), rng.uniform(-math.pi, math.pi)
    wind = UniformFlow(blowing * math.cos(course + 1.0), blowing * math.sin(course + 1.0))
    if rng.uniform() < 0.5:
        current: FlowField = flow_of('river', '--current', 'water') or UniformFlow()
        west, up = rng.uniform(40.0, 80.0), rng.uniform() < 0.5
        ends = [(west, rng.uniform(75.0, 115.0)), (min(west + min(length, 300.0), 345.0), rng.uniform(75.0, 115.0))]
        start, goal = ends[::-1] if up else ends
        where = 'up the river' if up else 'down the river'
    else:
        current = UniformFlow(strong * math.cos(towards), strong * math.sin(towards))
        start, goal = (0.0, 0.0), (length * math.cos(course), length * math.sin(course))
        where = f'{strong:.2f} m/s'
    barriers = barriers_with_room(
        boat, (start, goal), lambda clearance: resolved_water_edges(boat, current, (0.0,), clearance))
    problem = RouteProblem(start, goal, PowerLaw(1.0), current, wind, barriers)
    return f'{name}, {where}, wind {blowing:.1f} m/s', RouteRequest(boat, problem, (goal,), (('given', current),))


def off_promise(seed: int, boat_name: str | None = None) -> tuple[str, float, float]:
    """Return a case's name, its promised energy, J, and the share by which the simulated one differs; NaN for none."""
    name, asked = random_asked(seed, boat_name)
    try:
        asked = prepared_request(asked)
        problem = asked.problem
        route = find_route(problem, FEW).best
    except InputError as error:
        return f'{name}: {error}', math.nan, math.nan
    study = judged(RouteStudy('route', asked.boat, problem, None, asked.goals, route, legs_with_exact_energy(
        simplified_route(route, problem, shortest_leg(asked.boat, route)), problem, asked.boat.vessel), math.nan, ()))
    try:
        run = simulate_legs(study)
    except InputError as error:
        return f'{name}: {error}', study.energy, math.inf
    study = study._replace(simulated=run)
    return name, study.energy, study.simulation_error if run is not None and run.reached else math.inf


def main() -> int:
    """Print a line a case and what they are together."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--seed', type=at_least(0), default=61000)
    parser.add_argument('--count', type=at_least(1), default=20)
    parser.add_argument('--boat', choices=sorted({*BOATS, 'lutra_rudder'}), help='one boat (any of five)')
    given = parser.parse_args()
    warnings.simplefilter('ignore')
    rows: list[dict[str, Any]] = []
    figures: dict[str, Any] = {'rows': rows}
    with kept(figures, given.json) as out:
        for place, (name, promised, off) in forked(lambda case: off_promise(given.seed + case, given.boat), given.count,
                                                   cores()):
            rows.append({'seed': given.seed + place, 'case': name, 'promised_wh': promised / 3600.0,
                         'off_percent': 100.0 * off})
            figures.update(summary_of(rows))
            print('{seed}: {promised_wh:.3f} Wh promised, {off_percent:+.2f} %: {case}'.format(**rows[-1]), file=out,
                  flush=True)
        rows.sort(key=lambda row: int(row['seed']))
        print('{cases} cases, {without_route_or_arrival} without a route or arrival, {within_3_percent} within 3 %, '
              'worst {worst_percent:.2f} %, mean {mean_percent:+.2f} %'.format(**figures), file=out)
    return 0


def summary_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what some cases are together; NaN where none arrived."""
    off = np.array([row['off_percent'] for row in rows])
    known = off[np.isfinite(off)]
    return {'cases': len(rows), 'without_route_or_arrival': off.size - known.size,
            'within_3_percent': int((abs(known) <= 3.0).sum()),
            'worst_percent': float(abs(known).max()) if known.size else math.nan,
            'mean_percent': float(known.mean()) if known.size else math.nan}


if __name__ == '__main__':
    sys.exit(ended_by(main))
