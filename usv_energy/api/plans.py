"""What a boat can do and what that costs: ranges, maps of energy, missions, routes."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from usv_energy.api.given import (
    FlowLike,
    SeaLike,
    Vector,
    array_of,
    boat_of,
    choice_of,
    conditions_of,
    flag_of,
    flow_of,
    moment_text,
    number_of,
    optional_number,
    path_of,
    paths_of,
    progress_of,
    sea_of,
    shown,
    uniform_flow_of,
    with_parameter_names,
)
from usv_energy.api.results import Result, ResultTable
from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.boats.cell_file import KELVIN
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import steady_flow
from usv_energy.flow.wind_height import wind_at_boat
from usv_energy.missions.mission import Mission
from usv_energy.missions.mission_file import read_mission, write_mission
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.powering.energy import CAUSES
from usv_energy.show.figure import Panel
from usv_energy.show.text_table import degrees
from usv_energy.studies.mission.mission_study import MissionStudy
from usv_energy.studies.plan.boat_in_sea import boat_in_sea
from usv_energy.studies.plan.steady_range import BatteryUse
from usv_energy.studies.range import range_study as ranges
from usv_energy.studies.range.range_study import RangeStudy
from usv_energy.studies.route.route_study import RouteStudy

if TYPE_CHECKING:
    import xarray

    from usv_energy.flow.flow_file import FlowFile

Place = tuple[float, float]
MOST_FRONT = 1000       # arrival times


class RangeResult(Result, RangeStudy):
    """
    How far and how long a boat goes at steady speeds along a course.

    `best` has `speed` (over ground, m/s), `through_water` (m/s), `power` (W), `energy_per_meter` (J/m), `endurance`
    (s) and `range` (m) of the cheapest speed, and `kind`, which says what limits it. `curve` has the same as arrays
    over speed, `polar` the best speed by course, `bands` where 95 % of the boats lie that the boat file's uncertainty
    allows; `in_sea` what waves cost, None in calm water.
    """

    __slots__ = ()

    def text(self) -> str:
        """Return what `usv-energy range` prints."""
        from usv_energy.studies.range.range_text import range_text
        return range_text(self)

    def figures(self) -> dict[str, Any]:
        """Return what `usv-energy range --json` writes."""
        from usv_energy.studies.range.range_text import range_figures
        return range_figures(self)

    def tabulated(self) -> ResultTable:
        """Return one row a speed over ground."""
        units = {'speed': 'm s-1', 'through_water': 'm s-1', 'power': 'W', 'energy_per_meter': 'J m-1',
                 'endurance': 's', 'range': 'm'}
        columns = {name: (getattr(self.curve, name), unit) for name, unit in units.items()}
        for name, band in ({} if self.bands is None else self.bands.curve).items():
            columns |= {f'{name}_{end}': (edge, units[name]) for end, edge in band._asdict().items()}
        return ResultTable('speed', columns, {'boat': self.boat.name, 'course_deg': degrees(self.course),
                                              'energy_j': self.energy})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: `range`, `endurance`, `energy_per_meter` or `power` over speed."""
        from usv_energy.studies.range.range_picture import range_panels
        return range_panels(self)


