"""`usv-energy completion`: completion of verbs, options, and names of shipped files by the shell, with argcomplete."""

import argparse
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from usv_energy.files.locate import names
from usv_energy.files.optional import optional

SHELLS = 'bash', 'zsh', 'fish'
LINE, POINT = 'COMP_LINE', 'COMP_POINT'     # In the environment: the line that a shell wants completed, and where.
SHIPPED = {'boat': 'boats', 'plant': 'boats', 'columns': 'columns', 'current': 'flows', 'wind': 'flows',
           'sweep': 'sweeps', 'scenario': 'scenarios', 'scenarios': 'scenarios', 'team': 'teams'}
HOW = """\
To complete commands of usv-energy by the tabulator, put into ~/.bashrc (zsh: ~/.zshrc):
  eval "$(usv-energy completion bash)"
fish: usv-energy completion fish > ~/.config/fish/completions/usv-energy.fish"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('shell', nargs='?', choices=SHELLS, help='print the lines that this shell needs; without: how')


def execute(args: argparse.Namespace) -> int:
    """Print what the shell needs, or how to use it."""
    argcomplete = _argcomplete()
    print(HOW if args.shell is None else argcomplete.shellcode(['usv-energy'], shell=args.shell))
    return 0


def _argcomplete() -> Any:
    return optional('argcomplete', 'completion', 'completion by the shell')


def verb_asked(within: Mapping[str, str]) -> str:
    """
    Return the verb of the line that a shell wants completed; '' if it has none yet.

    The line is changed to what is meant: `mission FILE` to `mission estimate FILE`, which takes all that `mission FILE`
    may take, and `identify battery` to `identify-battery`; `within`: such verbs, and how they are written.
    """
    from usv_energy.cli.mission import MISSION_VERBS, WITH_BOAT
    line, point = os.environ.get(LINE, ''), int(os.environ.get(POINT, '0'))
    if (found := re.match(r'\s*\S+\s+mission\s+(?=[^\s-]\S*\s)', line)) and (
            line[found.end():].split()[0] not in MISSION_VERBS):
        line, point = f'{line[:found.end()]}{WITH_BOAT} {line[found.end():]}', point + len(WITH_BOAT) + 1
    for verb, written in within.items():
        if found := re.match(rf'(\s*\S+\s+){written}(?=\s)', line):
            line, point = f'{found[1]}{verb}{line[found.end():]}', point + len(verb) - len(written)
    os.environ[LINE], os.environ[POINT] = line, str(point)
    try:
        words = shlex.split(line)
    except ValueError:      # A quote that is open yet.
        words = line.split()
    return next((word for word in words[1:] if not word.startswith('-')), '')


def complete(parser: argparse.ArgumentParser, parts: Sequence[str]) -> None:
    """Answer the shell with the next words, and exit; `parser`: with the verb's arguments, `parts`: of `identify`."""
    _add_names(parser, parts)
    _argcomplete().autocomplete(parser)


def _add_names(parser: argparse.ArgumentParser, parts: Sequence[str]) -> None:
    """Let the options that take a shipped file be completed by their names, beside the files of the folder."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            action.choices = action._name_parser_map
            for child in action._name_parser_map.values():
                _add_names(child, parts)
        elif action.dest == 'logs' and parser.prog.endswith(' identify'):
            action.completer = _Names(parts)  # type: ignore[attr-defined]
        elif action.dest in SHIPPED and action.choices is None:
            action.completer = _Names(names(SHIPPED[action.dest]))  # type: ignore[attr-defined]


class _Names:
    """A completer of argcomplete: some words, as the names of shipped files, and paths."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def __call__(self, prefix: str, **given: Any) -> list[str]:
        """Return what a word may become."""
        paths = _argcomplete().completers.FilesCompleter()(prefix)
        return [*(word for word in self._words if word.startswith(prefix)), *paths]
