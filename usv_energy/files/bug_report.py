"""What a report of a bug needs: versions, the platform, what was said, and input without words, places and rows."""

import hashlib
import os
import platform
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from usv_energy.files.errors import InputError
from usv_energy.files.limits import PART_BYTES, safe_text
from usv_energy.files.parsed_text import parsed_json, read_yaml
from usv_energy.files.text_file import kind_without_text, open_text
from usv_energy.version import __version__

CORE = ('numpy', 'scipy', 'matplotlib', 'h5py', 'Jinja2', 'jsonschema', 'pyproj', 'PyYAML', 'numba', 'xarray', 'pandas')
ROS = ('rclpy', 'usv_energy_msgs')
LEFT_OUT = ('name', 'description', 'source', 'sources', 'title', 'note', 'latitude', 'longitude', 'origin', 'home')
# What a command may repeat of a document; of these the names that say nothing of anybody.
REPEATED = re.compile(r'''\b(?:name|title|description)["']?:\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"',}#][^"',}#\n]*))''')
FOLDERS = re.compile(r'^.*[\\/](?=[^\\/]+\.[A-Za-z]\w*$)')  # of a file
PUBLIC_NAMES = 'port', 'starboard', 'left', 'right', 'bow', 'stern'
MOST_ENTRIES, MOST_LINES, MOST_PRINTED, MOST_KEYS = 20, 40, 100, 30
JSON_ENDINGS, XML_ENDINGS = ('.plan', '.geojson', '.json'), ('.gpx', '.kml')
TEXT_BYTES = 1 << 24
# In a command: options with places on the Earth, which may have two words, and hosts before a port, or by a name.
PLACES = re.compile(r"(--(?:home|at|from|to|start|goal|origin)(?:[= ]))'?[^\s']+(?:[ ,]+-?[\d.]+)*'?")
HOSTS = re.compile(r'\b((?:tcp|tcpin|udp|udpin|udpout|udpbcast|mcast|https?|ws):(?://)?)[^\s:/,\']+')
# Decimals from which a number may be a place, 0.001 degrees being 111 m; figures have fewer than four, as a rule.
PLACE_IN_COMMAND, PLACE_IN_OUTPUT = 3, 4


def libraries() -> Sequence[str]:
    """Return the libraries that the installed package and its extras name; CORE where it is not installed."""
    try:
        named = {re.split(r'[^\w.-]', line)[0] for line in requires('usv_energy') or ()}
    except PackageNotFoundError:
        named = set()
    return sorted(named, key=str.lower) or CORE


def versions() -> list[str]:
    """Return a line for this package, Python, the platform, ROS, and each library that is installed or is not."""
    found, absent = [], []
    for name in libraries():
        try:
            found.append(f'{name} {version(name)}')
        except PackageNotFoundError:
            absent.append(name)
    ros = [name for name in ROS if find_spec(name) is not None]
    return [f'usv_energy {__version__}',
            f'Python {platform.python_version()} ({platform.python_implementation()}, {sys.byteorder}-endian)',
            f'{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} cores',
            f'ROS: {os.environ.get("ROS_DISTRO", "none sourced")}; {", ".join(ros) or "no rclpy"}',
            f'libraries: {", ".join(found)}', f'not installed: {", ".join(absent) or "none"}']


def without_places(text: str) -> str:
    """Return a text with the folder where the user stands and the home folder as `.` and `~`."""
    for folder, short in ((Path.cwd(), '.'), (Path.home(), '~')):
        if folder != Path(folder.root):
            text = text.replace(str(folder), short)
    return safe_lines(text)


def without_coordinates(text: str, decimals: int) -> str:
    """Return a text without the places of NMEA (`4536.438,N`), and with one decimal of numbers with so many or more."""
    return re.sub(rf'(\d\.\d)\d{{{decimals - 1},}}', r'\1…', re.sub(r'(?<!\d)\d+\.\d+(?=,[NSEW]\b)', '…', text))


def safe_lines(text: str) -> str:
    """Return a text whose lines cannot move a terminal's cursor."""
    return '\n'.join(safe_text(line) for line in text.splitlines())


def stripped(path: Path) -> str:
    """
    Return what may be shown of an input file, as lines.

    Of YAML the content without comments, names, texts that describe, places on the Earth, folders, and long lists; of
    JSON the keys; of GPX and KML the elements; of a table its header, if it has one; of everything else its size and
    its first bytes.
    """
    if path.is_dir():
        files = sorted(one for one in path.rglob('*') if one.is_file())
        shown = '\n'.join(f'{one.suffix or "no ending"}, {one.stat().st_size} bytes' for one in files[:MOST_ENTRIES])
        return f'a folder of {len(files)} files\n{shown}'.rstrip()
    try:
        digest = hashlib.sha256()
        with path.open('rb') as file:
            begin = file.read(8)
            file.seek(0)
            while part := file.read(PART_BYTES):
                digest.update(part)
        head = f'{path.suffix or "no ending"}, {path.stat().st_size} bytes, sha256 {digest.hexdigest()[:16]}'
        return f'{head}\n{_content(path, begin)}'
    except (InputError, OSError, UnicodeError) as error:
        said = without_places(f'cannot be read: {error}'.replace(str(path), path.name))
        return without_coordinates(said, PLACE_IN_COMMAND)