class MissionResult(Result, MissionStudy):
    """
    What a mission costs, and whether the battery makes it.

    `verdict` is `go`, `unsure`, `no_go` or `no_battery`; `energy` J, `time` s; `charge`: state of charge at the end of
    each leg, (-), None without a battery; `reserve`: what must be left, (-); `legs`: arrays with a value a leg, which
    `to_xarray` has with the energy by cause; `bands`: 95 % intervals; `simulated`: what the simulator says.
    """

    __slots__ = ()

    def text(self) -> str:
        """Return what `usv-energy mission FILE --boat BOAT` prints."""
        from usv_energy.studies.mission.mission_study_text import mission_study_text
        return mission_study_text(self)

    def figures(self) -> dict[str, Any]:
        """Return what `usv-energy mission --json` writes."""
        from usv_energy.studies.mission.mission_study_text import mission_study_figures
        return mission_study_figures(self)

    def tabulated(self) -> ResultTable:
        """Return one row a leg, from 1 on."""
        legs = self.legs
        columns: dict[str, tuple[Any, str]] = {
            'leg': (np.arange(1, legs.length.size + 1), '1'), 'length': (legs.length, 'm'),
            'course': (np.degrees(legs.course) % 360.0, 'degree'), 'speed': (legs.speed, 'm s-1'),
            'begin': (legs.begin, 's'), 'under_way': (legs.under_way, 's'), 'hold': (legs.hold, 's'),
            **{f'energy_{cause}': (values, 'J') for cause, values in zip(CAUSES, legs.energy)},
            'feasible': (legs.feasible, '1')}
        if self.charge is not None:
            columns['charge'] = (self.charge, '1')
        return ResultTable('leg', columns, {'boat': self.scenario.boat.name, 'mission': self.scenario.name,
                                            'verdict': self.verdict})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: the `charge` (or the energy so far) over time, or the `way` coloured by power."""
        from usv_energy.studies.mission.mission_pictures import mission_panels
        return mission_panels(self)

    def write_page(self, path: str | Path) -> Path:
        """
        Write the page of the mission that opens offline, and return its path.

        :param path: A file, .html.
        :raises OSError: If it cannot be written.
        """
        from usv_energy.files.locate import user_path
        from usv_energy.studies.mission.mission_page import write_mission_page
        target = user_path(path_of(path, 'path'))
        write_mission_page(self, target)
        return target


class RouteResult(Result, RouteStudy):
    """
    The route of least energy or time.

    `plan`: what `mission` says of its legs, and so `verdict`, `energy` J, `time` s, `charge` at the ends of legs, (-);
    `route` and, in few legs, `legs`: arrays `time` (s), `x`, `y` (m), `speed` through the water (m/s) and `energy` so
    far (J) without starts, turns and stops; `gap`: the share that a better route could save at most, (-); `choices`:
    the ways side by side; `departures`, `forecasts`, `front`.
    """

    __slots__ = ()

    def text(self) -> str:
        """Return what `usv-energy route` prints."""
        from usv_energy.studies.route.route_text import route_text
        return route_text(self)

    def figures(self) -> dict[str, Any]:
        """Return what `usv-energy route --json` writes."""
        from usv_energy.studies.route.route_text import route_figures
        return route_figures(self)

    def tabulated(self) -> ResultTable:
        """Return one row a point; `speed` is that of the part that begins there."""
        route = self.route
        columns: dict[str, tuple[Any, str]] = {
            'time': (route.time, 's'), 'x': (route.x, 'm'), 'y': (route.y, 'm'),
            'speed': (np.append(route.speed, math.nan), 'm s-1'), 'energy': (route.energy, 'J')}
        if self.frame is not None:
            columns |= dict(zip(('latitude', 'longitude'), ((part, 'degree') for part in self.frame.to_geodetic(
                route.x, route.y))))
        if (charge := self.charge) is not None:
            columns['charge'] = (np.interp(route.time, self.legs.time, charge), '1')
        return ResultTable('time', columns, {'boat': self.boat.name, 'verdict': self.verdict})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: `ways` on a map, `speeds`, `energies`; `front`, `departures` where asked for."""
        from usv_energy.show.page.page_parts import panels_of
        from usv_energy.studies.route.route_page import route_drawings
        return panels_of(route_drawings(self))


