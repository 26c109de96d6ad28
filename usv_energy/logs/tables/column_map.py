"""A column map: what the columns of a table hold, in which units and frames."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.earth import FOOT, KILOMETRE_PER_HOUR, KNOT, MILE_PER_HOUR, NAUTICAL_MILE
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.files.what_file import refuse_other_file

G = 9.80665  # m/s^2 and N/kgf: CGPM (1901), standard gravity.
DEGREE = math.pi / 180.0
POUND_FORCE = 0.45359237 * G

EARTH, BODY = 'earth', 'body'

# Unit to house unit, by kind of quantity; the first is the house's own.
UNITS: dict[str, dict[str, float]] = {
    'time': {'s': 1.0, 'ms': 1e-3, 'us': 1e-6, 'ns': 1e-9, '100ns': 1e-7, 'min': 60.0, 'h': 3600.0, 'd': 86400.0},
    'length': {'m': 1.0, 'mm': 1e-3, 'cm': 1e-2, 'km': 1e3, 'ft': FOOT, 'nmi': NAUTICAL_MILE},
    'angle': {'rad': 1.0, 'deg': DEGREE, 'cdeg': 0.01 * DEGREE},
    'geographic': {'deg': 1.0, 'rad': 1.0 / DEGREE, 'degE7': 1e-7, 'degE6': 1e-6},
    'speed': {'m/s': 1.0, 'cm/s': 1e-2, 'mm/s': 1e-3, 'km/h': KILOMETRE_PER_HOUR, 'knots': KNOT, 'kn': KNOT,
              'mph': MILE_PER_HOUR, 'ft/s': FOOT},
    'rate': {'rad/s': 1.0, 'deg/s': DEGREE, 'deg/min': DEGREE / 60.0, 'rpm': 2.0 * math.pi / 60.0},
    'acceleration': {'m/s^2': 1.0, 'g': G, 'mg': 1e-3 * G},
    'angular acceleration': {'rad/s^2': 1.0, 'deg/s^2': DEGREE},
    'force': {'N': 1.0, 'kN': 1e3, 'kgf': G, 'lbf': POUND_FORCE},
    'command': {'us': 1.0, 'ms': 1e3},
    'voltage': {'V': 1.0, 'mV': 1e-3, 'cV': 1e-2, 'dV': 0.1},
    'current': {'A': 1.0, 'mA': 1e-3, 'cA': 1e-2, 'dA': 0.1},
    'revolutions': {'1/s': 1.0, 'rpm': 1.0 / 60.0, 'rad/s': 0.5 / math.pi},
    'quaternion': {'-': 1.0},
    'power': {'W': 1.0, 'mW': 1e-3, 'kW': 1e3},
}

# Of the wind: as the boat that moves feels it; over water or ground, but counted from the bow.
APPARENT, FROM_BOW = ('apparent_wind_speed', 'apparent_wind_angle'), ('true_wind_speed', 'true_wind_angle')
PAIRS = (('x', 'y'), ('longitude', 'latitude'), ('velocity_x', 'velocity_y'), ('current_x', 'current_y'),
         ('current_speed', 'current_direction'), ('wind_x', 'wind_y'), ('wind_speed', 'wind_direction'), APPARENT,
         FROM_BOW)
MEASURED = ('revolutions', 'angle', 'volts', 'amperes')  # Of a thruster, by itself.
CALENDAR = 'calendar'  # The unit of times that are text.
ORIENTATION = ('orientation_x', 'orientation_y', 'orientation_z', 'orientation_w')
RIVALS = (('x', 'longitude'), ('yaw', 'orientation_w'), ('current_x', 'current_speed'), ('wind_x', 'wind_speed'))


class Quantity(NamedTuple):
    """What a column may hold: kind (a row of UNITS), the frame that it depends on (or ''), what it is."""

    kind: str
    frame: str
    meaning: str


QUANTITIES: dict[str, Quantity] = {
    'time': Quantity('time', '', 'time of the sample'),
    'x': Quantity('length', EARTH, 'first coordinate: east in enu, north in ned'),
    'y': Quantity('length', EARTH, 'second coordinate: north in enu, east in ned'),
    'longitude': Quantity('geographic', '', 'degrees east'),
    'latitude': Quantity('geographic', '', 'degrees north'),
    'yaw': Quantity('angle', EARTH, 'heading: counter-clockwise from east in enu, clockwise from north in ned'),
    **{f'orientation_{axis}': Quantity('quaternion', EARTH, f'component {axis} of the quaternion that turns the '
                                       'axes of the earth into those of the body; gives yaw') for axis in 'xyzw'},
    'variation': Quantity('angle', '', 'by how much magnetic north is east of true north; makes a magnetic yaw true'),
    'course': Quantity('angle', EARTH, 'direction of motion over ground, as yaw'),
    'speed': Quantity('speed', '', 'speed over ground, without a direction'),
    'through_water': Quantity('speed', '', 'speed through the water along the bow; with that over ground it gives the '
                              'current along the bow'),
    'velocity_x': Quantity('speed', EARTH, 'velocity over ground along the first axis of the earth'),
    'velocity_y': Quantity('speed', EARTH, 'the same along the second'),
    'u': Quantity('speed', BODY, 'surge velocity over ground, forward'),
    'v': Quantity('speed', BODY, 'sway velocity: to port in flu, to starboard in frd'),
    'r': Quantity('rate', BODY, 'yaw rate: counter-clockwise in flu, clockwise in frd'),
    'u_dot': Quantity('acceleration', BODY, 'derivative of u'),
    'v_dot': Quantity('acceleration', BODY, 'derivative of v'),
    'r_dot': Quantity('angular acceleration', BODY, 'derivative of r'),
    'current_x': Quantity('speed', EARTH, 'water current along the first axis of the earth'),
    'current_y': Quantity('speed', EARTH, 'the same along the second'),
    'current_speed': Quantity('speed', '', 'speed of the water current'),
    'current_direction': Quantity('angle', EARTH, 'where it flows to, or from: key `towards`'),
    'wind_x': Quantity('speed', EARTH, 'wind over ground along the first axis of the earth'),
    'wind_y': Quantity('speed', EARTH, 'the same along the second'),
    'wind_speed': Quantity('speed', '', 'speed of the wind over ground'),
    'wind_direction': Quantity('angle', EARTH, 'where it blows to, or from: key `towards`'),
    'apparent_wind_speed': Quantity('speed', '', 'speed of the wind that the moving boat feels'),
    'apparent_wind_angle': Quantity('angle', BODY, 'where it comes from, from the bow: counter-clockwise in flu, '
                                    'clockwise in frd'),
    'true_wind_speed': Quantity('speed', '', 'speed of the wind whose angle is counted from the bow'),
    'true_wind_angle': Quantity('angle', BODY, 'where it comes from, as apparent_wind_angle'),
    'volts': Quantity('voltage', '', 'of the battery'),
    'amperes': Quantity('current', '', 'drawn from the battery'),
    'electrical_power': Quantity('power', '', 'drawn from the battery'),
    'thrust': Quantity('force', '', 'of a thruster, positive ahead'),
    'command': Quantity('command', '', 'pulse width that a thruster is given'),
    'revolutions': Quantity('revolutions', '', "of a thruster's propeller, positive where it drives ahead along its "
                                                'axis'),
    'angle': Quantity('angle', BODY, 'direction in which a thruster pushes the boat, or of the leading edge of a '
                      'rudder or sail: counter-clockwise from ahead in flu, clockwise in frd'),
    'neutral': Quantity('command', '', 'pulse width that gives no thrust'),
}


class Column(NamedTuple):
    """
    One column: its name in the header, the factor to house units, sign, frame of its axes, and where it points.

    `file`: the table of a folder that holds it; `limits`: least and largest value that can be, in its own unit;
    `calendar`: whether it holds times as text; `date`: the column of their dates, where that is another one.
    """

    header: str
    factor: float
    sign: float = 1.0
    frame: str = ''
    towards: bool = True
    file: str = ''
    limits: tuple[float, float] = (-math.inf, math.inf)
    calendar: bool = False
    date: str = ''


class FoilColumns(NamedTuple):
    """The column of one rudder's or sail's angle."""

    name: str
    angle: Column


class ThrusterColumns(NamedTuple):
    """
    The columns of one thruster, None where it has none, and the pulse width that gives no thrust, us.

    `measured`: columns of its revolutions, angle, volts and amperes, by these names; `together`: limits of further
    columns, by their headers, that come in one message with revolutions and volts; `place`: m ahead, m to port;
    `bollard`: rows of revolutions, 1/s, and thrust at standstill, N, both rising; between readings further apart than
    `longest_gap`, s, thrust is not known.
    """

    name: str
    thrust: Column | None
    command: Column | None
    neutral: float
    measured: Mapping[str, Column] = {}
    together: Mapping[str, tuple[float, float]] = {}
    place: tuple[float, float] = (math.nan, math.nan)
    bollard: tuple[tuple[float, float], ...] = ()
    longest_gap: float | None = None

    @property
    def columns(self) -> list[Column]:
        """All of its columns that are recorded."""
        return [one for one in (self.thrust, self.command, *self.measured.values()) if one is not None]


@dataclass(frozen=True)
class ColumnMap:
    """What the columns of a table hold, by quantity; see config/schema/columns.schema.yaml."""

    path: Path
    columns: Mapping[str, Column]
    thrusters: tuple[ThrusterColumns, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    decimal: str | None = None
    origin: tuple[float, float] | None = None
    max_gap: float | None = None
    exact: bool = False
    repeated: bool = False
    foils: tuple[FoilColumns, ...] = ()
    skip: int = 0
    before: int = 0

    @property
    def every(self) -> list[Column]:
        """All columns: of the boat, of its thrusters, of its foils."""
        return [*self.columns.values(), *(one for thruster in self.thrusters for one in thruster.columns),
                *(foil.angle for foil in self.foils)]

    @property
    def files(self) -> list[str]:
        """The tables of a folder that hold the columns, each once; none of a map for a single table."""
        return list(dict.fromkeys(column.file for column in self.every if column.file))

    def names(self) -> list[str]:
        """Return the names of all columns that are wanted, each once."""
        wanted = [c.header for c in self.every]
        return list(dict.fromkeys([*wanted, *(c for t in self.thrusters for c in t.together), *self.extra.values()]))


def read_columns(name: str | Path) -> ColumnMap:
    """
    Return a column map by its name in config/columns or by the path of its YAML file.

    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('columns', str(name))
    if path.suffix.lower() not in ('.yaml', '.yml'):
        refuse_other_file(path, 'column map')
    return columns_from(checked.read_with_base('columns', path), path)


