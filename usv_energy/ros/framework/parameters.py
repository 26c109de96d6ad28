"""
Declarations of parameters: name, type, default, limits and description, and the parameters that several nodes share.

A node lists its declarations in its class attribute `declared`; `node_parameters` declares them to rclpy. The error for
a wrong value names parameter, value and limits.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.parameter import Parameter

from usv_energy.air.quadcopter import read_quadcopter
from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.limits import LOGGED, TURN, WIND_SPEED
from usv_energy.powering.power import CONVENTIONS
from usv_energy.studies.plan.boat_in_sea import ESTIMATES, sea_state_of

LARGEST_INTEGER = 2**63 - 1
LIVE = ' A change takes effect at the next message.'
AT_CONFIGURE = ' Read at configure.'
AT_START = ' Read when the process starts.'


@dataclass(frozen=True)
class Declaration:
    """
    A parameter: its name, default, and description with the unit.

    A `live` parameter may change while the node is configured. A `read_only` one is read when the process starts, and
    never changes.
    """

    name: str
    default: Any
    description: str
    live: bool = False
    read_only: bool = False

    type_: ClassVar[Parameter.Type] = Parameter.Type.NOT_SET

    def checked(self, value: Any) -> Any:
        """
        Return a value in the parameter's type.

        :raises InputError: If the value is not allowed: parameter, value, what is allowed.
        """
        raise NotImplementedError

    def check_reference(self, value: Any) -> None:
        """
        Check the file or scenario that a value names. Used for changes only, because `configure` reads it anyway.

        :raises InputError: If there is no such file or scenario, or it is wrong.
        """

    def constraints(self) -> str:
        """Return what is allowed, in words; empty if every value of the type is."""
        return ''

    def descriptor(self) -> ParameterDescriptor:
        """Return what `ros2 param describe` shows."""
        when = AT_START if self.read_only else LIVE if self.live else AT_CONFIGURE
        return ParameterDescriptor(description=self.description + when, read_only=self.read_only,
                                   additional_constraints=self.constraints())

    def _fault(self, value: Any, allowed: str) -> InputError:
        return InputError(f'parameter {self.name} is {value}; must be {allowed}')


@dataclass(frozen=True)
class Number(Declaration):
    """A number greater than `above`, at least `least` and at most `most`, as far as given; of a magnitude to LOGGED."""

    above: float | None = None
    least: float | None = None
    most: float | None = None

    type_ = Parameter.Type.DOUBLE

    def checked(self, value: Any) -> float:
        """Return the number; an integer in YAML (40) is accepted for a double."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._fault(repr(value), 'a number')
        if not math.isfinite(value):
            raise self._fault(value, 'a finite number')
        if (self.above is not None and not value > self.above) or (self.least is not None and not value >= self.least) \
                or (self.most is not None and not value <= self.most):
            raise self._fault(value, self.constraints())
        if abs(value) > LOGGED:
            raise self._fault(value, f'at most {LOGGED:g} in magnitude')
        return float(value)

    def constraints(self) -> str:
        """Return the limit in words."""
        if self.above is not None:
            return f'greater than {self.above:g}' + ('' if self.most is None else f', at most {self.most:g}')
        if self.most is not None and self.least is not None:
            return f'{self.least:g} to {self.most:g}'
        return 'any finite number' if self.least is None else f'{self.least:g} or greater'

    def descriptor(self) -> ParameterDescriptor:
        """Return what `ros2 param describe` shows, with the range."""
        descriptor = super().descriptor()
        low = self.least if self.above is None else self.above
        if low is not None:
            descriptor.floating_point_range = [FloatingPointRange(
                from_value=float(low), to_value=LOGGED if self.most is None else float(self.most))]
        return descriptor


@dataclass(frozen=True)
class WholeNumber(Declaration):
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int = LARGEST_INTEGER

    type_ = Parameter.Type.INTEGER

    def checked(self, value: Any) -> int:
        """Return the whole number; a double without a fraction (40.0) is accepted."""
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
            raise self._fault(repr(value), 'a whole number')
        if not self.least <= value <= self.most:
            raise self._fault(value, self.constraints())
        return int(value)

    def constraints(self) -> str:
        """Return the limit in words."""
        return (f'a whole number, {self.least} or greater' if self.most == LARGEST_INTEGER
                else f'a whole number from {self.least} to {self.most}')

    def descriptor(self) -> ParameterDescriptor:
        """Return what `ros2 param describe` shows, with the range."""
        descriptor = super().descriptor()
        descriptor.integer_range = [IntegerRange(from_value=self.least, to_value=self.most)]
        return descriptor


