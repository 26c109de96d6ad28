"""What reads the command line: errors of one line, guesses at what was meant, values that begin with a minus."""

import argparse
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn


class ArgumentParser(argparse.ArgumentParser):
    """A parser whose verbs, which are parsers of this kind, too, answer for their own arguments."""

    def __init__(self, *given: Any, **named: Any) -> None:
        """Make it; what begins with a minus and a digit is a value, as in `--current -0.2,0` and `--depart -60,60`."""
        super().__init__(*given, **named)
        self._negative_number_matcher = re.compile(r'^-\.?\d')

    # Ignored: argparse's overloads for namespaces of other types, which nobody here gives.
    def parse_known_args(self, args: Sequence[str] | None = None,  # type: ignore[override]
                         namespace: argparse.Namespace | None = None) -> tuple[argparse.Namespace, list[str]]:
        """Return what was given; an argument that nobody knows is an error here, where its verb is known."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            guesses = guess(unknown[0].partition('=')[0], self._option_string_actions)
            self.error(f'unrecognized arguments: {" ".join(unknown)}{guesses}')
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong, and end with status 2."""
        self.exit(2, f'{self.prog.partition(" ")[0]}: error: {message}; see {self.prog} --help\n')

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = ', '.join(map(str, action.choices))
            raise argparse.ArgumentError(action, f'invalid choice: {value!r}{guess(str(value), action.choices)}; '
                                                 f'choose from {choices}')


def guess(word: str, known: Iterable[object]) -> str:
    """Return `; did you mean WORD?` with the known word that is nearest to one, or nothing where none is near."""
    close = get_close_matches(word, list(map(str, known)), 1)
    return f'; did you mean {close[0]}?' if close else ''
