"""
The options of graphs: one table for the launch file, for `compose` and for the code that makes the nodes.

An option that sets a parameter of nodes is made from its declaration in `parameters`, which has its type, default,
limits and description. The others are declared here, in the same way. docs/make_parameters.py makes docs/parameters.md
from these tables and from the nodes' `declared`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, cast

from usv_energy.powering.power import CONVENTIONS
from usv_energy.ros.framework.parameters import (
    ACCELERATION_TIME_CONSTANT,
    AUTOSTART,
    AXES,
    BAG,
    BOAT,
    CONVENTION,
    EXIT_WHEN_DONE,
    FLOW_SOURCE,
    GAZEBO_PACE,
    HOMES,
    LAG,
    LAND,
    ODOM_RELIABILITY,
    OUT,
    PACE,
    PLOTS,
    PUBLISH_CLOCK,
    QUADCOPTER,
    RUN_CHOICE,
    SCENARIO,
    SCENARIO_CONVENTION,
    SEA,
    TAKE_OFF,
    TWIST_FRAME,
    WAVE_ESTIMATE,
    WIND_HEIGHT,
    Declaration,
    Flag,
    Number,
    Text,
)

MEDIA = {'current': 'Water current', 'wind': 'Wind'}
BOTH = 'both'
EMBEDDED, GAZEBO = 'embedded', 'gazebo'

# Options of several graphs, made from parameters.
RECORDING = replace(OUT, default='', description='Folder for samples and bag, of a scenario summary and picture, too; '
                    'empty: no recording.')
CLOCK = replace(PUBLISH_CLOCK, name='clock')
CONVENTIONS_OF_RUN = replace(SCENARIO_CONVENTION, description="Convention of the power model; empty: the scenario's; "
                             'both: two for the same motion.', allowed=('', *CONVENTIONS, BOTH))
COMPUTED = Flag('energy', True, 'Compute power and energy.')
AUTOSTARTED = replace(AUTOSTART, default=True, description='The nodes configure and activate themselves; false leaves '
                      'it to a manager.')


class GraphOptions:
    """The values of a graph's options; options that are not given have their defaults."""

    table: ClassVar[tuple[Declaration, ...]] = ()

    def __init__(self, **given: Any) -> None:
        """Store values by the names of options; TypeError for an unknown name."""
        self._values = {one.name: one.default for one in self.table}
        if unknown := given.keys() - self._values.keys():
            raise TypeError(f'{type(self).__name__} has no {", ".join(sorted(unknown))}')
        self._values |= given

    def text(self, name: str) -> str:
        """Return an option that is a text."""
        return cast(str, self._values[name])

    def number(self, name: str) -> float:
        """Return an option that is a number."""
        return cast(float, self._values[name])

    def flag(self, name: str) -> bool:
        """Return an option that is true or false."""
        return cast(bool, self._values[name])

    def value(self, name: str) -> Any:
        """Return an option of any type."""
        return self._values[name]

    def of(self, *declared: Declaration) -> dict[str, Any]:
        """Return the values of options that are also parameters of nodes, by name."""
        return {one.name: self._values[one.name] for one in declared}


class EnergyOptions(GraphOptions):
    """Options of power and energy for existing odometry; an empty boat is left to params files."""

    table = (
        replace(BOAT, default='', description=f'{BOAT.description} It must be given.'), CONVENTION,
        Text('odom', 'odom', 'Topic of the odometry, like /wamv/odom.'), ODOM_RELIABILITY, AXES, TWIST_FRAME, LAG,
        ACCELERATION_TIME_CONSTANT,
        *(replace(one, name=f'{medium}_{one.name}', description=f'{called}: {one.description}')
          for medium, called in MEDIA.items() for one in FLOW_SOURCE),
        replace(WIND_HEIGHT, name='wind_height', description=f'{MEDIA["wind"]}: {WIND_HEIGHT.description}'),
        Text('homes', '', f'{HOMES.description} Separated by semicolons, pier:0,0;12,-3; empty: the way home is '
             'not watched.'),
        SEA, WAVE_ESTIMATE, RECORDING, BAG,
    )


class ScenarioOptions(GraphOptions):
    """Options of a run of a scenario or mission; an empty text, or 0, keeps the value of its file."""

    table = (
        SCENARIO, *RUN_CHOICE, CONVENTIONS_OF_RUN, PACE,
        Text('simulator', EMBEDDED, 'What moves the boat; gazebo: a separate Gazebo with a bridge (gazebo.launch.py).',
             allowed=(EMBEDDED, GAZEBO)),
        COMPUTED, RECORDING, BAG, PLOTS, CLOCK,
    )


class DriveOptions(GraphOptions):
    """Options of a boat that is driven by velocities or paths."""

    table = (
        *(one for one in RUN_CHOICE if one.name not in ('plant', 'speed')),
        replace(SCENARIO, default='drive/open_water', description='Scenario for start, current and wind, without its '
                'waypoints: a name in config/scenarios, or the path of a YAML file.'),
        CONVENTION, replace(PACE, default='1.0'), RECORDING, BAG, CLOCK,
    )


