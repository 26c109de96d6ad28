"""
A scenario: a boat, its waypoints, water and air, and its controller; read from config/scenarios or any YAML file.

Gains, lookahead distance and radius of a scenario suit its boat, and all versions of that boat, whose files share a
`base`. Any other boat gets values from its own inertia, damping and length.

Figures that a source published for a scenario, and whether they apply to a scenario derived from another one.
"""

import itertools
import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from usv_energy.boats.boat_file import Boat, read_boat, require_motion
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.boats.checks import can_turn
from usv_energy.boats.load import rules_with_names, unmatched_legs
from usv_energy.earth import LocalPlane
from usv_energy.files import checked
from usv_energy.files.alike import Alike
from usv_energy.files.checked import base_path_of, read_with_base, values_of
from usv_energy.files.errors import InputError, counted
from usv_energy.files.limits import SHORTEST_STEP, safe_name
from usv_energy.files.locate import names, resolve
from usv_energy.files.parsed_text import read_yaml
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile, read_flow
from usv_energy.flow.on_earth import laid_together, remarks_of
from usv_energy.flow.wind_height import wind_at_boat, wind_share
from usv_energy.physics.frames import polar_to_earth
from usv_energy.physics.waves.added_resistance import MeanSea
from usv_energy.powering.power import CONVENTIONS
from usv_energy.sim.control.control import Gains, against_wind, course_gains
from usv_energy.sim.control.guidance import Point, Tacking
from usv_energy.sim.leg_energy import NOTHING_ORDERED, WaypointOrder
from usv_energy.sim.obstacle import Footprint, Obstacle, hull_among, obstacles_of
from usv_energy.sim.plants.plant import FlowAt, felt_flow, is_even, mean_sea_around
from usv_energy.sim.plants.step_limit import check_step, top_speed_bound
from usv_energy.sim.plants.water_around import Surroundings
from usv_energy.sim.sensors.sensor_suite import OWN_SENSORS, Sensing, check_sensing, sensing_of

# A file that changes one of these keys describes another run, to which the published figures do not apply.
OF_THE_RUN = ('boat', 'plant', 'start', 'waypoints', 'speed', 'current', 'wind')


@dataclass(frozen=True)
class Published:
    """
    Published figures of a scenario; NaN if not published.

    Duration s, energy J; distance m, mean and peak speed m/s, all three over ground.
    """

    duration: float = math.nan
    energy: float = math.nan
    source: str = ''
    note: str = ''
    distance: float = math.nan
    mean_speed: float = math.nan
    peak_speed: float = math.nan


def published_of(plain: dict[str, Any]) -> Published:
    """Return the Published from the values under the key `published`."""
    numbers = {key: float(plain[key]) for key in ('duration', 'energy', 'distance', 'mean_speed', 'peak_speed')
               if key in plain}
    return Published(source=plain.get('source', ''), note=plain.get('note', ''), **numbers)


def read_scenario_document(path: Path) -> dict[str, Any]:
    """
    Return a scenario file merged with its base, without published figures of the base that are of another run.

    Another run has another boat, way, speed, current or wind; another controller does not count.

    :raises InputError: As `files.checked.read_with_base`.
    """
    document = read_with_base('scenarios', path)
    document.pop('published', None)
    figures = _figures(path, document)
    return {**document, 'published': figures} if figures else document


def _figures(path: Path, document: dict[str, Any]) -> dict[str, Any]:
    """Return the published figures of a file's run: its own, and those of its base if that has the same run."""
    own = read_yaml(path)
    base, figures = base_path_of('scenarios', own, path), own.get('published', {})
    if not isinstance(figures, dict | None):
        raise InputError(f'{path}: published is {str(figures)[:60]!r}; must be a mapping')
    if base is None or figures is None:
        return figures or {}
    below = read_with_base('scenarios', base)
    if any(values_of(document.get(key, {})) != values_of(below.get(key, {})) for key in OF_THE_RUN):
        return dict(figures)
    return {**_figures(base, below), **figures}


LENGTH = 1.2  # m, length of a boat whose file gives none.
RADIUS, LOOKAHEAD = 1.5, 3.0  # In boat lengths: distance at which a waypoint counts as reached; lookahead distance.
PATIENCE = 4.0  # Timeout of a run, over the time for its way.
TITLE, GAINS, AHEAD, WITHIN = 'title', 'controller', 'lookahead', 'radius'
MAX_GAP = 1.0  # s, longest time between samples over which a run differentiates and integrates.


