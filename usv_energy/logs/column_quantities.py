"""What a column of a log may hold, the units it may be in, and the frame it depends on."""

import math
from typing import NamedTuple

from ..earth import FOOT, KILOMETRE_PER_HOUR, KNOT, MILE_PER_HOUR, NAUTICAL_MILE

G = 9.80665  # m/s^2 and N/kgf: CGPM (1901), standard gravity.
DEGREE = math.pi / 180.0
POUND_FORCE = 0.45359237 * G

EARTH, BODY = 'earth', 'body'

# Unit to house unit, by kind of quantity; the first is the house's own.
UNITS: dict[str, dict[str, float]] = {
    'time': {'s': 1.0, 'ms': 1e-3, 'us': 1e-6, 'ns': 1e-9, 'min': 60.0, 'h': 3600.0},
    'length': {'m': 1.0, 'mm': 1e-3, 'cm': 1e-2, 'km': 1e3, 'ft': FOOT, 'nmi': NAUTICAL_MILE},
    'angle': {'rad': 1.0, 'deg': DEGREE, 'cdeg': 0.01 * DEGREE},
    'geographic': {'deg': 1.0, 'rad': 1.0 / DEGREE, 'degE7': 1e-7},
    'speed': {'m/s': 1.0, 'cm/s': 1e-2, 'mm/s': 1e-3, 'km/h': KILOMETRE_PER_HOUR, 'knots': KNOT, 'kn': KNOT,
              'mph': MILE_PER_HOUR, 'ft/s': FOOT},
    'rate': {'rad/s': 1.0, 'deg/s': DEGREE, 'deg/min': DEGREE / 60.0, 'rpm': 2.0 * math.pi / 60.0},
    'acceleration': {'m/s^2': 1.0, 'g': G, 'mg': 1e-3 * G},
    'angular acceleration': {'rad/s^2': 1.0, 'deg/s^2': DEGREE},
    'force': {'N': 1.0, 'kN': 1e3, 'kgf': G, 'lbf': POUND_FORCE},
    'command': {'us': 1.0, 'ms': 1e3},
    'voltage': {'V': 1.0, 'mV': 1e-3},
    'current': {'A': 1.0, 'mA': 1e-3, 'cA': 1e-2},
    'revolutions': {'1/s': 1.0, 'rpm': 1.0 / 60.0, 'rad/s': 0.5 / math.pi},
    'quaternion': {'-': 1.0},
    'power': {'W': 1.0, 'mW': 1e-3, 'kW': 1e3},
}


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
    'course': Quantity('angle', EARTH, 'direction of motion over ground, as yaw'),
    'speed': Quantity('speed', '', 'speed over ground, without a direction'),
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