@with_parameter_names
def range_study(boat: Boat | str | Path, course_deg: float = 0.0, *, current: Vector | str = (0.0, 0.0),
                wind: Vector | str = (0.0, 0.0), energy_wh: float | None = None, reserve: float = 0.0,
                bands: bool = False, sea: SeaLike = None, speed: float | None = None,
                wind_height: float | None = None, ambient_degc: float | None = None,
                std: Mapping[str, str] | None = None, progress: Progress | None = None) -> RangeResult:
    """
    Return how far and how long a boat goes at steady speeds along a course, and the best speed for range.

    :param boat: The boat, or the name or path of its file.
    :param course_deg: Course over ground, degrees counter-clockwise from east.
    :param current: Velocity of the water, (east, north), m/s; or as `0.4 kn set 060`.
    :param wind: The same of the air; or as `12 kn from NE`.
    :param energy_wh: Energy that there is, Wh; the boat's battery, as charged as its file says, where None.
    :param reserve: Share of the battery that is to be left, (-).
    :param bands: Whether to find the bands, from 120 boats drawn; None if nothing in the boat file is uncertain.
    :param sea: Waves: significant height, m, period of the peak, s, and the direction that they run to, degrees
        counter-clockwise from east; or as `0.3 m 2.5 s from SW`; calm where None. `result.in_sea` then says what they
        cost (docs/waves.md).
    :param speed: Over ground, m/s: what it costs along the course, `result.point_at_speed`.
    :param wind_height: At which the wind holds, m above water; at the boat where None.
    :param ambient_degc: Temperature around a battery of cells, degC; the boat file's where None.
    :param std: How well numbers of the boat file are known: `{'damping.linear.d11': '5%'}`.
    :param progress: Called with the number of drawn boats that are done, and of all.
    :raises InputError: If the boat has no battery and no energy is given, no energy is left to use, or there is a sea
        and the boat file says nothing of it (`waves`).

    >>> study = usv_energy.range_study('blueboat', current='0.4 kn set 060')
    >>> round(study.best.speed, 2)
    0.93
    """
    known = boat_of(boat)
    if known.battery is None and energy_wh is None:
        raise InputError(f'{known.path}: has no battery; energy_wh says how much energy there is')
    given = optional_number(energy_wh, 'energy_wh', above=0.0)
    use = BatteryUse(None, number_of(reserve, 'reserve', 0.0, 1.0), None if given is None else given * JOULES_PER_WH,
                     ambient_of(known, ambient_degc))
    height = optional_number(wind_height, 'wind_height', above=0.0)
    flow = steady_flow(uniform_flow_of(current, 'current'), wind_at_boat(uniform_flow_of(wind, 'wind'), known, height))
    return RangeResult(*ranges.range_study(
        in_sea(known, sea), math.radians(number_of(course_deg, 'course_deg')), flow, use,
        optional_number(speed, 'speed', above=0.0), deviations_of(std), flag_of(bands, 'bands'), progress_of(progress)))


def energy_map(boat: Boat | str | Path, course_deg: ArrayLike, speed: ArrayLike, *,
               current: Vector | Sequence[Vector] = (0.0, 0.0),
               wind: Vector | Sequence[Vector] = (0.0, 0.0),
               progress: Progress | None = None) -> 'xarray.Dataset':
    """
    Return what a metre over ground costs in steady motion, as an xarray Dataset over course, speed, current and wind.

    Variables: `energy_per_meter` (J/m), `power_total` (W), `heading` and `drift` (degrees), `speed_through_water` (m/s)
    and `feasible`; NaN where the thrusters cannot hold the motion.

    :param boat: The boat, or the name or path of its file.
    :param course_deg: Courses over ground, degrees counter-clockwise from east, shape (C,) or a number.
    :param speed: Speeds over ground, m/s, above 0, shape (S,) or a number.
    :param current: Velocity of the water, (east, north), m/s, or a list of them.
    :param wind: The same of the air.
    :param progress: Called with the number of courses that are done, and of all.
    :raises InputError: If a speed is not above 0, or xarray is not installed.

    >>> costs = usv_energy.energy_map('blueboat', [0.0, 90.0], [0.5, 1.0], current=(0.2, 0.0))
    >>> costs.energy_per_meter.sizes['course']
    2
    """
    from usv_energy.studies.maps.map_study import energy_map as steady_motions
    from usv_energy.studies.maps.map_study import map_dataset
    speeds, courses = (np.atleast_1d(array_of(values, name)) for values, name in ((speed, 'speed'),
                                                                                 (course_deg, 'course_deg')))
    for name, values in (('speed', speeds), ('course_deg', courses)):
        if values.ndim != 1 or not np.isfinite(values).all():
            raise InputError(f'{name} has the shape {values.shape}; must be a number or one row of them, finite')
    if not (speeds > 0.0).all():
        raise InputError(f'speed is {speeds.min():g} m/s over ground; must be greater than 0')
    known = boat_of(boat)
    found = steady_motions(known.vessel, courses, speeds, conditions_of(current, 'current'),
                           conditions_of(wind, 'wind'), progress_of(progress))
    return map_dataset(found).assign_attrs(boat=known.name)


