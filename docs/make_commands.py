"""Make docs/commands.md from the parsers of the command line: python3 docs/make_commands.py [-], where - is stdout."""

import argparse
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from usv_energy.cli.help_groups import usage  # noqa: E402
from usv_energy.cli.main import FAMILIES, PROG, VERBS, _parser, members, spoken  # noqa: E402

Nested = argparse._SubParsersAction
HEAD = """\
<!-- Made from the parsers of the command line by docs/make_commands.py; do not edit. -->
# The commands

`usv-energy COMMAND --help` says the same in a terminal. `./run COMMAND` is the same command in the environment that
`./run` makes. Wind, current, sea, course, speed and length may be given as people write them:
[frames.md](frames.md#as-people-say-them).

Exit status: 0 all went well, 1 a file could not be written, 2 wrong input or a place that cannot be written to, 3 a
run, a boat or its battery does not make it, 130 interrupted.

"""


def page():
    """Return the page."""
    below = {name: members(name) for names in FAMILIES.values() for name in names}
    assert {name for pair in below.items() for name in (pair[0], *pair[1])} == set(VERBS)
    parts = [HEAD]
    for family, names in FAMILIES.items():
        words = [spoken(verb) for name in names for verb in (name, *below[name])]
        parts.append(f'- {family}: ' + ', '.join(f'[{word}](#{anchor(word)})' for word in words) + '\n')
    for family, names in FAMILIES.items():
        parts.append(f'\n## {family[0].upper()}{family[1:]}\n')
        for verb in (verb for name in names for verb in (name, *below[name])):
            parser = next(action for action in _parser(verb)._actions if isinstance(action, Nested)).choices[verb]
            parts.append(section(spoken(verb), parser, '###'))
    return ''.join(parts)


def section(name, parser, level):
    """Return the section of a command, with those of its own commands."""
    nested = [action for action in parser._actions if isinstance(action, Nested)]
    lines = ['', f'{level} {name}', '', plain(parser.description or ''), '']
    lines += ['```text', usage(parser).replace('%(prog)s', parser.prog).replace('make_commands.py', PROG), '```', '']
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help != argparse.SUPPRESS
                   and not isinstance(action, (Nested, argparse._HelpAction))]
        if actions:
            title = (group.title or 'options').replace('positional ', '')
            lines += [f'| {title} | |', '|---|---|', *(row(parser, action) for action in actions), '']
    for action in nested:
        purposes = {choice.dest: choice.help for choice in action._choices_actions}
        lines += [f'| {name} | |', '|---|---|']
        lines += [f'| [{child}](#{anchor(f"{name} {child}")}) | {plain(purposes.get(child) or "")} |'
                  for child in action._name_parser_map]
        lines += [section(f'{name} {child}', inner, f'{level}#').rstrip('\n')
                  for child, inner in action._name_parser_map.items()]
        lines.append('')
    return '\n'.join(lines)


def row(parser, action):
    """Return the row of an argument or option."""
    formatter = parser._get_formatter()
    if action.option_strings:
        value = '' if action.nargs == 0 else ' ' + formatter._format_args(
            action, formatter._get_default_metavar_for_optional(action))
        word = ', '.join(action.option_strings) + value
    else:
        word = formatter._format_args(action, str(action.metavar or action.dest))
    meaning = formatter._expand_help(action) if action.help else ''
    return f'| `{word}` | {plain(meaning)} |'.replace('|  |', '| |')


def plain(text):
    """Return a text that ends no cell of a table, and in which nothing is taken for HTML."""
    return re.sub(r'[|<*]', lambda match: f'\\{match[0]}', ' '.join(text.split()))


def anchor(heading):
    """Return the anchor of a heading."""
    return heading.lower().replace(' ', '-')


if __name__ == '__main__':
    if sys.argv[1:] == ['-']:
        sys.stdout.write(page())
    else:
        (HERE / 'commands.md').write_text(page(), encoding='utf-8')
