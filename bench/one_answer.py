"""
One boat, one answer: top speed and watts of every shipped boat by all ways that the product has of saying them.

At 25, 50, 75 and 100 % of the top speed, in calm water, in a current, in wind and in a sea: by boat check, range, map,
mission and route (steady), by the live graph where there is ROS, by a run at held speed and at full throttle, by sweeps
compiled and on arrays, and by analyze of the run's own log: by its motion, by its thrusts and by its commands. And
missions: their estimate against their simulation. A boat whose file has a `caution`, which every command
repeats, does not count.

    ./run bench --only one_answer              the largest difference of each boat and condition
    python3 bench/one_answer.py [BOAT ...]     every answer side by side
"""

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from options import Options
from report import Result, progress

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import has_numba, run_ensemble
from usv_energy.files.locate import names
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile, flow_from
from usv_energy.logs.log import Log
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.physics.frames import to_body
from usv_energy.physics.motion import Flow
from usv_energy.sim.record import Run
from usv_energy.sim.runner import ScenarioRun
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.check.boat_check import at_full, boat_check, speed_curves
from usv_energy.studies.maps.map_study import energy_map
from usv_energy.studies.mission.mission_estimate import legs_estimate
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.plan.boat_in_sea import boat_in_sea
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.plan.steady_range import fastest, speed_curve
from usv_energy.studies.route.costs.motion_table import SteadyCost

TESTS = Path(__file__).resolve().parents[1] / 'test'
sys.path[:0] = [str(TESTS / 'unit'), str(TESTS / 'node'), str(TESTS)]

SHARES = 0.25, 0.5, 0.75, 1.0
STEADY, AVERAGED = 0.5, 1.0     # %: differences of what is said of a steady motion, and of what a run is averaged over.
MISSION = 3.0                   # %: of a mission's estimate from its simulation.
SETTLED = 0.6                   # Of a run: from there on it goes steadily.
LASTS = 120.0                   # s, of a run, at least, and so many times as long as the boat takes to go its length.
LENGTHS = 60.0
CURRENT, WIND, SEA = 0.15, (4.0, 0.7), (0.3, 3.0, math.pi)  # Of the top speed; m/s and rad (ENU); Hs m, Tp s, towards.
SEA_SHARE = 0.1     # Of all thrust, that a head sea takes of a boat whose file does not say it.
CONDITIONS = 'calm', 'current', 'wind', 'sea'


class Answer(NamedTuple):
    """
    What one way says of a motion: its speed over ground, m/s, and all electrical power, W.

    `asked`: the speed that it should have, m/s. `expected`: what `range` says of that speed and course, W; of a sweep,
    what the same run has without the engine's loops.
    """

    way: str
    asked: float
    speed: float
    power: float
    expected: float


def flow_of(condition: str, top: float) -> Flow:
    """Return water and air of a condition for a boat with a top speed, m/s: the current sets aside and ahead."""
    wind = WIND[0] * math.cos(WIND[1] + math.pi), WIND[0] * math.sin(WIND[1] + math.pi)
    return Flow(*((CURRENT * top, 0.5 * CURRENT * top) if condition == 'current' else (0.0, 0.0)),
                *(wind if condition == 'wind' else (0.0, 0.0)))


def boats() -> list[str]:
    """Return the shipped boats that go under power."""
    return [name for name in names('boats') if read_boat(name).vessel.thrusters]


def not_for_energies() -> dict[str, str]:
    """Return what files say that their numbers are not for; every command repeats it, and they do not count here."""
    return {name: caution for name in names('boats') if (caution := read_boat(name).caution)}


def answers(name: str, condition: str) -> list[Answer]:
    """Return what all ways say of a boat in a condition; none where it is not for that boat."""
    with TemporaryDirectory() as folder:
        return _answers(read_boat(name), condition, Path(folder))