def columns_from(document: dict[str, Any], path: Path) -> ColumnMap:
    """
    Return a column map from the content of its file.

    :raises InputError: As `read_columns`.
    """
    _check_units(document, path)
    checked.check(document, 'columns', path)
    frames = {'earth': 'enu', 'body': 'flu', **document.get('frames', {})}
    columns = {name: _column(name, plain, frames) for name, plain in document['columns'].items()}
    for first, second in PAIRS:
        if (first in columns) != (second in columns):
            there, lacking = (first, second) if first in columns else (second, first)
            raise InputError(f'{path}: columns has {there} without {lacking}; they go together')
        if first in columns and columns[first].frame != columns[second].frame and columns[first].frame:
            raise InputError(f'{path}: columns.{first}.frame is {columns[first].frame!r} and columns.{second}.frame is '
                             f'{columns[second].frame!r}; must be the same')
    _check_orientation(columns, path)
    for one, other in RIVALS:
        if one in columns and other in columns:
            raise InputError(f'{path}: columns has {one} and {other}, which say the same; leave one out')
    thrusters = tuple(_thruster(plain, frames, number, path)
                      for number, plain in enumerate(document.get('thrusters', ())))
    foils = tuple(FoilColumns(plain['name'], _column('angle', plain['angle'], frames))
                  for plain in document.get('foils', ()))
    for key, names in (('thrusters', [one.name for one in thrusters]), ('foils', [one.name for one in foils])):
        if len(set(names)) != len(names):
            raise InputError(f'{path}: {key} have the names {", ".join(names)}; each name must stand once')
    origin = document.get('origin')
    max_gap = document.get('max_gap')
    return ColumnMap(path, columns, thrusters, document.get('extra', {}), document.get('delimiter'),
                     document.get('decimal'), None if origin is None else (float(origin[0]), float(origin[1])),
                     None if max_gap is None else float(max_gap), document.get('exact', False),
                     document.get('repeated', False), foils, document.get('skip', 0), document.get('before', 0))