@with_parameter_names
def read_plan(path: str | Path, *, part: str | None = None, rounds: int | None = None) -> Mission:
    """
    Return the mission in a file of a ground station or a map; its content tells its format (docs/missions.md).

    `result.items` are its commands, `result.home` where it starts, `result.remarks` what of the file was left out.

    :param path: QGroundControl's plan, ArduPilot's waypoints, GPX, KML, KMZ, GeoJSON, RTZ, HYPACK's lines, or a
        scenario of usv_energy.
    :param part: Which line of a map with several: its name, its number from 1 on, or `all`.
    :param rounds: How often a stretch is done that a jump without end goes back over; goes with such a jump.
    :raises InputError: If there is no such file or part, or it is wrong: file, line or key, value, what is allowed.

    >>> len(usv_energy.read_plan('3').items)
    1
    """
    found = read_mission(path_of(path, 'path'), None if part is None else path_of(part, 'part'))
    if rounds is None:
        return found
    if not number_of(rounds, 'rounds', 1.0).is_integer():
        raise InputError(f'rounds is {shown(rounds)}; must be a whole number from 1 on')
    return found.with_rounds(int(rounds))


def write_plan(plan: Mission, path: str | Path, *, boat: str = 'lutra_prop') -> list[str]:
    """
    Return what a file's format leaves out of a mission, in words, after writing it there; its ending says the format.

    :param plan: From `read_plan`, or `as_mission` of a route.
    :param path: .plan, .waypoints or .txt, .gpx, .geojson or .json; .yaml or .yml of a scenario.
    :param boat: Of a scenario: name or path of its file.
    :raises InputError: If the ending is another one, there is no such boat, or the format cannot hold the mission.
    :raises OSError: If it cannot be written.

    >>> usv_energy.write_plan(usv_energy.read_plan('3'), 'three.yaml')
    []
    """
    if not isinstance(plan, Mission):
        raise InputError(f'plan is {shown(plan)}; must be what usv_energy.read_plan gave')
    target, name = Path(path_of(path, 'path')), path_of(boat, 'boat')
    read_boat(name, target.parent)
    return write_mission(plan, target, name)


@with_parameter_names
def mission(plan: Mission | str | Path, boat: Boat | str | Path, *, current: FlowLike = None, wind: FlowLike = None,
            current_std: float = 0.0, wind_std: float = 0.0, wind_height: float | None = None, sea: SeaLike = None,
            speed: float | None = None, all_legs_at: float | None = None,
            depart: float | str | datetime | None = None, any_order: bool = False, reserve: float = 0.2,
            ambient_degc: float | None = None, simulate: bool = False,
            progress: Progress | None = None) -> MissionResult:
    """
    Return what a mission costs a boat, leg by leg and by cause, and whether its battery makes it.

    :param plan: From `read_plan`, or the path of its file.
    :param boat: The boat, or the name or path of its file; `fit_out` gives it another battery or charge.
    :param current: Water: (east, north), m/s, a text as `0.4 kn set 060`, a flow from `read_flow`, or its file.
    :param wind: Air, the same; or as `12 kn from NE`.
    :param current_std: How well the current is known: standard deviation each way, m/s.
    :param wind_std: The same of the wind.
    :param wind_height: At which the wind holds, m above water; at the boat, or as its flow file says, where None.
    :param sea: Waves, as of `range_study`.
    :param speed: Over ground, m/s, where the plan says none; the plan's, else the cheapest, where None.
    :param all_legs_at: The same on all legs, against the plan's own speeds.
    :param depart: When it begins: s of the flow's time, or a moment with its zone; or a window of them as a text,
        `FROM,TO,STEP`, of which the cheapest is taken. 0 where None.
    :param any_order: Whether the order of the waypoints is free.
    :param reserve: Share of the battery that must be left, (-).
    :param ambient_degc: Temperature around a battery of cells, degC; the boat file's where None.
    :param simulate: Whether to run it in the simulator, too: `result.simulated`.
    :param progress: Called with the number of departures, drawn boats or simulated seconds that are done, and of all.
    :raises InputError: If a file is wrong, the mission goes nowhere, or what is asked contradicts itself.

    >>> study = usv_energy.mission('3', 'blueboat')
    >>> study.verdict
    'go'
    """
    from usv_energy.studies.mission.mission_bands import FlowDoubt
    from usv_energy.studies.mission.mission_study import MissionProgress, MissionTerms, asked_mission
    known = in_sea(boat_of(boat), sea)
    asked = plan if isinstance(plan, Mission) else read_mission(path_of(plan, 'plan'))
    doubt = FlowDoubt(number_of(current_std, 'current_std', 0.0), number_of(wind_std, 'wind_std', 0.0))
    terms = MissionTerms(
        optional_number(speed, 'speed', above=0.0), optional_number(all_legs_at, 'all_legs_at', above=0.0),
        moment_text(depart, 'depart'), flag_of(any_order, 'any_order'), number_of(reserve, 'reserve', 0.0, 1.0), doubt,
        ambient_of(known, ambient_degc), flag_of(simulate, 'simulate'))
    return MissionResult(*asked_mission(
        asked, known, flow_of(current, 'current') or UniformFlow(), wind_of(wind, known, wind_height), terms,
        MissionProgress(*(3 * [progress_of(progress)]))))


