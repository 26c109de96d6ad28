"""`usv-energy report-bug`: what a report of a bug needs, as a text to read and to send; nothing is sent."""

import argparse
import shlex
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

from usv_energy.cli.arguments import file_path
from usv_energy.cli.quantities import duration
from usv_energy.files.bug_report import report
from usv_energy.files.side_process import SAFE_PATH
from usv_energy.files.text_file import check_target, write_text
from usv_energy.show.terminal import list_files, say

SELF = 'report-bug'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.usage = '%(prog)s [--out FILE] [--seconds S] [COMMAND ...]'
    parser.add_argument('--out', type=file_path, metavar='FILE', help='write the report there, in place of stdout')
    parser.add_argument('--seconds', type=duration, default=120.0, metavar='S',
                        help='how long the command may run at most (default: %(default)g)')
    parser.add_argument('command', nargs=argparse.REMAINDER, metavar='COMMAND',
                        help='the command that goes wrong, without `usv-energy`: it is run once more, and writes its '
                             'files again, but with --may-command it is not; what it prints, its input without words '
                             'and places, and all versions are put into the report')


def execute(args: argparse.Namespace) -> int:
    """Run the command once more, and write the report."""
    check_target(args.out)
    words = [word for word in args.command if word != '--']
    words = shlex.split(words[0]) if len(words) == 1 else words     # in quotes as a whole
    words = words[1:] if words[:1] in (['usv-energy'], ['./run'], ['bin/usv-energy']) else words
    if words[:1] == [SELF]:
        words = []
    files = _files_of(words)    # before the command writes others
    outcome, printed, said = _outcome(words, args.seconds) if words else ('', '', '')
    text = report(['usv-energy', *words] if words else [], outcome, printed, said, files)
    if args.out is None:
        print(text, end='')
    else:
        write_text(text, args.out)
        list_files(args.out)
    say('usv-energy: read the report before you send it; nothing was sent anywhere')
    return 0


def _outcome(words: list[str], most: float) -> tuple[str, str, str]:
    """Return how a command ends, and what it writes to stdout and stderr."""
    if any(word.startswith('--m') and '--may-command'.startswith(word.partition('=')[0]) for word in words):
        return 'It was not run again, since it may command a boat: put here what it printed.', '', ''
    begun = time.monotonic()
    try:
        program = f'{SAFE_PATH}; from usv_energy.cli.main import main; sys.exit(main())'
        ended = subprocess.run([sys.executable, '-c', program, *words], stdin=subprocess.DEVNULL, capture_output=True,
                               timeout=most)
    except subprocess.TimeoutExpired as late:
        return f'It was still running after {most:g} s, and was stopped.', _text(late.stdout), _text(late.stderr)
    how = f'exit status {ended.returncode}' if ended.returncode >= 0 else f'killed by signal {-ended.returncode}'
    return (f'{how[0].upper()}{how[1:]}, after {time.monotonic() - begun:.1f} s.', _text(ended.stdout),
            _text(ended.stderr))


def _text(output: bytes | None) -> str:
    return (output or b'').decode('utf-8', 'replace')


def _files_of(words: list[str]) -> list[Path]:
    """Return the files and folders that a command's words name, also behind `=`, but not behind `--out`."""
    paths = [Path(word.partition('=')[2] if word.startswith('--') else word).expanduser()
             for before, word in pairwise(words) if before != '--out' and not word.startswith('--out=')]
    return [path for path in dict.fromkeys(paths) if path.name and path.exists()]
