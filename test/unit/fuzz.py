"""Seeded mutations of files, and the check that a reader survives them: it reads or raises InputError, in time."""

import random
import re
import signal
import traceback
from contextlib import contextmanager

from usv_energy.files.errors import InputError

LONGEST = 5.0  # s of the processor's time for one reading, so that a busy machine does not count
NUMBER = re.compile(rb'[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?')
VALUES = (b'nan', b'.nan', b'inf', b'-.inf', b'1e308', b'-1e308', b'1e-320', b'0', b'-1', b'99999999999999999999', b'',
          b'abc', b'"', b"'1'", b'true', b'null', b'[]', b'{}', b'[1, 2]', b'{a: 1}', b'1,5', b'0x1F', b'12:30',
          b'2024-01-01', b'~', b'!!python/object:os.system', b'*a', b'&a 1', b'- 1', b': ', b'\xc2\xb0')
NOT_UTF8 = (b'\xb0', b'\xff', b'\xfe\xff', b'\xc3', b'\xe4\xf6\xfc', b'\x80\x81', b'\xed\xa0\x80')


def mutated(data, seed):
    """Return a file's bytes with one to eight faults; the same ones for the same seed."""
    rng = random.Random(seed)
    is_text = b'\0' not in data[:4096]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        data = rng.choice(IN_TEXT if is_text and rng.random() < 0.75 else IN_BYTES)(data, rng)
    return data


def _place(data, rng):
    return rng.randrange(len(data)) if data else 0


def _flipped(data, rng):
    result = bytearray(data)
    for _ in range(rng.choice((1, 1, 4, 32)) if data else 0):
        result[_place(data, rng)] ^= 1 << rng.randrange(8)
    return bytes(result)


def _overwritten(data, rng):
    begin, length = _place(data, rng), rng.choice((1, 2, 4, 8, 64))
    fill = rng.choice((b'\0' * length, b'\xff' * length, rng.randbytes(length)))
    return data[:begin] + fill + data[begin + length:]


def _cut(data, rng):
    return data[:_place(data, rng)]


def _without_bytes(data, rng):
    begin = _place(data, rng)
    return data[:begin] + data[begin + rng.choice((1, 8, 200)):]


def _bytes_twice(data, rng):
    begin = _place(data, rng)
    return data[:begin + rng.choice((1, 8, 200))] + data[begin:]


def _not_utf8(data, rng):
    begin = _place(data, rng)
    return data[:begin] + rng.choice(NOT_UTF8) + data[begin:]


def _lines_changed(data, rng):
    """Delete, repeat or exchange lines: keys and rows go, or come twice."""
    lines = data.splitlines(keepends=True)
    one, other = _place(lines, rng), _place(lines, rng)
    if not lines:
        return data
    change = rng.randrange(4)
    if change == 0:
        del lines[one]
    elif change == 1:
        lines.insert(other, lines[one])
    elif change == 2:
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines[one] = b' ' * rng.randrange(1, 4) + lines[one]
    return b''.join(lines)


def _number_changed(data, rng):
    places = [match.span() for match in NUMBER.finditer(data)]
    if not places:
        return data
    begin, end = rng.choice(places)
    return data[:begin] + rng.choice(VALUES) + data[end:]


def _word_changed(data, rng):
    places = [match.span() for match in re.finditer(rb'[A-Za-z_]\w+', data)]
    if not places:
        return data
    (begin, end), (first, last) = rng.choice(places), rng.choice(places)
    return data[:begin] + rng.choice((data[first:last], data[begin:end][::-1], b'', *VALUES)) + data[end:]


IN_BYTES = (_flipped, _overwritten, _cut, _without_bytes, _bytes_twice)
IN_TEXT = (_not_utf8, _lines_changed, _lines_changed, _number_changed, _number_changed, _word_changed)


def fault_of(read, path):
    """Return what is wrong with reading a path, '' if nothing: the last lines of a traceback, or that it is slow."""
    try:
        with _in_time():
            read(path)
    except InputError as error:
        return '' if str(error) else 'an InputError without a message'
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)[-3:]
        at = ' > '.join(f'{frame.filename.rpartition("/")[2]}:{frame.lineno}' for frame in frames)
        return f'{type(error).__name__}: {str(error)[:120]} ({at})'
    return ''


@contextmanager
def _in_time():
    def give_up(number, frame):
        raise TimeoutError(f'takes more than {LONGEST:g} s')
    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def assert_survives(read, originals, folder, seeds):
    """
    Assert that a reader gives a value or an InputError for mutations of files, one original a seed in turn.

    :param read: Called with the path of a mutated file, which has its original's name.
    :param originals: Paths of whole files.
    :param folder: Where the mutated files are written.
    :param seeds: How many; `fuzz_seeds` of conftest.py, the option --fuzz.
    """
    faults = {}
    for seed in range(seeds):
        original = originals[seed % len(originals)]
        path = folder / original.name
        path.write_bytes(mutated(original.read_bytes(), seed))
        if fault := fault_of(read, path):
            faults.setdefault(fault, []).append(seed)
    assert not faults, '\n'.join(f'{len(at)} of {seeds} seeds, {at[:4]}: {fault}' for fault, at in faults.items())
