"""Faults in the structure of files: what no person writes and no device records, for `bench/hostile.py`."""

import copy
import json
import math
import random
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

Place = tuple[Any, ...]
NUMBERS = (1e308, -1e308, 1e-320, -1, 0, -0.0, 10**400, 10**17, float('inf'), float('nan'), 1e15, 1e-29, 300.0, 2**31,
           2**63, -2**63, 1e9, -1e9, 0.5, 90.0, 180.0, 360.0, 65535, 1.7e9, 1.7e12)
TEXTS = ('\x1b[31mred', '\x1b]0;title\x07', '\x9b2J', '\ud800', '=1+1', '../../../etc/passwd', '/dev/zero', '',
         'x' * 200_000, '\u202e', '{{7*7}}', '<script>alert(1)</script>', '!!python/object:os.system', '\0', '1', '1e5',
         'nan', 'inf', '-inf', '1_000', '0x10', '12:30', '2024-02-30', '2024-01-01T25:61:61Z', '9999-12-31T23:59:59Z',
         '0000-00-00', '-1', 'true', 'null', '１２', '1,5', ' ', '\n', '\t', '1' * 400, 'a\nb', '%s%n', '$HOME', '*',
         '~root', '.', '-', '--out', 'é' * 300)
TABLE_TEXTS = tuple(text for text in TEXTS if '\n' not in text)


def deep(number: int) -> Any:
    """Return lists in one another."""
    value: Any = 1
    for _ in range(number):
        value = [value]
    return value


def places(node: Any, found: Place = ()) -> Iterator[Place]:
    """Yield the paths of all values in a document."""
    yield found
    for key, inner in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from places(inner, (*found, key))


def faulty_document(document: Any, rng: random.Random) -> Any:
    """Return a document with one to three faults."""
    document = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 2, 3))):
        path = rng.choice([path for path in places(document) if path] or [()])
        if not path:
            return rng.choice((None, [], {}, 1, 'a', True))
        node = document
        for key in path[:-1]:
            node = node[key]
        old, fault = node[path[-1]], rng.randrange(8)
        if fault < 2:
            node[path[-1]] = rng.choice(NUMBERS)
        elif fault == 2:
            node[path[-1]] = rng.choice(TEXTS)
        elif fault == 3:
            node[path[-1]] = rng.choice((deep(rng.choice((3, 70, 150))), [], {}, None, True, False, [old] * 100, [old],
                                         {'value': old}, [[], {}], [None] * 3, {'': old}))
        elif fault == 4:
            del node[path[-1]]
        elif fault == 5 and isinstance(old, int | float | str) and not isinstance(old, bool):
            node[path[-1]] = str(old) if not isinstance(old, str) else [old]
        elif fault == 6 and isinstance(old, int | float) and not isinstance(old, bool):
            node[path[-1]] = rng.choice((-old, 1e6 * old, 1e-6 * old, old + 0.5)) if abs(old) < 1e300 else -old
        elif isinstance(node, dict):
            node[rng.choice((*TEXTS, *map(str, node)))] = old
        else:
            node.extend([copy.deepcopy(old)] * rng.choice((1, 2, 1000)))
    return document


def faulty_text(content: bytes, rng: random.Random) -> bytes:
    """Return a text, in three of four cases as it is, else in another encoding or with other line ends."""
    if rng.random() < 0.75:
        return content
    text = content.decode('utf-8', 'replace')
    fault = rng.randrange(9)
    if fault == 0:
        return b'\xef\xbb\xbf' + content
    if fault < 3:
        return text.encode(('utf-16', 'utf-32')[fault - 1], 'surrogatepass')
    if fault == 3:
        return content.replace(b'\n', rng.choice((b'\r\n', b'\r', b'\n\n', b'\0\n', b'\x0b', b'\xe2\x80\xa8')))
    if fault == 4:
        at = rng.randrange(len(content) + 1)
        between = rng.choice((b'\0', b'\0' * 5000, b'\xff', b'\x1b[2J', b'\x1a', b' ' * 5_000_000))
        return content[:at] + between + content[at:]
    if fault == 5:
        return content + content
    if fault == 6:
        return content[:rng.randrange(len(content) + 1)]
    if fault == 7:
        return text.encode('cp037', 'replace')
    return content.rstrip(b'\n') + rng.choice((b'', b'\0', b'\n' * 100_000, b'#', b'"', b'\\'))