def _answers(boat: Boat, condition: str, folder: Path) -> list[Answer]:
    calm = boat_check(boat)
    flow = flow_of(condition, calm.top_ahead)
    if condition == 'sea':
        if boat.power_curve is not None:
            return []
        boat = boat_in_sea(boat if boat.waves is not None else _with_waves(boat, folder), SEA)
    top = calm.top_ahead if condition == 'calm' else fastest(boat.vessel, 0.0, flow)
    if not top > 0.0:
        return []
    speeds = [float(share * top) * (1.0 - 1e-9) for share in SHARES]
    found = [*_steady_answers(boat, flow, speeds), *_mission_answers(boat, flow, speeds)]
    if condition == 'calm':
        at_top = int(np.argmin(np.abs(calm.curves.speed - calm.top_ahead)))
        power = calm.curves.power[at_top] if boat.power_curve is not None else at_full(boat.vessel).power
        found.append(Answer('boat check', speeds[-1], calm.top_ahead, float(power),
                            range_power(boat, flow, 0.0, speeds[-1])))
    if boat.power_curve is not None:
        return found
    if condition == 'calm':
        found += [Answer('boat check', speed, speed, float(power), range_power(boat, flow, 0.0, speed))
                  for speed, power in zip(speeds, speed_curves(boat.vessel, np.array(speeds)).power)]
    found += _live_answers(boat, flow, speeds)
    if condition != 'sea' or boat.vessel.parts is None:     # Of a hull of parts each wave counts.
        for speed in speeds[:-1]:
            found += _run_answers(boat, flow, speed, speed)
        found += _run_answers(boat, flow, None, speeds[-1])
    return found


def _with_waves(boat: Boat, folder: Path) -> Boat:
    """Return a boat whose file says that a head sea takes a share of its thrust, and a following one gives a third."""
    force = SEA_SHARE * sum(one.max_thrust for one in boat.vessel.thrusters) / SEA[0] ** 2
    path = folder / f'{boat.name}.yaml'
    path.write_text(json.dumps({'base': str(boat.path), 'waves': {
        'source': 'made up', 'directions_deg': [0, 180], 'periods': [SEA[1]],
        'coefficients': [[force], [-force / 3.0]]}}), encoding='utf-8')
    return read_boat(str(path))


def range_power(boat: Boat, flow: Flow, course: float, speed: float) -> float:
    """Return what `range` says of a course over ground, rad (ENU), and a speed, m/s, at most the top speed there: W."""
    attained = min(speed, fastest(boat.vessel, course, flow) * (1.0 - 1e-9))
    return float(speed_curve(boat.vessel, 1.0, course, flow, np.array([attained])).power[0])


def _steady_answers(boat: Boat, flow: Flow, speeds: list[float]) -> Iterator[Answer]:
    currents, winds = [_polar(*flow[:2])], [_polar(*flow[2:])]
    of_map = energy_map(boat.vessel, np.zeros(1), np.array(speeds), currents, winds).fields['power_total'].ravel()
    for speed, mapped, route in zip(speeds, of_map, _route_power(boat, flow, np.array(speeds))):
        expected = range_power(boat, flow, 0.0, speed)
        yield Answer('map', speed, speed, float(mapped), expected)
        yield Answer('route', speed, speed, float(route), expected)


def _polar(x: float, y: float) -> tuple[float, float]:
    return math.hypot(x, y), math.degrees(math.atan2(y, x))


def _route_power(boat: Boat, flow: Flow, speeds: np.ndarray) -> np.ndarray:
    """Return the power of a route's straight part, W: it knows the speed through the water, and the air over that."""
    through = speeds - flow.current_x, 0.0 * speeds - flow.current_y
    speed, bearing = np.hypot(*through), np.arctan2(through[1], through[0])
    air = flow.wind_x - flow.current_x, flow.wind_y - flow.current_y
    along, across = to_body(air[0], air[1], np.cos(bearing), np.sin(bearing))
    return SteadyCost(boat.vessel).power(speed, along, across, bearing)


def _live_answers(boat: Boat, flow: Flow, speeds: list[float]) -> list[Answer]:
    """Return what the nodes, composed in this process, say of odometry of steady motions; nothing without ROS."""
    if find_spec('rclpy') is None:
        return []
    import loopback  # type: ignore[import-not-found]  # of the tests
    import rclpy
    from domain_coordinator import domain_id
    from harness import EnergyGraph  # type: ignore[import-not-found]

    from usv_energy.ros.graph.graph import FlowOptions
    water, air = (FlowOptions('global', *_polar(*part)) for part in (flow[:2], flow[2:]))
    sea = {} if boat.vessel.sea is None else {'sea': f'{SEA[0]},{SEA[1]},{math.degrees(SEA[2])}'}
    steady, found = steady_state(boat.vessel, 0.0, np.array(speeds), flow), list[Answer]()
    with domain_id() as domain, loopback.environment('ROS_DOMAIN_ID', str(domain)):
        loopback.init()
        rclpy.logging.set_logger_level('', rclpy.logging.LoggingSeverity.WARN)
        graph = EnergyGraph(str(boat.path), current=water, wind=air, without=('energy_accumulator',),
                            change={'power_calculator': sea})
        for n, (speed, yaw) in enumerate(zip(speeds, steady.yaw)):
            u, v = map(float, to_body(speed, 0.0, np.cos(yaw), np.sin(yaw)))
            said = graph.tell_all((n + 0.25 * k for k in range(4)), until='power', u=u, v=v, yaw=float(yaw))
            found.append(Answer('live graph', speed, speed, said.total, range_power(boat, flow, 0.0, speed)))
        graph.close()
        rclpy.shutdown()
    return found


