"""The CF conventions for a variable: the axis of a coordinate, its unit, and which variables are flows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from usv_energy.earth import KILOMETRE_PER_HOUR, KNOT

Attributes = Mapping[str, Any]


class Pair(NamedTuple):
    """
    Names of the two components of a velocity, and its medium: water or air; empty if not known.

    `height`: of the air above ground or water, m; None if the names do not state it. `direction`: not empty where they
    are speed and direction: `to` or `from`, whichever that says.
    """

    x: str
    y: str
    medium: str
    height: float | None = None
    direction: str = ''


# CF standard names, https://cfconventions.org/standard-names.html
STANDARD_NAMES = (
    Pair('eastward_sea_water_velocity', 'northward_sea_water_velocity', 'water'),
    Pair('surface_eastward_sea_water_velocity', 'surface_northward_sea_water_velocity', 'water'),
    Pair('barotropic_eastward_sea_water_velocity', 'barotropic_northward_sea_water_velocity', 'water'),
    Pair('sea_water_x_velocity', 'sea_water_y_velocity', 'water'),
    Pair('surface_geostrophic_eastward_sea_water_velocity', 'surface_geostrophic_northward_sea_water_velocity',
         'water'),
    Pair('eastward_wind', 'northward_wind', 'air'),
    Pair('x_wind', 'y_wind', 'air'),
    *(Pair('sea_water_speed', direction, 'water', None, sense) for direction, sense in (
        ('direction_of_sea_water_velocity', 'to'), ('sea_water_velocity_to_direction', 'to'),
        ('sea_water_velocity_from_direction', 'from'))),
    *(Pair('wind_speed', f'wind_{sense}_direction', 'air', None, sense) for sense in ('from', 'to')),
)
# Heights, m, and names of winds: ERA5, CMIP, cdo, ICON, MERRA-2, WRF, GFS by wgrib2, GFS of NOMADS, ROMS, SCHISM,
# FVCOM, GNOME.
HEIGHTS = {('u10', 'v10'): 10.0, ('u100', 'v100'): 100.0, ('uas', 'vas'): 10.0, ('10u', '10v'): 10.0,
           ('u_10m', 'v_10m'): 10.0, ('U10M', 'V10M'): 10.0, ('U10', 'V10'): 10.0,
           ('UGRD_10maboveground', 'VGRD_10maboveground'): 10.0, ('ugrd10m', 'vgrd10m'): 10.0,
           ('Uwind', 'Vwind'): 10.0, ('windSpeedX', 'windSpeedY'): 10.0, ('uwind_speed', 'vwind_speed'): 10.0,
           ('wind_speed_x', 'wind_speed_y'): 10.0, ('air_u', 'air_v'): 10.0}
TOTAL = 'utotal', 'vtotal'
EASTWARD = ('u_eastward', 'v_northward'), ('u_sur_eastward', 'v_sur_northward')
ALONG_GRID = ('u', 'v'), ('u_sur', 'v_sur')
DEPTH_MEANS = (('ua', 'va'), ('depthAverageVelX', 'depthAverageVelY'), ('dahv_x', 'dahv_y'), ('ucxa', 'ucya'))
# Names used by Copernicus Marine, HYCOM, ROMS, NOAA's surfaces (ROMS, STOFS), SCHISM, ADCIRC, FVCOM, D-Flow FM; those
# winds above; GFS of THREDDS.
NAMES = (Pair('uo', 'vo', 'water'), Pair(*TOTAL, 'water'), Pair('water_u', 'water_v', 'water'),
         Pair('ugos', 'vgos', 'water'), *(Pair(*names, 'water') for names in (*EASTWARD, *DEPTH_MEANS)),
         Pair('u_sur', 'v_sur', 'water'),
         Pair('uvel_surface', 'vvel_surface', 'water'), Pair('horizontalVelX', 'horizontalVelY', 'water'),
         Pair('u-vel', 'v-vel', 'water'), Pair('hvel_x', 'hvel_y', 'water'),
         *(Pair(x, y, 'air', HEIGHTS[x, y]) for x, y in HEIGHTS if x != 'u100'),
         Pair('u-component_of_wind_height_above_ground', 'v-component_of_wind_height_above_ground', 'air'))
# Of ROMS and CROCO, and of FVCOM, recognised by these words in long_name.
MOMENTUM, MOMENTUM_WORDS = (('u', 'v'), ('ubar', 'vbar')), ('momentum component', 'water velocity')

SPEED_UNITS = {'m/s': 1.0, 'cm/s': 0.01, 'km/h': KILOMETRE_PER_HOUR, 'knot': KNOT}
TIME_UNITS = {'s': 1.0, 'min': 60.0, 'h': 3600.0, 'd': 86400.0}
LENGTH_UNITS = {'m': 1.0, 'km': 1000.0}
_SPELLINGS = {
    'm/s': ('m s-1', 'm s^-1', 'm s**-1', 'm.s-1', 'm*s-1', 'm/sec', 'meter/sec', 'meters/second', 'meter second-1',
            'meters second-1', 'metre second-1', 'meter s-1', 'meters s-1', 'meter/s',
            'metre/s', 'ms-1', 'meters/s', 'm sec-1'),
    'cm/s': ('cm s-1', 'cm s^-1', 'cm s**-1', 'cm/sec', 'centimeter second-1'),
    'km/h': ('km h-1', 'km/hr', 'km hr-1', 'kph'),
    'knot': ('knots', 'kt', 'kts', 'kn'),
    's': ('second', 'seconds', 'sec', 'secs'), 'min': ('minute', 'minutes', 'mins'),
    'h': ('hour', 'hours', 'hr', 'hrs'), 'd': ('day', 'days'),
    'm': ('meter', 'meters', 'metre', 'metres'), 'km': ('kilometer', 'kilometers', 'kilometre', 'kilometres'),
}
_DEGREES = re.compile(r'degrees?(_?(east|north|e|n))?$', re.IGNORECASE)
_OF_UNIT = {**dict.fromkeys(('degrees_east', 'degree_east', 'degrees_e', 'degree_e'), 'LON'),
            **dict.fromkeys(('degrees_north', 'degree_north', 'degrees_n', 'degree_n'), 'LAT')}
_OF_STANDARD_NAME = {'longitude': 'LON', 'latitude': 'LAT', 'projection_x_coordinate': 'X',
                     'projection_y_coordinate': 'Y'}
_OF_NAME = {**dict.fromkeys(('lon', 'longitude', 'nav_lon'), 'LON'),
            **dict.fromkeys(('lat', 'latitude', 'nav_lat'), 'LAT')}
_VERTICAL = ('depth', 'lev', 'level', 'height', 'z', 'deptht', 'depthu', 's_rho', 'heightaboveground')
_IN_BRACKETS = re.compile(r'[(\[]([^()\[\]]+)[)\]]\s*$')
_PRESSURE = ('pa', 'hpa', 'mbar', 'mb', 'millibar', 'millibars', 'dbar', 'decibar', 'decibars', 'bar')


def unit_of(attributes: Attributes) -> str:
    """Return the unit of a variable in this module's spelling; as in the file if it is unknown; or ''."""
    text = str(attributes.get('units', '')).strip()
    plain = ' '.join(text.lower().split())
    return next((unit for unit, others in _SPELLINGS.items() if plain == unit or plain in others), text)