def faulty_xml(content: bytes, rng: random.Random) -> bytes:
    """Return XML with one to three faults in its elements, or with what declares entities before it."""
    root = ElementTree.fromstring(content)
    for _ in range(rng.choice((1, 1, 2, 3))):
        inner = [(above, element) for above in root.iter() for element in above] or [(root, root)]
        above, element = rng.choice(inner)
        fault, said = rng.randrange(7), str(rng.choice((*NUMBERS, *TEXTS)))
        if fault == 0 and element.attrib:
            element.set(rng.choice(list(element.attrib)), said)
        elif fault <= 1:
            element.text = said
        elif fault == 2 and element is not root:
            above.remove(element)
        elif fault == 3:
            above.extend([copy.deepcopy(element)] * rng.choice((1, 2, 1000)) if element is not root else [])
        elif fault == 4 and element.attrib:
            del element.attrib[rng.choice(list(element.attrib))]
        elif fault == 5:
            for one in list(root.iter(element.tag)):
                one.text = said
        else:
            element.tag = rng.choice(inner)[1].tag
    text = re.sub('[\0-\x08\x0b\x0c\x0e-\x1f]', lambda found: rng.choice(('', found[0], f'&#{ord(found[0])};')),
                  ElementTree.tostring(root, encoding='unicode'))
    heads = ('<!DOCTYPE a [<!ENTITY b "c">]>', '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
             '<?xml version="1.0" encoding="utf-7"?>', '<?xml version="1.0" encoding="utf-16"?>',
             '<?xml version="9.0"?>', '<!--' + '-' * 100, '<![CDATA[')
    return (rng.choice(heads) if rng.random() < 0.1 else '').encode() + text.encode('utf-8', 'replace')