def _mission_answers(boat: Boat, flow: Flow, speeds: list[float]) -> Iterator[Answer]:
    for speed in speeds:
        legs = legs_estimate(_straight(boat, flow, speed, 2.0e5 * speed))   # So long that its ends do not count.
        yield Answer('mission', speed, float(legs.length[0] / legs.under_way[0]),
                     float(legs.total[0] / legs.under_way[0]), range_power(boat, flow, 0.0, speed))


def _straight(boat: Boat, flow: Flow, speed: float, length: float, waves: FlowFile | None = None) -> Scenario:
    way = Itinerary('straight', LocalPlace(0.0, 0.0), True, (Waypoint(LocalPlace(length, 0.0), 0),))
    return mission_scenario(way, boat, waves or UniformFlow(flow.current_x, flow.current_y),
                            UniformFlow(flow.wind_x, flow.wind_y), speed).scenario


def _run_answers(boat: Boat, flow: Flow, speed: float | None, asked: float) -> Iterator[Answer]:
    """Yield what runs at a speed over ground, or at full throttle (None), say, and what is said of their logs."""
    lasts = max(LASTS, LENGTHS * (boat.hull.length or 1.0) / asked)
    waves = None if boat.vessel.sea is None else flow_from({'medium': 'water', 'waves': {
        'kind': 'irregular', 'significant_height': SEA[0], 'peak_period': SEA[1],
        'direction_deg': math.degrees(SEA[2])}}, Path('sea.yaml'))
    moved = replace(boat, vessel=boat.vessel._replace(sea=None))    # A run's waves are those of its water.
    scenario = replace(_straight(moved, flow, asked, 10.0 * lasts * asked, waves), timeout=lasts)
    yaw = float(steady_state(boat.vessel, 0.0, np.array([asked]), flow).yaw[0])    # To turn takes minutes.
    scenario = replace(scenario, start=(*scenario.start[:2], yaw))
    if speed is None:
        scenario = replace(scenario, speed=None, orders=())
    run, thrusts, commands, angles, foils = _followed(scenario)
    kept = slice(int(SETTLED * len(run.rows)), None)
    rows = run.rows[kept]
    way = 'run' if speed is not None else 'full throttle'
    made_good, course = _made_good(rows)
    if speed is None:
        asked = fastest(boat.vessel, course, flow)
    expected = range_power(boat, flow, course, made_good)
    yield Answer(way, asked, made_good, float(np.mean([row.power.total for row in rows])), expected)
    if speed is not None and flow[:2] == (0.0, 0.0):
        yield from _sweep_answers(scenario, run, way, asked)
    for name, given in (('motion', None), ('thrusts', thrusts), ('commands', commands)):
        log = _log_of(run, kept, moved, given, angles, foils, name == 'thrusts')
        options = AnalysisOptions(find_flow=False, actuators='allocated' if given is None else 'auto',
                                  sea=None if waves is None else SEA)
        found = analysed_log(log, moved, options)
        yield Answer(f'analyze {way} by {name}', asked, made_good, found.energy.total / found.energy.duration, expected)


def _made_good(rows: Any) -> tuple[float, float]:
    """Return speed, m/s, and course, rad (ENU), made good from the first row to the last."""
    begin, end = rows[0], rows[-1]
    away = complex(end.x - begin.x, end.y - begin.y)
    return abs(away) / float(end.time - begin.time), math.atan2(away.imag, away.real)


def _followed(scenario: Scenario) -> tuple[Run, Any, Any, Any, Any]:
    """Return a run, and at each of its samples thrusts, commands, N, and angles of thrusters and foils, rad."""
    going, kept = ScenarioRun(scenario), []
    more = True
    while more:
        samples, plant = len(going.observer.rows), going.plant
        here = plant.thrusts, plant.setting.commands, plant.setting.angles, plant.setting.foils
        more = going.advance()
        if len(going.observer.rows) > samples:
            kept.append(here)
    thrusts, commands, angles, foils = ([row[part] for row in kept] for part in range(4))
    return going.result(), np.array(thrusts, float), np.array(commands, float), _angles(angles), _angles(foils)


def _angles(rows: list[tuple[float | None, ...]]) -> np.ndarray:
    return np.array([[math.nan if angle is None else angle for angle in row] for row in rows], dtype=float)