def speed_unit_of(attributes: Attributes) -> str:
    """
    Return the unit of a velocity, as `unit_of`; without `units` that in brackets at the end of its long_name.

    SCHISM, which marks its variables with `i23d`, writes no units: all of it is SI.
    """
    if 'units' not in attributes and (said := _IN_BRACKETS.search(str(attributes.get('long_name', '')))):
        attributes = {'units': said[1]}
    return unit_of(attributes) or ('m/s' if 'i23d' in attributes else '')


def axis_of(name: str, attributes: Attributes) -> str:
    """
    Return the axis of a coordinate: X, Y (lengths), LON, LAT (degrees), Z, T; '' if not known.

    :param name: Of the variable; used only if its attributes do not determine the axis.
    :param attributes: Of the variable: standard_name, units, axis, positive.
    """
    standard, unit = str(attributes.get('standard_name', '')).lower(), unit_of(attributes)
    plain, stated = name.lower(), str(attributes.get('axis', '')).upper()
    angle = bool(_DEGREES.match(unit))
    told, stands = _OF_UNIT.get(unit.lower(), ''), _OF_STANDARD_NAME.get(standard, '')
    if told and stands and told != stands and _OF_NAME.get(plain) == stands:
        return ''                           # A unit against name and standard name; PyFVCOM calls both longitude.
    if told or stands:
        return told or stands
    if standard == 'time' or ' since ' in unit or stated == 'T' or plain in ('time', 'valid_time'):
        return 'T'
    if stated == 'Z' or 'positive' in attributes or plain in _VERTICAL:
        return 'Z'
    for axis, angular, names in (('X', 'LON', ('x', 'lon', 'longitude', 'nav_lon', 'easting')),
                                 ('Y', 'LAT', ('y', 'lat', 'latitude', 'nav_lat', 'northing'))):
        if stated == axis or plain in names:
            return angular if angle or (plain in names[1:4] and not unit) else axis
    return ''