@dataclass(frozen=True)
class Text(Declaration):
    """
    A text; a number is accepted as written (`scenario: 3`).

    `allowed` lists the texts it may be; empty: any. `read` reads what the text names, and raises InputError if there is
    no such thing; it is not called for the empty text.
    """

    allowed: tuple[str, ...] = ()
    read: Callable[[str], object] | None = None

    type_ = Parameter.Type.STRING

    def checked(self, value: Any) -> str:
        """Return the text."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self._fault(repr(value), 'a text')
        if self.allowed and str(value) not in self.allowed:
            raise self._fault(repr(value), self.constraints())
        return str(value)

    def check_reference(self, value: str) -> None:
        """Check the file or scenario that the text names."""
        if self.read is not None and value:
            self.read(value)

    def constraints(self) -> str:
        """Return the texts that are allowed, in words."""
        shown = [text or "'' (empty)" for text in self.allowed]
        return f'one of {", ".join(shown)}' if shown else ''


@dataclass(frozen=True)
class Flag(Declaration):
    """True or false."""

    type_ = Parameter.Type.BOOL

    def checked(self, value: Any) -> bool:
        """Return whether it is true."""
        if not isinstance(value, bool):
            raise self._fault(repr(value), 'true or false')
        return value


@dataclass(frozen=True)
class Texts(Declaration):
    """
    A list of texts; empty ones are ignored.

    ROS 2 cannot determine the type of an empty list, so [''] stands for it. `read`: as that of Text, for each of them.
    """

    read: Callable[[str], object] | None = None

    type_ = Parameter.Type.STRING_ARRAY

    def checked(self, value: Any) -> list[str]:
        """Return the texts."""
        if isinstance(value, str | bytes | bool | int | float) or not all(isinstance(item, str) for item in value):
            raise self._fault(repr(value), 'a list of texts')
        return list(value) or ['']

    def check_reference(self, value: list[str]) -> None:
        """Check what each text names."""
        for text in filter(None, value if self.read is not None else ()):
            self.read(text)  # type: ignore[misc]  # a field that is called, which mypy takes for a method


@dataclass(frozen=True)
class Numbers(Declaration):
    """A list of numbers; ROS 2 cannot determine the type of an empty list, so the default must hold one."""

    type_ = Parameter.Type.DOUBLE_ARRAY

    def checked(self, value: Any) -> list[float]:
        """Return the numbers; integers in YAML are accepted."""
        if isinstance(value, str | bytes | bool | int | float) or not all(
                isinstance(item, int | float) and not isinstance(item, bool) and abs(item) <= LOGGED for item in value):
            raise self._fault(repr(value), f'a list of numbers, each at most {LOGGED:g} in magnitude')
        return list(map(float, value)) or list(self.default)


def checked_pace(text: str) -> float | None:
    """
    Return the real-time factor of a pace; None for lockstep.

    :raises InputError: If the text is neither a factor nor lockstep.
    """
    if text == 'lockstep':
        return None
    try:
        factor = float(text)
    except ValueError:
        factor = math.nan
    if not (math.isfinite(factor) and factor > 0.0):
        raise InputError(f"parameter pace is {text!r}; must be 'lockstep' or a real-time factor greater than 0")
    return factor


# These import inside the functions, so that launch files can show their arguments without pyproj and SciPy.
def _check_scenario(name: str) -> None:
    from usv_energy.studies.mission.scenario_to_run import check_scenario_or_mission
    check_scenario_or_mission(name)


def _check_home(text: str) -> None:
    from usv_energy.studies.plan.way_home import read_homes
    read_homes([text])


# Parameters of every node.
AUTOSTART = Flag('autostart', False, 'Configure and activate at start, without a manager; in a process of its own.',
                 read_only=True)
EXIT_WHEN_DONE = Flag('exit_when_done', False, 'End the process when its work is done; in a process of its own.',
                      live=True)
BOND_HEARTBEAT_PERIOD = Number(
    'bond_heartbeat_period', 0.1, 'Period of the heartbeats for the lifecycle manager that activates the node, s; 0: '
    'no bond. Read at that activation; it needs bondpy.', live=True, least=0)

# Parameters of several nodes, or of one node and of the graphs with it (`graph_options`).
BOAT = Text('boat', 'lutra_prop', 'Boat: a name in config/boats, or the path of a YAML file.', read=read_boat)
CONVENTION = Text('convention', 'rep103', "Convention of the power model: 'rep103' (right) or 'as_published' (the "
                  "thesis's formulas).", allowed=tuple(CONVENTIONS))
SCENARIO_CONVENTION = Text('convention', '', "Convention of the power model; empty: the scenario's.",
                           allowed=('', *CONVENTIONS))
# Changes to a scenario for one run: the fields of RunChoice.
RUN_CHOICE = (
    Text('boat', '', "Another boat than the scenario's: a name in config/boats, or the path of a YAML file; empty: the "
         "scenario's. A mission needs one.", read=read_boat),
    Text('plant', '', 'Another boat for the motion, while the power model keeps its own; empty: the same.',
         read=read_boat),
    Number('speed', 0.0, "Speed over ground for waypoints without one, m/s; 0: the scenario's, for a mission that of "
           "the plan or else the boat's cheapest.", least=0),
    *(Text(name, '', f'{medium}: SPEED,DIRECTION (m/s, and where it flows to, degrees counter-clockwise from east), or '
           "a flow file; empty: the scenario's, for a mission none.")
      for name, medium in (('current', 'Water current'), ('wind', 'Wind'))),
    Number('wind_height', 0.0, 'Height above water of that wind, m (10 for forecasts); 0: at the boat.', least=0),
)
SCENARIO = Text('scenario', '1', 'A name in config/scenarios, or the path of a YAML file or of a mission: .plan, '
                '.waypoints, GPX, KML, GeoJSON (with a boat).', read=_check_scenario)
PACE = Text('pace', 'lockstep', "'lockstep' (each step waits for all answers: the same result on any machine), or a "
            'real-time factor greater than 0.', read=checked_pace)
PUBLISH_CLOCK = Flag('publish_clock', True, 'Publish /clock; false for all boats but one of a graph.')
OUT = Text('out', 'results/recording', 'Folder of samples.csv, bag/ ...')
BAG = Flag('bag', True, 'Write an MCAP bag, bag/, too.')
PLOTS = Flag('plots', True, 'Draw plot.png at the end of a scenario.')
MAX_GAP = Number('max_gap', 0.0, 'Longest time between two samples without a gap, s; 0: three periods of the data, '
                 'and at least 1 s.', live=True, least=0)
ODOM_RELIABILITY = Text(
    'odom_reliability', 'auto', "Reliability of the subscription to the odometry: 'reliable', 'best_effort', or "
    "'auto': best effort if a publisher is.", allowed=('auto', 'reliable', 'best_effort'))
AXES = Text('axes', 'enu', "Axes of the odometry: 'enu' (earth ENU, body FLU) or 'ned' (earth NED, body FRD).",
            allowed=('enu', 'ned'))
TWIST_FRAME = Text('twist_frame', 'body', "Frame of the odometry's twist: 'body' (as in REP-105) or 'world'.",
                   allowed=('body', 'world'))
LAG = Number('lag', 1.0, 'Each state is estimated from the odometry up to this much later, s, with noise that the node '
             'estimates, and then published; 0: published at once, unchanged (for exact odometry, as from simulators).',
             least=0)
ACCELERATION_TIME_CONSTANT = Number(
    'acceleration_time_constant', 0.0, 'With a lag of 0: time constant of the low-pass for the acceleration, s; 0: '
    'none.', live=True, least=0)
# The source of a flow client.
FLOW_SOURCE = (
    Text('mode', 'none', "'none' (no flow), 'global' (the same everywhere) or 'local' (from the service get_flow).",
         live=True, allowed=('none', 'global', 'local')),
    Number('speed', 0.0, 'Mode global: speed, m/s.', live=True, least=0, most=WIND_SPEED),
    Number('direction_deg', 0.0, 'Mode global: where it flows to, degrees counter-clockwise from east.', live=True,
           least=-TURN, most=TURN),
    Text('global_source', 'parameter', "Mode global: 'parameter' (speed, direction_deg) or 'topic'.", live=True,
         allowed=('parameter', 'topic')),
)
WIND_HEIGHT = Number('height', 0.0, 'Mode global: height above water of the given wind, m (10 for forecasts); 0: at '
                     'the boat.', least=0)
SEA = Text('sea', '', 'Waves: significant height m, peak period s, and where they run to, degrees counter-clockwise '
           'from east, as 0.3,2.5,180; or a flow file with waves (for a field, the waves at 0, 0 and time 0); empty: '
           'unknown.', read=lambda text: sea_state_of(text, 'parameter sea'))
SEA_PARTS = (
    Number('sea_height', 0.0, 'The same as sea in numbers: significant height of the waves, m; 0: by sea.', least=0),
    Number('sea_period', 0.0, 'With sea_height: peak period, s.', least=0),
    Number('sea_direction_deg', 0.0, 'With sea_height: where the waves run to, degrees counter-clockwise from east.'),
)
WAVE_ESTIMATE = Text('wave_estimate', '', 'With a sea: formula of the added resistance for a boat file without waves; '
                     'stawave-1 is made for ships.', allowed=('', *ESTIMATES))
HOMES = Texts('homes', [''], 'Places to return to, earth frame, m: NAME:X,Y or X,Y.', read=_check_home)
HOME_PARTS = (
    Texts('home_names', [''], 'The same as homes in parts: names of the places; empty: by homes.'),
    Numbers('home_x', [0.0], 'With home_names: to the east, m, as many.'),
    Numbers('home_y', [0.0], 'With home_names: to the north, m, as many.'),
)
GAZEBO_PACE = Text('pace', 'free', "'free': Gazebo runs by itself; 'lockstep': each step waits for all answers to the "
                   'odometry before it.', allowed=('free', 'lockstep'))
QUADCOPTER = Text('quadcopter', 'ar_drone', 'A name in config/quadcopters, or the path of a YAML file.',
                  read=read_quadcopter)
TAKE_OFF = Number('take_off', 0.0, 'Time of take-off, s after the first odometry; 0: by the service take_off.',
                  least=0.0)
LAND = Number('land', 0.0, 'Time of landing, s after the first odometry; 0: by the service land.', least=0.0)