def faulty_lines(content: bytes, rng: random.Random) -> bytes:
    """Return lines of cells with one to three faults: in a cell, a line, a column, or the head."""
    lines = content.decode().split('\n')
    for _ in range(rng.choice((1, 1, 2, 3))):
        fault, at, said = rng.randrange(8), rng.randrange(len(lines)), str(rng.choice((*NUMBERS, *TABLE_TEXTS)))
        cells = re.split(r'([,;\t ]+)', lines[at])
        column = 2 * rng.randrange((len(cells) + 1) // 2)
        if fault < 3:
            cells[column] = said
            lines[at] = ''.join(cells)
        elif fault == 3:
            first = rng.choice((0, 1, len(lines) // 2))
            said = said[:5_000_000 // len(lines)]   # Of all rows together.
            for number in range(first, len(lines)):
                others = re.split(r'([,;\t ]+)', lines[number])
                if column < len(others):
                    others[column] = said
                    lines[number] = ''.join(others)
        elif fault == 4:
            del lines[at if rng.random() < 0.5 else 0]
        elif fault == 5:
            lines[at:at] = [rng.choice(lines)] * rng.choice((1, 2, 1000))
        elif fault == 6:
            lines[at] = lines[at] + rng.choice((',', ';' * 1000, '"', "'", '#', '\\', '*00'))
        else:
            rng.shuffle(lines)
        lines = lines or ['']
    return '\n'.join(lines).encode('utf-8', 'replace')


def with_checksums(content: bytes) -> bytes:
    """Return sentences of NMEA 0183 with the checksums that they should have."""
    def summed(found: re.Match[bytes]) -> bytes:
        total = 0
        for byte in found[1]:
            total ^= byte
        return b'$%s*%02X' % (found[1], total)
    return re.sub(rb'\$([^*\r\n]*)\*..', summed, content)


def faulty_bytes(content: bytes, rng: random.Random) -> bytes:
    """Return bytes in which some numbers are those that break a program: sizes, counts, stamps and values."""
    data = bytearray(content)
    forms: dict[str, tuple[float, ...]] = {
        'B': (0, 1, 0x7f, 0xff), 'H': (0, 1, 0x7fff, 0xffff), 'I': (0, 1, 2**31 - 1, 2**31, 2**32 - 1),
        'Q': (0, 1, 2**31, 2**40, 2**63 - 1, 2**63, 2**64 - 1),
        'f': (math.nan, math.inf, -math.inf, 3e38, 1e-40, -0.0), 'd': (math.nan, math.inf, 1e308, -1e308, 1e-320, -0.0)}
    begin = rng.choice((0, 0, rng.randrange(len(data))))        # In half of the cases within the head.
    end = min(len(data), begin + rng.choice((64, 1024, len(data))))
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        form = rng.choice(list(forms))
        packed = struct.pack(rng.choice('<>') + form, rng.choice(forms[form]))
        at = rng.randrange(begin, max(begin + 1, end - len(packed)))
        data[at:at + len(packed)] = packed
    if rng.random() < 0.1:
        del data[rng.randrange(len(data)):]
    return bytes(data[:len(content)])


def faulty_value(value: Any, rng: random.Random) -> Any:
    """Return another value for one of a message: of its type, since others cannot be written."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | np.integer):
        return rng.choice((0, -1, 1, value + 1, -value, 2**31 - 1, -2**31, 2**32 - 1, 255, 65535))
    if isinstance(value, float | np.floating):
        return rng.choice((math.nan, math.inf, -math.inf, 1e308, -1e308, 3e38, 1e-320, -0.0, -value, 1e6 * value, 1e9))
    if isinstance(value, str):
        return rng.choice(('', '\x1b[31mred', 'x' * 100_000, '\u202e', 'NaN', '../..', 'a b/c', '\0', '\n', '/'))
    if isinstance(value, np.ndarray):
        return rng.choice((value * math.nan, value + 1e308, np.resize(value, 100_000), value[:0], value[:1], -value))
    if isinstance(value, list):
        return rng.choice(([], value * 1000, value[:1], [faulty_value(one, rng) for one in value]))
    return value


def faulty_message(message: Any, path: Place, rng: random.Random) -> Any:
    """Return a copy of a message (a dataclass of rosbags) with another value at a path of its fields."""
    message = copy.deepcopy(message)
    node = message
    for name in path[:-1]:
        node = getattr(node, name)
    object.__setattr__(node, path[-1], faulty_value(getattr(node, path[-1]), rng))
    return message


def fields_of(message: Any, found: Place = ()) -> Iterator[Place]:
    """Yield the paths of all fields of a message that hold no message."""
    for name in message.__dataclass_fields__:
        inner = getattr(message, name)
        if hasattr(inner, '__dataclass_fields__'):
            yield from fields_of(inner, (*found, name))
        elif not name.startswith('_'):
            yield (*found, name)


def chosen(number: int, rng: random.Random) -> range:
    """Return which of some items get a fault: one, all from one on, or all."""
    at = rng.randrange(number)
    return rng.choice((range(at, at + 1), range(at, number), range(number)))


def faulty_messages(topics: dict[str, list[tuple[float, Any]]], rng: random.Random) -> dict[str, Any]:
    """Return a bag's messages by topic, each with its time, with one to three faults."""
    topics = {topic: list(messages) for topic, messages in topics.items()}
    for _ in range(rng.choice((1, 1, 2, 3))):
        messages = topics[rng.choice(list(topics))]
        path = rng.choice(list(fields_of(messages[0][1])))
        seed = rng.random()     # The same value in all of them, in half of the cases.
        for number in chosen(len(messages), rng):
            own = random.Random(seed) if seed < 0.5 else rng
            messages[number] = messages[number][0], faulty_message(messages[number][1], path, own)
    return topics


def faulty_rows(rows: list[tuple[str, tuple[Any, ...]]], rng: random.Random) -> list[tuple[str, tuple[Any, ...]]]:
    """Return messages of a kind and values with one to three faults in values of one kind."""
    rows = list(rows)
    for _ in range(rng.choice((1, 1, 2, 3))):
        kind, values = rng.choice(rows)
        same = [number for number, row in enumerate(rows) if row[0] == kind]
        at, seed = rng.randrange(len(values)), rng.random()
        for number in chosen(len(same), rng):
            kind, values = rows[same[number]]
            value = faulty_value(values[at], random.Random(seed) if seed < 0.5 else rng)
            rows[same[number]] = kind, (*values[:at], value, *values[at + 1:])
    return rows


def faulty_netcdf(path: Path, rng: random.Random) -> None:
    """Change one to three attributes, series, names or shapes of a netCDF file."""
    import netCDF4
    with netCDF4.Dataset(path, 'r+') as file:
        file.set_auto_maskandscale(False)
        for _ in range(rng.choice((1, 1, 2, 3))):
            name = rng.choice(list(file.variables))
            variable, fault = file.variables[name], rng.randrange(8)
            if fault < 3:
                key = rng.choice([*variable.ncattrs(), 'scale_factor', 'add_offset', '_Unsigned', 'valid_range',
                                  'missing_value', 'units', 'calendar', 'standard_name', 'positive', 'coordinates',
                                  'grid_mapping', 'axis', 'bounds'])
                value = rng.choice((*(float(one) for one in NUMBERS if abs(one) < 1e309), *TABLE_TEXTS,
                                    'hours since 1e9-01-01', 'seconds since', 'days since -5000-01-01', 'furlongs',
                                    np.zeros(0), np.array([1.0, math.nan, 3.0])))
                if isinstance(value, str):
                    value = value.replace('\ud800', '').replace('\0', '')
                variable.setncattr(key, value)
            elif fault < 5:
                values = np.array(variable[:], dtype=float)
                flat = values.reshape(-1)
                flat[rng.randrange(flat.size) if rng.random() < 0.5 else slice(None)] = rng.choice(
                    [float(one) for one in NUMBERS if abs(one) < 1e309])
                with np.errstate(all='ignore'):
                    variable[:] = values.astype(variable.dtype)
            elif fault == 5:
                variable[:] = np.flip(np.asarray(variable[:]))
            elif fault == 6:
                file.renameVariable(name, rng.choice(('x', 'time2', 'u', 'v', 'depth', f'{name}2')))
            else:
                file.renameDimension(rng.choice(list(file.dimensions)), rng.choice(('x', 'n', 'member', 'time2')))


def faulty_hdf(path: Path, rng: random.Random) -> None:
    """Change one to three series, attributes or links of an HDF5 file."""
    import h5py
    with h5py.File(path, 'r+') as file:
        for _ in range(rng.choice((1, 1, 2, 3))):
            names: list[str] = []
            file.visit(names.append)
            names = [name for name in names if isinstance(file.get(name), h5py.Dataset)]
            name, fault = rng.choice(names), rng.randrange(8)
            values = file[name][()]
            if fault == 0 and file[name].attrs:
                key = rng.choice(list(file[name].attrs))
                file[name].attrs[key] = rng.choice((1e308, 'x', np.zeros(0), -1, b'\xff'))
                continue
            if fault == 1:
                new: Any = values[:0] if np.ndim(values) else 0.0
            elif fault == 2:
                new = np.asarray(values).T
            elif fault == 3:
                new = rng.choice((0, 'text', np.zeros((2, 2, 2)), np.zeros(5, 'S3'), np.array([1 + 2j]),
                                  h5py.Empty('f')))
            elif fault < 6 and np.ndim(values) and values.size and values.dtype.kind in 'iuf':
                new = np.array(values)
                limits = ((-1, 10**6, 2**31 - 1, -2**31) if values.dtype.kind in 'iu' else
                          (math.nan, math.inf, 1e38, -1e38, 0.0))
                new.reshape(-1)[rng.randrange(new.size) if rng.random() < 0.5 else slice(None)] = rng.choice(limits)
            elif fault == 6:
                new = h5py.SoftLink(rng.choice(('/', f'/{name}', '/nowhere')))
            else:
                new = None
            del file[name]
            if new is not None:
                file[name] = new


def faulty_json_file(path: Path, rng: random.Random) -> None:
    """Change the document in a file of JSON."""
    path.write_bytes(faulty_text(json.dumps(faulty_document(json.loads(path.read_text()), rng)).encode(), rng))


def in_file(change: Callable[[bytes, random.Random], bytes]) -> Callable[[Path, random.Random], object]:
    """Return a function that changes a file's content."""
    return lambda path, rng: path.write_bytes(change(path.read_bytes(), rng))
