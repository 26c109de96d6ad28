"""The order of a command's options in its help: the five that matter first, the others in groups by subject."""

import argparse
from collections.abc import Mapping, Sequence

FIRST, FIVE, FEW = 'what matters most', 5, 7    # Commands of at most FEW options have one list.
LAST_OF_FIVE = 'out'    # One of the five wherever there is a file to write.
# What matters most, the first first; names of attributes (`dest`). What must be given is among the five anyway.
RANK = ('start', 'goals', 'goal', 'area', 'size', 'radius', 'at', 'kind', 'length', 'width', 'chemistry', 'series',
        'mass', 'draught', 'spacing', 'scenario', 'boat', 'home', 'current', 'wind', 'may_command', 'depart', 'speed',
        'speeds', 'wind_speed', 'angles', 'maneuver', 'simulated', 'columns', 'sea', 'validate', 'form', 'split',
        'port', 'battery', 'charge', 'hotel', 'medium', 'time', 'extent', 'track', 'settle')
GROUPS: Mapping[str, Sequence[str]] = {     # Titles, and the options below them of whichever command has them.
    'boat and battery': ('boat', 'plant', 'payload', 'battery', 'charge', 'charge_std', 'reserve', 'hotel', 'ambient',
                         'parallel', 'thruster_distance'),
    'water, air and waves': (
        'current', 'current_speed', 'current_direction', 'current_std', 'estimate_current', 'no_current', 'water_speed',
        'wind', 'wind_speed', 'wind_direction', 'wind_std', 'wind_height', 'no_wind', 'sea', 'wave_estimate', 'waves',
        'drift_depth', 'water_density', 'time'),
    'speed, course and time': (
        'speed', 'top_speed', 'speeds', 'all_legs_at', 'lowest_speed', 'course', 'courses', 'angle', 'angles', 'trim',
        'depart', 'arrive_by', 'least', 'front', 'may_wait', 'may_drift', 'lead', 'duration', 'best'),
    'the way': ('part', 'rounds', 'any_order', 'at', 'home', 'accept', 'round_trip', 'degrees', 'origin', 'extent',
                'points', 'margin', 'land', 'depth', 'bed', 'draught', 'water_level', 'clearance', 'land_metres'),
    'what is read, and how': (
        'columns', 'odom', 'namespace', 'axes', 'twist', 'system', 'any_vehicle', 'max_gap', 'fix_signs', 'begin',
        'end', 'no_align', 'rate', 'convention', 'motion', 'actuators', 'reader', 'option', 'transform', 'time_column',
        'current_column', 'voltage_column', 'temperature_column', 'charge_column', 'at_rest_column', 'pwm_column',
        'pull_column', 'power_column'),
    'the fit, and how sure it is': (
        'validate', 'split', 'leave_one_out', 'form', 'horizon', 'window', 'use', 'full_command', 'loaded', 'added',
        'directions', 'periods', 'current_error', 'drag_error', 'ocv_std_mv', 'std', 'no_band'),
    'output': ('out', 'no_plots', 'report', 'write_fitting', 'write_columns', 'samples', 'json', 'record', 'page',
               'settings', 'period'),
    'computation': ('simulate', 'workers', 'dask', 'threads', 'chunk', 'backend', 'restart')}


def arrange(parser: argparse.ArgumentParser) -> None:
    """Sort the options of a parser and of its commands into groups of its help, and shorten its line of usage."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action._name_parser_map.values():
                arrange(child)
    options = {action.dest: action for action in parser._actions if action.option_strings
               and action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction)}
    if len(options) <= FEW:
        return
    places, plain, *own = parser._action_groups
    first = _five(options)
    free = {action.dest for action in plain._group_actions}
    titled = [_group(parser, FIRST, [options.pop(name) for name in first])]
    for title, names in GROUPS.items():
        if members := [options.pop(name) for name in names if name in options and name in free]:
            titled.append(_group(parser, title, members))
    for group in (plain, *own):     # What a command has put into groups of its own stays there.
        group._group_actions = [action for action in group._group_actions
                                if not any(action in new._group_actions for new in titled)]
    parser._action_groups = [places, titled[0], *own, *titled[1:], plain]
    parser.usage = usage(parser)


def _group(parser: argparse.ArgumentParser, title: str, members: list[argparse.Action]) -> argparse._ArgumentGroup:
    group = parser.add_argument_group(title)
    group._group_actions.extend(members)
    return group


def _five(options: Mapping[str, argparse.Action]) -> list[str]:
    """Return the names of the options that matter most, of those of a command by their names."""
    needed = [name for name, action in options.items() if action.required]
    last = [LAST_OF_FIVE] if LAST_OF_FIVE in options else []
    wished = [name for name in RANK if name in options and name not in needed]
    chosen = {*needed, *last, *wished[:max(FIVE - len({*needed, *last}), 0)]}
    return [name for name in dict.fromkeys((*RANK, *needed)) if name in chosen - set(last)] + last


def usage(parser: argparse.ArgumentParser) -> str:
    """Return a line of usage that names what must be given, and `[options]`."""
    values = parser._get_formatter()._format_args
    words, nested = ['%(prog)s'], False
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            nested = True
        elif not action.option_strings:
            words.append(values(action, str(action.metavar or action.dest)))
    words += [f'{action.option_strings[0]} {values(action, action.dest.upper())}' for action in parser._actions
              if action.option_strings and action.required]
    return ' '.join([*words, 'COMMAND ...' if nested else '[options]'])
