"""The order of a command's options in its help: the few that matter first, the others in groups by subject."""

import argparse
from collections.abc import Mapping, Sequence

FIRST = 'what matters most'
CONDITIONS: Mapping[str, Sequence[str]] = {
    'water, air and waves': ('current_std', 'wind_std', 'wind_height', 'sea', 'wave_estimate', 'time'),
    'battery and loads': ('battery', 'charge', 'reserve', 'hotel', 'ambient', 'payload'),
    'output': ('out', 'json')}


def arrange(parser: argparse.ArgumentParser, first: Sequence[str], groups: Mapping[str, Sequence[str]]) -> None:
    """
    Sort a parser's options into groups of its help, and shorten its line of usage.

    :param first: Names (`dest`) of the options that matter most.
    :param groups: Titles, and the names of the options below them; those of no group stay in `options`.
    """
    options = {action.dest: action for action in parser._actions if action.option_strings}
    known: set[str] = set()
    titled = []
    for title, names in ((FIRST, first), *groups.items()):
        members = [options[name] for name in names if name in options and name not in known]
        known |= {action.dest for action in members}
        if members:
            group = parser.add_argument_group(title)
            group._group_actions.extend(members)
            titled.append(group)
    plain = parser._optionals
    plain._group_actions = [action for action in plain._group_actions if action.dest not in known]
    others = [group for group in parser._action_groups if group not in (*titled, plain)]
    parser._action_groups = [*others, *titled, plain]
    values = parser._get_formatter()._format_args
    needed = [*(values(action, str(action.metavar or action.dest)) for action in parser._actions
                if not action.option_strings),
              *(f'{action.option_strings[0]} {values(action, action.dest.upper())}' for action in parser._actions
                if action.option_strings and action.required)]
    parser.usage = ' '.join(['%(prog)s', *needed, '[options]'])