def is_pressure(attributes: Attributes) -> bool:
    """Return whether a vertical coordinate is a pressure, which does not give a depth or height."""
    return unit_of(attributes).lower() in _PRESSURE


def pairs_in(variables: Mapping[str, Attributes]) -> list[Pair]:
    """
    Return the velocities in a file, by standard names first, then by common names; each variable once.

    :param variables: Attributes of the data variables, by name.
    """
    found: list[Pair] = []
    for wanted in STANDARD_NAMES:
        sides = [[name for name, attributes in variables.items()
                  if str(attributes.get('standard_name', '')).lower() == standard]
                 for standard in wanted[:2]]
        found += [Pair(x, y, wanted.medium, HEIGHTS.get((x, y)), wanted.direction) for x, y in _partners(*sides)]
    known = {name for pair in found for name in pair[:2]}
    named = [*NAMES, *(Pair(x, y, 'water') for x, y in MOMENTUM
                       if all(any(words in str(variables.get(name, {}).get('long_name', '')).lower().replace('_', ' ')
                                         for words in MOMENTUM_WORDS) for name in (x, y)))]
    return found + [pair for pair in named
                    if pair.x in variables and pair.y in variables and not known & {pair.x, pair.y}]


def preferred(pairs: Sequence[Pair]) -> tuple[list[Pair], list[str]]:
    """
    Return the preferred ones of several velocities for a boat, and the reasons as sentences.

    The total current is preferred to its parts (tide, Stokes drift, and the model's own without them), that of a level
    to the depth mean, and east and north components to those along the grid, and any to speed and direction. Other
    choices remain.
    """
    by_components = {pair.medium for pair in pairs if not pair.direction}
    kept = [pair for pair in pairs if not pair.direction or pair.medium not in by_components]
    water = [pair for pair in kept if pair.medium == 'water']
    notes = []
    for wins, loses, why in (
            (lambda pair: pair[:2] == TOTAL, lambda pair: pair[:2] != TOTAL, 'the total current, not its parts'),
            (lambda pair: not _is_barotropic(pair), _is_barotropic, 'that of a level, not the mean over depth'),
            (lambda pair: pair[:2] in EASTWARD, lambda pair: pair[:2] in ALONG_GRID,
             'that to the east and north, not the same along the grid')):
        lost = [pair for pair in water if pair in kept and loses(pair)]
        if lost and any(wins(pair) for pair in water if pair in kept):
            kept = [pair for pair in kept if pair not in lost]
            left = '; '.join(f'[{pair.x}, {pair.y}]' for pair in lost)
            notes.append(f'of several velocities {why}: {left} left out, which the option variables may name')
    return kept, notes


def _is_barotropic(pair: Pair) -> bool:
    return pair[:2] in DEPTH_MEANS or ('bar' in pair.x.lower() and 'bar' in pair.y.lower())


def is_eastward(attributes: Attributes, name: str) -> bool:
    """
    Return whether a component is eastward and not along a grid's rows: by its standard name, else its name.

    :param attributes: Of the variable.
    :param name: Of the variable.
    """
    standard = str(attributes.get('standard_name', '')).lower()
    if standard:
        return 'eastward' in standard
    return 'east' in name.lower() or name in ('uo', 'u10', 'u100', 'uas', 'water_u', '10u', 'ugos', TOTAL[0])


def _partners(xs: list[str], ys: list[str]) -> Iterable[tuple[str, str]]:
    """Return which of several variables of one standard name belong together: those with the most similar names."""
    def plain(name: str) -> str:
        return re.sub(r'[uvxy]|east(ward)?|north(ward)?|zonal|meridional', '', name.lower())

    if len(xs) == len(ys) == 1:
        return [(xs[0], ys[0])]
    return [(x, y) for x in xs for y in ys if plain(x) == plain(y)]