@with_parameter_names
def route(boat: Boat | str | Path, start: Place, goals: Place | Sequence[Place], *,
          current: 'FlowLike | Mapping[str, FlowLike]' = None, wind: FlowLike = None, wind_height: float | None = None,
          sea: SeaLike = None, degrees: bool = False, origin: Place | None = None, any_order: bool = False,
          depart: float | str | datetime | None = None, arrive_by: float | str | datetime | None = None,
          least: str = 'energy', speed: float | None = None, lowest_speed: float = 0.0, may_wait: bool = False,
          may_drift: bool = False, extent: tuple[float, float, float, float] | None = None,
          land: Sequence[str | Path] = (), depth: Sequence[str | Path] = (), bed: Sequence[str | Path] = (),
          draught: float | None = None, water_level: float = 0.0, clearance: float | None = None,
          land_metres: bool = False, reserve: float = 0.2, ambient_degc: float | None = None, front: int = 0,
          simulate: bool = False, progress: Progress | None = None) -> RouteResult:
    """
    Return the route of least energy, or least time, in water and air that change in place and time.

    :param boat: The boat, or the name or path of its file; `fit_out` gives it another battery or charge.
    :param start: East and north, m, in the world of the flow; or latitude and longitude, with `degrees`.
    :param goals: The same of the goal, or of several, which are gone to one after the other.
    :param current: Water, as of `mission`; or forecasts by name, of which the route of least mean energy is found.
    :param wind: Air, as of `mission`.
    :param wind_height: At which the wind holds, m above water.
    :param sea: Waves that are the same everywhere, as of `range_study`.
    :param degrees: Whether places are (latitude, longitude), degrees.
    :param origin: Latitude and longitude from which the world's metres count, of a flow that does not say it.
    :param any_order: Whether the order of several goals is free.
    :param depart: As of `mission`.
    :param arrive_by: Be there by then: s of the flow's time, or a moment.
    :param least: What is to be least: `energy` or `time`.
    :param speed: Through the water, m/s; free where None.
    :param lowest_speed: Through the water, of a free speed, m/s.
    :param may_wait: Whether the boat may lie at anchor, at the power of its loads.
    :param may_drift: Whether it may go with the water at that power.
    :param extent: xmin, ymin, xmax, ymax, m, which the route does not leave.
    :param land: Files of land and closed areas: GeoJSON, shapefile, GeoPackage.
    :param depth: Rasters of depth, m, positive below water.
    :param bed: Rasters of the bed's height, m, positive upwards.
    :param draught: Depth that the boat needs, m, with `depth` or `bed`.
    :param water_level: Of the water above the height that they count from, m.
    :param clearance: Distance to be kept from all that, m; half the boat's length or more where None.
    :param land_metres: Whether these files are in the world's metres.
    :param reserve: Share of the battery that must be left, (-).
    :param ambient_degc: Temperature around a battery of cells, degC; the boat file's where None.
    :param front: Number of arrival times of which the cheapest route is found, too; 0 for none.
    :param simulate: Whether to run it in the simulator, too: `result.simulated`.
    :param progress: Called with the number of routes or simulated seconds that are done, and of all.
    :raises InputError: If there is no route, with the reason; if a place, a file or what is asked is wrong.

    >>> found = usv_energy.route('blueboat', (0.0, 0.0), (300.0, 0.0), current=(0.2, 0.0))
    >>> round(found.route.length)
    300
    """
    from usv_energy.studies.route.barriers.read_barriers import BarrierFiles
    from usv_energy.studies.route.plan_route import plan_route
    from usv_energy.studies.route.route_order import RouteTerms, route_request
    known = in_sea(boat_of(boat), sea)
    if isinstance(current, Mapping) and not current:
        raise InputError('current is an empty mapping; must be a flow, or forecasts by name')
    currents = current if isinstance(current, Mapping) else {'current': current}
    lists = {name: paths_of(paths, name) for name, paths in (('land', land), ('depth', depth), ('bed', bed))}
    files = BarrierFiles(**lists, draught=optional_number(draught, 'draught', above=0.0),
                         water_level=number_of(water_level, 'water_level'),
                         clearance=optional_number(clearance, 'clearance', 0.0),
                         metres=flag_of(land_metres, 'land_metres'))
    box = None if extent is None else numbers_of(extent, 'extent', 4)
    terms = RouteTerms(
        moment_text(depart, 'depart'), moment_text(arrive_by, 'arrive_by'),
        'time' if choice_of(least, 'least', ('energy', 'time')) == 'time' else 'energy',
        optional_number(speed, 'speed', above=0.0), number_of(lowest_speed, 'lowest_speed', 0.0),
        flag_of(may_wait, 'may_wait'), flag_of(may_drift, 'may_drift'),
        None if box is None else (box[0], box[1], box[2], box[3]), files, flag_of(any_order, 'any_order'),
        number_of(reserve, 'reserve', 0.0, 1.0), ambient_of(known, ambient_degc), flag_of(simulate, 'simulate'), None,
        None,
        int(number_of(front, 'front', 0.0, MOST_FRONT)),
        None if origin is None else place_of(origin, 'origin'), flag_of(degrees, 'degrees'))
    several = not isinstance(goals, str) and np.ndim(goals) == 2
    places = [place_of(start, 'start'), *(place_of(goal, 'goals') for goal in (goals if several else (goals,)))]
    request = route_request(known, [(name, flow_of(flow, 'current') or UniformFlow()) for name, flow in
                                    currents.items()], wind_of(wind, known, wind_height), places, terms)
    tell = progress_of(progress)
    return RouteResult(*plan_route(request, tell, tell))


