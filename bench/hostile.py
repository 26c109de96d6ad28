"""
Commands on files with faults in their structure: python3 bench/hostile.py --number 1000

Numbers, names, lists and keys of whole files are replaced by what no person writes. Each command must end with a
status of its own (0, 2 or 3) and, where it refuses, at most two lines, within 10 s of processor time and 1 GB; and it
must show no control character. Exit status 1 if one does not. `test/unit/fuzz.py` has the faults of single bytes.
"""

import argparse
import contextlib
import json
import os
import random
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from usv_energy.cli.main import main  # noqa: E402

Written = Callable[[Any], bytes]
SECONDS, MEMORY, LINES = 10, 1 << 30, 2
NUMBERS = (1e308, -1e308, 1e-320, -1, 0, 10**400, 10**17, float('inf'), float('nan'), 1e15, 1e-29, 300.0)
TEXTS = ('\x1b[31mred', '\x1b]0;title\x07', '\x9b2J', '\ud800', '=1+1', '../../../etc/passwd', '/dev/zero', '',
         'x' * 200_000, '\u202e', '{{7*7}}', '<script>alert(1)</script>', '!!python/object:os.system', '\0')


def deep(number: int) -> Any:
    """Return lists in one another."""
    value: Any = 1
    for _ in range(number):
        value = [value]
    return value


def places(node: Any, found: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values in a document."""
    yield found
    for key, inner in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from places(inner, (*found, key))


def mutated(document: Any, rng: random.Random) -> Any:
    """Return a document with one to three faults."""
    document = json.loads(json.dumps(document))
    for _ in range(rng.choice((1, 1, 2, 3))):
        path = rng.choice([path for path in places(document) if path])
        node = document
        for key in path[:-1]:
            node = node[key]
        fault = rng.randrange(6)
        if fault < 2:
            node[path[-1]] = rng.choice(NUMBERS)
        elif fault == 2:
            node[path[-1]] = rng.choice(TEXTS)
        elif fault == 3:
            node[path[-1]] = rng.choice((deep(rng.choice((3, 70, 150))), [], {}, None, True, [node[path[-1]]] * 100))
        elif fault == 4:
            del node[path[-1]]
        elif isinstance(node, dict):
            node[rng.choice(TEXTS)] = node[path[-1]]
    return document


def of_yaml(name: str) -> tuple[Any, Written]:
    """Return a shipped file's document, and how it is written."""
    document = yaml.safe_load((ROOT / 'config' / f'{name}.yaml').read_text())
    return document, lambda value: yaml.dump(value, allow_unicode=False).encode('utf-8', 'replace')


def of_json(document: Any) -> tuple[Any, Written]:
    """Return a document, and how it is written."""
    return document, lambda value: json.dumps(value).encode()


def of_gpx(points: Any) -> tuple[Any, Written]:
    """Return points as a document, and how they are written as GPX."""
    def text(document: Any) -> bytes:
        root = ElementTree.Element('gpx')
        for point in document if isinstance(document, list) else []:
            point = point if isinstance(point, dict) else {'name': point}
            inner = ElementTree.SubElement(root, 'wpt', {key: str(point.get(key)) for key in ('lat', 'lon')})
            ElementTree.SubElement(inner, 'name').text = str(point.get('name'))
        return ElementTree.tostring(root, encoding='unicode').encode('utf-8', 'replace')
    return points, text


LINE = {'type': 'Feature', 'properties': {'name': 'a', 'usv_energy': {'speed': 0.7}},
        'geometry': {'type': 'LineString', 'coordinates': [[9.0, 45.0], [9.001, 45.0], [9.001, 45.001]]}}
KINDS = {     # The command, the ending of the file, the document, and what follows the file's name.
    'boat': (['boat', 'check'], '.yaml', of_yaml('boats/lutra_prop'), []),
    'scenario': (['run'], '.yaml', of_yaml('scenarios/3'), []),
    'sweep': (['sweep'], '.yaml', of_yaml('sweeps/speed_current'), ['--out', '{folder}/a.csv']),
    'acoustics': (['acoustics'], '.yaml', of_yaml('acoustics/thetis'), []),
    'flow': (['flow', 'info'], '.yaml', of_yaml('flows/river'), []),
    'geojson': (['mission'], '.geojson', of_json(LINE), ['--boat', 'lutra_prop']),
    'gpx': (['mission'], '.gpx', of_gpx([{'lat': 45.0 + 0.001 * n, 'lon': 9.0, 'name': 'ab'[n]} for n in (0, 1)]),
            ['--boat', 'lutra_prop', '--speed', '0.7']),
}


def fault_of(arguments: list[str], folder: Path) -> str:
    """Return what is wrong with a command, run in a process of its own; '' if nothing is."""
    shown = folder / 'shown'
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
            used = int(Path('/proc/self/statm').read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
            descriptor = os.open(shown, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(descriptor, 1)
            os.dup2(descriptor, 2)
            try:
                status = main(arguments)
            except SystemExit as stop:
                status = stop.code if isinstance(stop.code, int) else 1
            except BaseException as error:
                sys.stderr.write(f'{type(error).__name__}: {str(error)[:200]}')
                status = 99
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        os._exit(98)
    status = os.waitpid(child, 0)[1]
    text = shown.read_bytes()
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 2, 3):
        return f'status {code}: {text[-150:].decode(errors="replace")!r}'
    if code == 2 and text.count(b'\n') > LINES:
        return f'{text.count(bytes([10]))} lines: {text[:100]!r}'
    return 'shows a control character' if b'\x1b' in text or b'\x9b2J' in text.replace(b'\xc2\x9b', b'\x9b') else ''


def bench() -> int:
    """Run the bench, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[1])
    parser.add_argument('--number', type=int, default=100, help='faulty files of each kind (%(default)s)')
    parser.add_argument('--kinds', nargs='+', choices=KINDS, default=list(KINDS))
    options = parser.parse_args()
    all_faults: Counter[str] = Counter()
    for kind in options.kinds:
        command, ending, (document, written), rest = KINDS[kind]
        faults: Counter[str] = Counter()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for seed in range(options.number):
                path = folder / f'a{ending}'
                path.write_bytes(written(mutated(document, random.Random(f'{kind} {seed}'))))
                if fault := fault_of([*command, str(path), *(one.format(folder=folder) for one in rest)], folder):
                    faults[fault.replace(str(folder), '')[:200]] += 1
        print(f'{kind}: {options.number} files, {sum(faults.values())} faults', flush=True)
        for fault, number in faults.most_common(5):
            print(f'   {number}: {fault}')
        all_faults.update(faults)
    return int(bool(all_faults))


if __name__ == '__main__':
    sys.exit(bench())