OPTIONS: Mapping[str, type[GraphOptions]] = {
    'energy': EnergyOptions, 'scenario': ScenarioOptions, 'drive': DriveOptions}
# Options of a process that runs all nodes of a graph, and of one that runs a scenario.
OF_PROCESS = (AUTOSTARTED, Flag('intra_process', True, 'Pass messages within the process; false: by DDS, as between '
                                'processes.'))
EXIT_WITH_SCENARIO = replace(EXIT_WHEN_DONE, default=True, description='End with the scenario.')

# Arguments of launch files that no graph has.
NAMESPACE = Text('namespace', 'diffboat', 'Namespace of the boat and all of its topics.')
COMPOSED = Flag('composed', True, 'All nodes of a boat in one process; false: one process for each node.')
RESPAWN = Flag('respawn', False, 'Start nodes that died again; needs composed:=false.')
PARAMS_FILE = Text('params_file', '', 'YAML file with parameters of the nodes, as ros2 param dump writes it; given '
                   'arguments override it, defaults of arguments do not.')
USE_SIM_TIME = Flag('use_sim_time', False, 'Time from /clock.')
LOG_LEVEL = Text('log_level', 'info', 'Log level of the nodes.', allowed=('debug', 'info', 'warn', 'error', 'fatal'))


def _recorded(record: bool, what: str, folder: str) -> tuple[Declaration, ...]:
    return (Flag('record', record, f'Write {what}.'),
            replace(OUT, default='', description=f'Folder for that; empty: results/{folder}-<time>.'))


def _without(table: tuple[Declaration, ...], *names: str) -> tuple[Declaration, ...]:
    return tuple(one for one in table if one.name not in names)


_SAMPLES, _RUN_FILES = 'a table of all samples, and a bag', 'a table of all samples, a summary, a picture and a bag'
_ALWAYS = PARAMS_FILE, USE_SIM_TIME, LOG_LEVEL
LAUNCH_FILES: Mapping[str, tuple[Declaration, ...]] = {
    'scenario': (NAMESPACE, *_without(ScenarioOptions.table, 'simulator', 'energy', 'out', 'bag', 'plots', 'clock'),
                 COMPOSED, AUTOSTARTED, *_recorded(True, _RUN_FILES, '<boat>-<scenario>'), BAG,
                 PLOTS, CLOCK, RESPAWN, *_ALWAYS),
    'energy': (NAMESPACE, *_without(EnergyOptions.table, 'out', 'bag'), COMPOSED, AUTOSTARTED,
               *_recorded(False, _SAMPLES, '<boat>-energy'), RESPAWN, *_ALWAYS),
    'drive': (NAMESPACE, *_without(DriveOptions.table, 'out', 'bag', 'clock'), COMPOSED, AUTOSTARTED,
              *_recorded(False, _SAMPLES, '<boat>-drive'), BAG, CLOCK, RESPAWN, *_ALWAYS),
    'gazebo': (
        replace(SCENARIO, description='A name in config/scenarios, or the path of a YAML file.'),
        Text('world', 'open_water', 'open_water or river, written for the scenario; or the path of an SDF file.'),
        Text('boats', '1', 'Number of boats, side by side; or their names, which are also their namespaces: red,blue; '
             'or names with scenarios: red=3,blue=6.'),
        *(one for one in RUN_CHOICE if one.name in ('boat', 'plant')), CONVENTIONS_OF_RUN,
        replace(QUADCOPTER, default='', description=f"{QUADCOPTER.description} It stands on the first boat's deck, "
                '/quadcopter in ROS; empty: none.'),
        Text('pad', '0,0,0.3', "Place of the quadcopter's middle ahead, to port and up from the boat's odometry, m."),
        replace(TAKE_OFF, default=5.0), LAND, Flag('headless', False, 'Gazebo without its window.'),
        Number('real_time_factor', 1.0, 'Real-time factor of open_water and river; 0: as fast as possible.',
               least=0.0),
        GAZEBO_PACE, COMPUTED, COMPOSED, AUTOSTARTED,
        *_recorded(True, _RUN_FILES, 'gazebo-<scenario>'), BAG, PLOTS,
        Text('gz_args', '', "More arguments for Gazebo, like '-v 4'."), PARAMS_FILE,
        replace(USE_SIM_TIME, default=True), LOG_LEVEL),
    'team': (Text('team', 'three_boats', 'A name in config/teams, or the path of a YAML file.'),
             replace(PACE, description=f'{PACE.description} Each boat with its own nodes.'), COMPOSED, AUTOSTARTED,
             *_recorded(True, f'{_RUN_FILES} of each boat', 'team-<team>'), BAG, PLOTS, *_ALWAYS),
}