@dataclass(frozen=True, eq=False)
class Scenario(Alike):
    """
    A scenario, validated.

    `boat`: of the power model. `plant`: the simulated boat; the same unless the scenario has another. Positions in m
    (ENU), `start` with the yaw in rad. `speed`: m/s over ground, None for full thrust. `step` and `period`: of the
    plant and of the odometry, s. `wind`: at the boat; `wind_height`, m above water: of the file's wind, from which it
    was reduced (None: at the boat). `orders`: one for each waypoint, or none. `by_course`: whether it is steered by its
    course over ground; a leg then also ends at the line across its end. `obstacles`: collisions are counted, but do not
    affect the motion. `sensing`: the boat's sensors.
    """

    name: str
    title: str
    path: Path
    boat: Boat
    plant: Boat
    start: tuple[float, float, float]
    waypoints: tuple[Point, ...]
    speed: float | None
    current: UniformFlow | FlowFile
    wind: UniformFlow | FlowFile
    wind_height: float | None
    convention: str
    gains: Gains
    lookahead: float | None
    radius: float
    timeout: float
    step: float
    period: float
    published: Published
    no_go: float = math.radians(45.0)
    corridor: float = 10.0
    orders: tuple[WaypointOrder, ...] = ()
    by_course: bool = False
    obstacles: tuple[Obstacle, ...] = ()
    sensing: Sensing = OWN_SENSORS

    def __repr__(self) -> str:
        """Return its title, boats, waypoints, speed and file; the fields have all."""
        boats = self.boat.name if self.plant is self.boat else f'{self.boat.name}, moved as {self.plant.name}'
        speed = 'full thrust' if self.speed is None else f'{self.speed:g} m/s'
        return (f'<Scenario {safe_name(self.name)}: {safe_name(self.title)}; {boats}, '
                f'{counted(len(self.waypoints), "waypoint")}, {speed}; {self.path}>')

    @property
    def world(self) -> LocalPlane | None:
        """Where on the Earth its metres count from; None where it does not say."""
        return None if self.sensing.origin is None else LocalPlane(self.sensing.origin[::-1])

    @property
    def hull(self) -> Footprint | None:
        """The hull of the simulated boat; None without obstacles."""
        return hull_among(self.obstacles, self.plant, self.path)

    def order_of(self, waypoint: int) -> WaypointOrder:
        """Return the order for a waypoint, by its index in `waypoints`."""
        return self.orders[waypoint] if self.orders else NOTHING_ORDERED

    @property
    def leg_names(self) -> tuple[str, ...]:
        """The names of its legs in their order, empty of those without one."""
        return tuple(self.order_of(number).name for number in range(len(self.waypoints)))

    def on_its_legs(self, boat: Boat) -> Boat:
        """Return a boat whose loads know the names of the legs that its file calls by their numbers."""
        return boat if all(rule.legs is None for rule in boat.load_rules) else replace(
            boat, load_rules=rules_with_names(boat.load_rules, self.leg_names))

    @property
    def tacking(self) -> Tacking | None:
        """How the simulated boat sails upwind; None without a sail."""
        sails = any(foil.sail is not None for foil in self.plant.vessel.foils)
        return Tacking(self.no_go, self.corridor) if sails else None

    def laid_on_earth(self) -> 'Scenario':
        """Return the scenario with its flow files' flows where on the Earth it and they say."""
        current, wind = laid_together(self.current, self.wind, self.world, 'the scenario')
        return replace(self, current=current, wind=wind)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to know of where its flow files' flows lie, and of loads on legs that there are not, sentences."""
        return (*remarks_of(self.current, self.wind), *unmatched_legs(self.boat.load_rules, self.leg_names))

    @property
    def steps_per_period(self) -> int:
        """Steps of the plant between two odometry samples."""
        return round(self.period / self.step)

    def flow_at(self) -> FlowAt:
        """
        Return the function of (time s, x m, y m) that gives the plant its Flow.

        The function raises InputError if a flow has no value: the boat has left its field, or its times.
        """
        return felt_flow(self.felt_current, self.wind)

    def surroundings(self) -> Surroundings:
        """Return the sea and the variation of the flow around the plant."""
        water = self.felt_current if isinstance(self.felt_current, FlowFile) else None
        return Surroundings(None if water is None else water.sea,
                            not (is_even(self.current) and is_even(self.wind)),
                            water.sea_around if water is not None and water.sea_varies else None,
                            None if water is None else water.drift_depth, self._mean_around())

    @property
    def feels_mean_sea(self) -> bool:
        """Whether the simulated boat is planar, on waves, and has coefficients for their mean force."""
        return (self.plant.vessel.parts is None and self.plant.waves is not None and isinstance(self.current, FlowFile)
                and self.current.waves is not None)

    @property
    def felt_current(self) -> UniformFlow | FlowFile:
        """The current; without the waves' drift if the boat's coefficients contain the effect of that."""
        current = self.current
        return current.without_drift() if self.feels_mean_sea and isinstance(current, FlowFile) else current

    def _mean_around(self) -> Callable[[float, float, float], MeanSea | None] | None:
        if self.plant.waves is None or not self.feels_mean_sea or not isinstance(self.current, FlowFile):
            return None
        return mean_sea_around(self.current, self.plant.waves)

    @property
    def in_waves(self) -> bool:
        """Whether the simulated boat heaves, rolls and pitches in waves."""
        around = self.surroundings()
        return self.plant.vessel.parts is not None and (around.sea, around.sea_around) != (None, None)

    def with_options(self, boat: Boat | str | None = None, plant: Boat | str | None = None,
                     convention: str | None = None, payload: float | None = None) -> 'Scenario':
        """
        Return the scenario with another boat (plant and power model), another plant, convention or payload.

        A boat that is no version of the scenario's own gets its own gains, and published figures do not apply to it.

        :param boat: A boat, or the name or path of its file; so is `plant`.
        :param payload: Mass on board of boat and plant, kg, in place of that of their files.
        :raises InputError: For an unknown boat or convention, a payload below 0, a boat that the step is too long for.
        """
        changed = self
        if boat is not None:
            other = boat if isinstance(boat, Boat) else read_boat(boat)
            changed = replace(changed, boat=other, plant=other)
        if plant is not None:
            changed = replace(changed, plant=plant if isinstance(plant, Boat) else read_boat(plant))
        if payload is not None:
            same, load = changed.plant is changed.boat, {'hull.payload': payload}
            loaded = checked_boat_with(changed.boat, load)
            changed = replace(changed, boat=loaded, plant=loaded if same else checked_boat_with(changed.plant, load))
        if not (are_versions(changed.boat, self.boat) and are_versions(changed.plant, self.plant)):
            changed = replace(for_other_boat(changed), published=Published())
        elif (changed.boat.path, changed.plant.path) != (self.boat.path, self.plant.path):
            # The published figures remain for comparison, but their note is about the scenario's own boat.
            changed = replace(changed, published=replace(self.published, note=''))
        if convention is not None:
            changed = replace(changed, convention=checked_convention(convention))
        changed = changed._with_wind_of(self)
        _check_plant(changed)
        return changed

    @property
    def wind_share(self) -> float:
        """The wind at the boat over that of the scenario's file, (-)."""
        return wind_share(self.boat, self.wind_height)

    def _with_wind_of(self, other: 'Scenario') -> 'Scenario':
        """Return this scenario with the wind of another one, reduced to the height of its own boat."""
        if isinstance(self.wind, FlowFile):
            return replace(self, wind=wind_at_boat(self.wind, self.boat, self.wind_height))
        ratio = self.wind_share / other.wind_share
        return self if ratio == 1.0 else replace(self, wind=self.wind.scaled(ratio))