def _check_orientation(columns: Mapping[str, Column], path: Path) -> None:
    """See that the four components of a quaternion stand together, in one table and one frame."""
    there = [name for name in ORIENTATION if name in columns]
    if there and len(there) < len(ORIENTATION):
        raise InputError(f'{path}: columns has {", ".join(there)} only; must have all of {", ".join(ORIENTATION)}')
    for part in ('file', 'frame'):
        if len({getattr(columns[name], part) for name in there}) > 1:
            raise InputError(f'{path}: columns.{", columns.".join(there)} have different values of {part}; must have '
                             'the same')


def _column(name: str, plain: Mapping[str, Any], frames: Mapping[str, str]) -> Column:
    quantity = QUANTITIES[name]
    frame = plain.get('frame', frames['earth' if quantity.frame == EARTH else 'body']) if quantity.frame else ''
    low, high = plain.get('limits', (-math.inf, math.inf))
    return Column(plain['column'], UNITS[quantity.kind].get(plain['unit'], 1.0), float(plain.get('sign', 1)), frame,
                  plain.get('towards', True), plain.get('file', ''), (float(low), float(high)),
                  plain['unit'] == CALENDAR, plain.get('date', ''))


def _thruster(plain: Mapping[str, Any], frames: Mapping[str, str], number: int, path: Path) -> ThrusterColumns:
    thrust, command = (_column(name, plain[name], frames) if name in plain else None for name in ('thrust', 'command'))
    measured = {name: _column(name, plain[name], frames) for name in MEASURED if name in plain}
    if thrust is None and command is None and 'revolutions' not in measured:
        raise InputError(f'{path}: thrusters.{number} ({plain["name"]}) has neither thrust nor command nor revolutions')
    neutral = float(plain.get('neutral', 'nan'))
    if command is not None and command.sign < 0.0 and 'neutral' not in plain:
        raise InputError(f'{path}: thrusters.{number}.command.sign is -1; it turns the command round about '
                         'thrusters[].neutral (us), which is not given')
    together = {header: (float(low), float(high)) for header, (low, high) in plain.get('together', {}).items()}
    ahead, port = plain.get('place', (math.nan, math.nan))
    return ThrusterColumns(plain['name'], thrust, command, neutral, measured, together, (float(ahead), float(port)),
                           _bollard(plain.get('bollard'), f'{path}: thrusters.{number}.bollard'),
                           plain.get('bollard', {}).get('longest_gap'))