def wind_of(wind: FlowLike, boat: Boat, height: float | None) -> 'UniformFlow | FlowFile':
    """Return the wind at a boat; still for None."""
    return wind_at_boat(flow_of(wind, 'wind') or UniformFlow(), boat,
                        optional_number(height, 'wind_height', above=0.0))


def in_sea(boat: Boat, sea: SeaLike) -> Boat:
    """Return a boat in a sea; the boat itself for None."""
    state = sea_of(sea)
    return boat if state is None else boat_in_sea(boat, state)


def ambient_of(boat: Boat, ambient_degc: float | None) -> float | None:
    """Return a temperature around the battery's cells, K; None for None; InputError without cells."""
    degc = optional_number(ambient_degc, 'ambient_degc', -60.0, 100.0)
    if degc is not None and boat.pack is None:
        raise InputError(f'{boat.path}: ambient_degc goes with a battery of cells, and there is none')
    return None if degc is None else KELVIN + degc


def deviations_of(std: Mapping[str, str] | None) -> dict[str, str] | None:
    """Return standard deviations by number, as texts; InputError for what is no mapping of texts and numbers."""
    if std is None:
        return None
    if not isinstance(std, Mapping) or not all(isinstance(path, str) for path in std):
        raise InputError(f'std is {shown(std)}; must map numbers of a boat file to deviations, as '
                         "{'damping.linear.d11': '5%'}")
    return {path: value if isinstance(value, str) else repr(number_of(value, f'std of {path}', 0.0))
            for path, value in std.items()}


def numbers_of(values: object, name: str, number: int) -> list[float]:
    """Return so many finite numbers."""
    try:
        array = array_of(values, name)
    except InputError:
        array = np.empty(0)
    if array.shape != (number,) or not np.isfinite(array).all():
        raise InputError(f'{name} is {shown(values)}; must be {number} finite numbers')
    return [float(value) for value in array]


def place_of(place: object, name: str) -> Place:
    """Return a place's two numbers."""
    first, second = numbers_of(place, name, 2)
    return first, second