def scenario_names() -> list[str]:
    """Return the names of the thesis's scenarios, which `all` stands for; others are in subfolders."""
    return [name for name in names('scenarios') if '/' not in name]


def chosen_scenarios(given: Iterable[str], read: Callable[[str], Scenario] | None = None) -> list[Scenario]:
    """
    Return scenarios, each once.

    :param given: Names and paths as `read` takes them; `all` stands for all of `scenario_names`.
    :param read: Function that reads one; None for `read_scenario`.
    :raises InputError: As `read_scenario`; if two different scenarios have one name.
    """
    chosen: dict[str, Scenario] = {}
    for scenario in ((read or read_scenario)(name) for text in given
                     for name in (scenario_names() if text == 'all' else [text])):
        other = chosen.setdefault(scenario.name, scenario)
        if other.path.resolve() != scenario.path.resolve():
            raise InputError(f'two scenarios are called {scenario.name}: {other.path} and {scenario.path}; '
                             'rename one or run them one after the other')
    return list(chosen.values())


def checked_convention(name: str) -> str:
    """Return the name of a convention; InputError if there is none of that name."""
    if name not in CONVENTIONS:
        raise InputError(f'no convention named {name!r}; there are: {", ".join(CONVENTIONS)}')
    return name


def read_scenario(name: str) -> Scenario:
    """
    Return a scenario by its name in config/scenarios or by the path of its YAML file.

    :param name: A shipped one (`usv-energy list`), or a path.
    :raises InputError: If there is none, or its file is wrong; the message names file, key, value and what is allowed.
    """
    path = resolve('scenarios', str(name))
    return adapted_to_boat(scenario_from(read_scenario_document(path), path), path)