def _bollard(plain: Mapping[str, Any] | None, where: str) -> tuple[tuple[float, float], ...]:
    """Return rows of revolutions, 1/s, and thrust at standstill, N; InputError where that is no function."""
    if plain is None:
        return ()
    rows = tuple((UNITS['revolutions'][plain['unit']] * float(turns), float(thrust)) for turns, thrust in plain['rows'])
    if any(later[k] <= sooner[k] for sooner, later in itertools.pairwise(rows) for k in (0, 1)):
        raise InputError(f'{where}.rows is {plain["rows"]}; revolutions and thrusts must both rise')
    if (0.0, 0.0) not in rows:
        raise InputError(f'{where}.rows is {plain["rows"]}; must hold [0, 0]: a propeller at rest gives no thrust')
    return rows


def _check_units(document: Mapping[str, Any], path: Path) -> None:
    """Refuse a unit that the quantity cannot have, in words that say which it can."""
    plain = document.get('columns')
    entries = list(plain.items()) if isinstance(plain, dict) else []
    thrusters = document.get('thrusters')
    for number, thruster in enumerate(thrusters if isinstance(thrusters, list) else []):
        if isinstance(thruster, dict):
            entries += [(f'thrusters.{number}.{name}', thruster.get(name)) for name in ('thrust', 'command', *MEASURED)]
    foils = document.get('foils')
    entries += [(f'foils.{number}.angle', foil.get('angle')) for number, foil in
                enumerate(foils if isinstance(foils, list) else []) if isinstance(foil, dict)]
    for key, entry in entries:
        quantity = QUANTITIES.get(str(key).rsplit('.', 1)[-1])
        if quantity is None or not isinstance(entry, dict) or not isinstance(entry.get('unit'), str):
            continue
        allowed = [*UNITS[quantity.kind], *([CALENDAR] if quantity.kind == 'time' else [])]
        if entry['unit'] not in allowed:
            place = key if key.startswith(('thrusters', 'foils')) else f'columns.{key}'
            raise InputError(f'{path}: {place}.unit is {entry["unit"]!r}, which no {quantity.kind} can have; '
                             f'must be one of {", ".join(allowed)}')