def _content(path: Path, begin: bytes) -> str:
    ending = path.suffix.lower()
    if ending in ('.yaml', '.yml'):
        return str(yaml.safe_dump(without_words(read_yaml(path)), sort_keys=False, allow_unicode=True)).rstrip()
    if ending in JSON_ENDINGS and path.stat().st_size <= TEXT_BYTES:
        with open_text(path) as file:
            return 'keys: ' + ', '.join(_keys(parsed_json(file.read(), path)))
    if ending in XML_ENDINGS and path.stat().st_size <= TEXT_BYTES:
        elements = Counter(re.findall(r'<([A-Za-z]\w*)', path.read_text(encoding='utf-8', errors='replace')))
        return 'elements: ' + ', '.join(f'{number} {name}' for name, number in elements.most_common(MOST_KEYS))
    if b'\0' in begin or kind_without_text(path) or ending not in ('.csv', '.tsv', '.txt', '.dat'):
        return f'begins with {begin.hex(" ")}'
    with open_text(path) as file:
        header = safe_text(file.readline(2000).rstrip())
        if re.search(r'(?:^|[,;\s])[-+"]*\.?\d', header):
            return f'no header\nrows: {1 + sum(1 for _ in file)}'
        return f'header: {header}\nrows: {sum(1 for _ in file)}'


def without_words(value: Any) -> Any:
    """Return a document without texts that describe, places on the Earth, folders, and more than the first of lists."""
    if isinstance(value, dict):
        return {key: 'left out' if key in LEFT_OUT else without_words(one) for key, one in value.items()}
    if isinstance(value, list):
        more = [f'{len(value) - MOST_ENTRIES} more'] if len(value) > MOST_ENTRIES else []
        return [*map(without_words, value[:MOST_ENTRIES]), *more]
    return FOLDERS.sub('', value) if isinstance(value, str) else value


def texts_of(path: Path) -> Iterator[str]:
    """Return the names, titles and descriptions in an input file, which a command may repeat."""
    ending = path.suffix.lower()
    if not path.is_file() or path.stat().st_size > TEXT_BYTES:
        return
    text = path.read_text(encoding='utf-8', errors='replace')
    if ending in XML_ENDINGS:
        yield from (part.partition('</')[0].strip() for part in re.split('<(?:name|desc|description|cmt)>', text)[1:])
    elif ending in ('.yaml', '.yml', *JSON_ENDINGS):
        yield from (''.join(groups).strip() for groups in REPEATED.findall(text))


def _keys(document: Any, prefix: str = '') -> list[str]:
    """Return the first keys of a document, two levels of them."""
    if not isinstance(document, dict):
        return [type(document).__name__]
    inner = [f'{prefix}{key}' for key in document]
    if not prefix:
        inner += [one for key, value in document.items() if isinstance(value, dict) for one in _keys(value, f'{key}.')]
    return [safe_text(one) for one in inner[:MOST_KEYS]]


def report(words: Sequence[str], outcome: str, output: str, error_output: str, files: Sequence[Path]) -> str:
    """
    Return a report as Markdown.

    :param words: Words of the command that went wrong; none without a command.
    :param outcome: How it ended.
    :param output: What it wrote to stdout.
    :param error_output: What it wrote to stderr.
    :param files: Its input files.
    """
    def masked(text: str, decimals: int = PLACE_IN_OUTPUT) -> str:
        for place, name in places:
            text = text.replace(place, name)
        return without_coordinates(without_places(private.sub('…', text)), decimals)

    given = [Path(word.rpartition('=')[2]) for word in words if '/' in word]
    named = [path for path in (*files, *given) if path.name and path.parent.is_dir()]
    places = [(str(form), path.name) for path in named for form in (path.resolve(), path)]
    texts = {text for path in files for text in texts_of(path) if len(text) > 2} - {*PUBLIC_NAMES}
    longest_first = sorted(texts, key=len, reverse=True)
    private = re.compile('|'.join(rf'(?<!\w){re.escape(one)}(?!\.?\w)' for one in longest_first) or '(?!)')
    printed = masked(output).splitlines()
    printed[MOST_PRINTED:] = [f'... {len(printed) - MOST_PRINTED} more lines'] if len(printed) > MOST_PRINTED else []
    said = masked(error_output).splitlines()[-MOST_LINES:]
    parts = ['# A bug in usv_energy', '## What I expected', 'Please say it here, and what happened instead.']
    if words:
        command = PLACES.sub(r'\1…', HOSTS.sub(r'\1…', shlex.join(words)))
        parts += ['## The command', _fence(masked(command, PLACE_IN_COMMAND)),
                  f'## How it ended\n\n{outcome}', *(_fence('\n'.join(lines)) for lines in (printed, said) if lines)]
    parts += ['## Versions', '\n'.join(f'- {line}' for line in versions())]
    parts += ['## Input, stripped'] if files else []
    parts += [f'### {safe_text(path.name)}\n\n{_fence(stripped(path))}' for path in files]
    return '\n\n'.join(parts) + '\n'


def _fence(text: str) -> str:
    return f'````text\n{text.replace("````", "")}\n````'