def scenario_from(document: dict[str, Any], path: Path) -> Scenario:
    """Return a scenario from the content of its file; raises as `read_scenario`."""
    checked.check(document, 'scenario', path)
    plain: dict[str, Any] = values_of(document)
    boat = _boat(plain['boat'], 'boat', path)
    plant = _boat(plain['plant'], 'plant', path) if 'plant' in plain else boat
    start, guidance = plain['start'], plain['guidance']
    step, period = checked_step_and_period(plain['simulation'], path)
    height = float(plain['wind']['height']) if 'height' in plain.get('wind', {}) else None
    heading, speed = plain['controller']['heading'], plain['controller']['speed']
    scenario = Scenario(
        name=path.stem, title=plain.get('title', path.stem), path=path, boat=boat, plant=plant,
        start=(float(start['x']), float(start['y']), math.radians(start['heading_deg'])),
        waypoints=tuple((float(point['x']), float(point['y'])) for point in plain['waypoints']),
        speed=_speed(plain['speed'], path), current=_flow(plain, 'current', 'water', path),
        wind=_wind(plain, boat, height, path), wind_height=height, convention=plain['convention'],
        gains=Gains(float(heading['kp']), float(heading['kd']), float(speed['kp']), float(speed['ki']),
                    against_wind(plant.vessel)),
        lookahead=None if guidance['mode'] == 'goal' else float(guidance['lookahead']),
        radius=float(plain['stop']['radius']), timeout=float(plain['stop']['timeout']),
        step=step, period=period, published=published_of(plain.get('published', {})),
        no_go=_no_go(guidance, path), corridor=float(guidance.get('corridor', 10.0)),
        orders=_orders(plain['waypoints']), by_course=guidance['mode'] == 'course',
        obstacles=obstacles_of(plain.get('obstacles', ()), path), sensing=sensing_of(document, plain, path))
    _check_plant(scenario)
    return scenario.laid_on_earth()


def _orders(waypoints: list[dict[str, Any]]) -> tuple[WaypointOrder, ...]:
    """Return the orders of waypoints; none if no waypoint has one."""
    if all(set(point) <= {'x', 'y'} for point in waypoints):
        return ()
    return tuple(WaypointOrder(
        _given(point, 'speed'), float(point.get('hold', 0.0)),
        math.radians(point['heading_deg']) if 'heading_deg' in point else None, _given(point, 'radius'),
        point.get('name', '')) for point in waypoints)


def _given(point: dict[str, Any], key: str) -> float | None:
    return float(point[key]) if key in point else None


def _no_go(guidance: dict[str, Any], path: Path) -> float:
    angle = float(guidance.get('no_go_deg', 45.0))
    if not 0.0 < angle < 90.0:
        raise InputError(f'{path}: guidance.no_go_deg is {angle:g}; must be greater than 0 and less than 90')
    return math.radians(angle)


def checked_step_and_period(simulation: dict[str, Any], path: Path) -> tuple[float, float]:
    """Return the plant's step and the samples' period, s; InputError unless whole steps make a period up to MAX_GAP."""
    step, period = float(simulation['step']), float(simulation['period'])
    if step < SHORTEST_STEP:
        raise InputError(f'{path}: simulation.step is {step:g}; must be at least {SHORTEST_STEP:g} s')
    if abs(period / step - round(period / step)) > 1e-9 or round(period / step) < 1:
        raise InputError(f'{path}: simulation.period is {period}; must be a whole number of steps of {step} s')
    if period > MAX_GAP:
        raise InputError(f'{path}: simulation.period is {period}; must be at most {MAX_GAP} s, '
                         'the longest time that power is integrated over')
    return step, period


def _boat(name: str, key: str, path: Path) -> Boat:
    try:
        return read_boat(name, beside=path.parent)
    except InputError as error:
        raise InputError(f'{path}: {key}: {error}') from None