def _log_of(run: Run, kept: slice, boat: Boat, thrust: Any, angles: Any, foils: Any, given: bool) -> Log:
    rows = run.rows[kept]
    columns: dict[str, Any] = {name: np.array([getattr(row.motion, name) for row in rows])
                               for name in ('yaw', 'u', 'v', 'r')}
    flows: dict[str, Any] = {name: np.array([getattr(row.flow, name) for row in rows]) for name in Flow._fields}
    shown: dict[str, Any] = {}
    if thrust is not None:
        shown = {'thrust': thrust[kept], 'thrusters': boat.thruster_names, 'angle': angles[kept],
                 'thrust_given': given}
    if thrust is not None and boat.foil_names:
        shown |= {'foil_angle': foils[kept], 'foils': boat.foil_names}
    return Log('run', Path('run'), np.array([row.time for row in rows]), x=np.array([row.x for row in rows]),
               y=np.array([row.y for row in rows]), **columns, **flows, **shown)


def _sweep_answers(scenario: Scenario, run: Run, way: str, asked: float) -> Iterator[Answer]:
    """Yield the mean power of a whole run of the scenario by the engine's loops, as the run without them has it."""
    steered = replace(scenario, by_course=False, orders=())
    reference = ScenarioRun(steered)
    while reference.advance():
        pass
    whole = reference.result()
    expected = whole.energy.total / whole.duration
    for backend in ('numba', 'numpy') if has_numba() else ('numpy',):
        found = run_ensemble(cases_of(steered, 1), backend)
        yield Answer(f'sweep {way} by {backend}', asked, asked, float(found.energy['total'][0] / found.duration[0]),
                     expected)


def differences(found: list[Answer]) -> dict[str, float]:
    """Return by way the largest difference of its speed from what was asked for, and of its watts, %."""
    worst: dict[str, float] = {}
    for one in found:
        for way, ratio in ((f'{one.way}, speed', one.speed / one.asked), (one.way, one.power / one.expected)):
            apart = 100.0 * abs(ratio - 1.0)
            worst[way] = max(worst.get(way, 0.0), math.inf if math.isnan(apart) else apart)
    return worst


def mission_errors(name: str) -> dict[str, tuple[float, float]]:
    """Return by mission how far a boat's estimate is from its simulation: time and energy, %."""
    from mission_boats import COURSES, mission_of_boat  # type: ignore[import-not-found]  # of the tests

    from usv_energy.sim.runner import run_scenario
    found = {}
    for course in COURSES:
        scenario = mission_of_boat(name, course)
        legs, run = legs_estimate(scenario), run_scenario(scenario)
        found[course] = (100.0 * (float(legs.end[-1]) / run.duration - 1.0),
                         100.0 * (float(legs.total.sum()) / run.energy.total - 1.0))
    return found


def measure(options: Options) -> Result:
    """Return the largest differences of each boat: in each condition, and of its missions."""
    result, cautions = Result('one_answer'), not_for_energies()
    counted = [name for name in boats() if name not in cautions]
    for name in counted[:2] if options.quick else counted:
        for condition in CONDITIONS:
            progress(f'  one_answer: {name}, {condition}')
            found = answers(name, condition)
            worst = differences(found) if found else {}
            for what, limit in (('steady', STEADY), ('run', AVERAGED)):
                some = [value for way, value in worst.items() if ('run' in way or 'throttle' in way) == (what == 'run')]
                if some:
                    result.add(f'{name}_{condition}_{what}_difference_percent', [max(some)], limit)
        if read_boat(name).power_curve is None:
            progress(f'  one_answer: {name}, missions')
            errors = [abs(value) for pair in mission_errors(name).values() for value in pair]
            result.add(f'{name}_mission_difference_percent', [max(errors)], MISSION)
    result.notes.append('differences from what range says of the same boat at the same speed; mission: the largest '
                        'error in time and energy of five missions against their simulation')
    result.notes += [f'{name} does not count: {caution}' for name, caution in cautions.items()]
    return result


def main() -> None:
    """Print every answer of some boats, or all."""
    cautions = not_for_energies()
    for name in sys.argv[1:] or boats():
        if name in cautions:
            print(json.dumps({'boat': name, 'does_not_count': cautions[name]}), flush=True)
        for condition in CONDITIONS:
            found = answers(name, condition)
            if found:
                worst = {way: round(value, 3) for way, value in differences(found).items()}
                print(json.dumps({'boat': name, 'condition': condition, 'percent': worst}), flush=True)
        if read_boat(name).power_curve is None:
            print(json.dumps({'boat': name, 'missions_percent': {
                course: [round(value, 2) for value in pair] for course, pair in mission_errors(name).items()}}),
                flush=True)


if __name__ == '__main__':
    main()