def _check_plant(scenario: Scenario) -> None:
    plant, path = scenario.plant, scenario.path
    for boat in (scenario.boat, plant):
        require_motion(boat, 'a simulation')
    if not can_turn(plant.vessel):
        raise InputError(f'{path}: the boat {plant.name} has no rudder, and no thruster that could turn it; the '
                         'controller of a scenario cannot steer it')
    hull_among(scenario.obstacles, plant, path)
    check_sensing(scenario.sensing, plant, path)
    check_step(scenario.step, plant, path, scenario.wind)


def _speed(plain: dict[str, Any], path: Path) -> float | None:
    over_ground = plain['mode'] == 'over_ground'
    if over_ground != ('target' in plain):
        raise InputError(f'{path}: speed.mode is {plain["mode"]!r}; speed.target (m/s) goes with over_ground, '
                         'and with it only')
    return float(plain['target']) if over_ground else None


def _flow(document: dict[str, Any], key: str, medium: str, path: Path) -> UniformFlow | FlowFile:
    plain = document.get(key, {})
    if 'flow' not in plain:
        return UniformFlow(*polar_to_earth(float(plain.get('speed', 0.0)), float(plain.get('direction_deg', 0.0))))
    try:
        flow = read_flow(plain['flow'], path.parent)
    except InputError as error:
        raise InputError(f'{path}: {key}.flow: {error}') from None
    if flow.medium not in ('', medium):
        raise InputError(f'{path}: {key}.flow is {plain["flow"]!r}, a flow of {flow.medium}; must be one of {medium}')
    return flow


def _wind(plain: dict[str, Any], boat: Boat, height: float | None, path: Path) -> UniformFlow | FlowFile:
    try:
        return wind_at_boat(_flow(plain, 'wind', 'air', path), boat, height)
    except InputError as error:
        raise InputError(f'{path}: wind: {error}') from None


def are_versions(one: Boat, other: Boat) -> bool:
    """Return whether the files of two boats have the same lowest base file."""
    return _lowest_base(one.path) == _lowest_base(other.path)


def _lowest_base(path: Path) -> Path:
    """Return the lowest base file of a boat file; itself if it has no base."""
    seen = {path.resolve()}
    while (base := base_path_of('boats', read_yaml(path), path)) is not None and base.resolve() not in seen:
        path = base
        seen.add(path.resolve())
    return path.resolve()


def for_other_boat(scenario: Scenario, own: Collection[str] = ()) -> Scenario:
    """
    Return a scenario with gains, lookahead distance, radius, title and timeout that suit its boat.

    :param scenario: Of another boat than it was written for.
    :param own: Values that are already the boat's own: TITLE, GAINS, AHEAD, WITHIN.
    """
    plant = scenario.plant
    length = plant.hull.length or LENGTH
    speed = scenario.speed or float(top_speed_bound(plant.vessel))
    gains, ahead = course_gains(plant.vessel, speed, LOOKAHEAD * length)
    title = f'{scenario.title}, {plant.name}'
    if not are_versions(plant, scenario.boat):
        title += f', power of {scenario.boat.name}'
    places = [scenario.start[:2], *scenario.waypoints]
    way = sum(math.dist(*pair) for pair in itertools.pairwise(places))
    timeout = max(scenario.timeout, PATIENCE * way / speed) if speed > 0.0 else scenario.timeout
    return replace(
        scenario, title=scenario.title if TITLE in own else title, gains=scenario.gains if GAINS in own else gains,
        lookahead=scenario.lookahead if scenario.lookahead is None or AHEAD in own else ahead,
        radius=scenario.radius if WITHIN in own else max(scenario.radius, RADIUS * length),
        timeout=timeout)


def adapted_to_boat(scenario: Scenario, path: Path) -> Scenario:
    """Return the scenario of a file, with values that suit its boat if its base is a scenario of another boat."""
    own: set[str] = set()
    while True:
        document = read_yaml(path)
        own |= {key for key in (TITLE, GAINS) if key in document}
        own |= {key for key, part in ((AHEAD, 'guidance'), (WITHIN, 'stop')) if key in (document.get(part) or {})}
        base = base_path_of('scenarios', document, path)
        if base is None:
            return scenario
        path, below = base, read_with_base('scenarios', base)
        moved = below.get('plant', below.get('boat'))
        if moved is not None and not are_versions(_boat(str(moved), 'boat', path), scenario.plant):
            return for_other_boat(scenario, own)
