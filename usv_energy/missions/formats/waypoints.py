"""Mission files of ArduPilot's ground stations (.waypoints, .txt): QGC WPL 110, one command per line, home first."""

import math
from pathlib import Path

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.mission import (
    JUMP,
    WAYPOINT,
    Mission,
    MissionItem,
    check_item_count,
    checked_item,
    checked_place,
)

HEADER = 'QGC WPL'
VERSIONS = ('110', '120')
COLUMNS = 12
GLOBAL_FRAME = 0


def read_waypoints(text: str, path: Path) -> Mission:
    """
    Return the mission of a file.

    The first command is home, as all of ArduPilot's ground stations write it, unless it is not a waypoint; a home at
    0, 0 means that there is none. Text after a # is a comment; a comment on a line of its own names the next item.

    :param path: Of the file, for errors.
    :raises InputError: If a line is wrong (file, line, value, what is allowed), or a second mission follows.
    """
    lines = text.splitlines()
    version = lines[0].split()[2:3] if lines and lines[0].startswith(HEADER) else ['']
    if not version or version[0] not in VERSIONS:
        raise InputError(f'{path}: line 1 is {lines[0][:40] if lines else ""!r}; must be {HEADER} {VERSIONS[0]}')
    check_item_count(len(lines) - 2, path)
    items: list[MissionItem] = []
    comment = ''
    for number, line in enumerate(lines[1:], start=2):
        values, sharp, remark = line.partition('#')
        if cells := values.split():
            items.append(_item(cells, f'{path}: line {number}', len(items), comment))
            comment = ''
        elif sharp:
            comment = remark.strip()
    return _mission(items, path)


def _mission(items: list[MissionItem], path: Path) -> Mission:
    first = items[0] if items else None
    if first is None or first.command not in (0, WAYPOINT):
        return Mission(path.stem, tuple(_renumbered_from_one(item) for item in items), path)
    first = first._replace(command=WAYPOINT)
    place = first.place
    home = checked_place(*place, f'{path}: home') if isinstance(place, Place) else place
    return Mission(path.stem, tuple(items[1:]), path, home, first.z or 0.0)


def _renumbered_from_one(item: MissionItem) -> MissionItem:
    """Return an item of a file without home, in which numbers begin with 0, with its number and jump target plus 1."""
    target, repeats, third, fourth = item.parameters
    if item.command == JUMP and target is not None:
        target += 1.0
    return item._replace(number=item.number + 1, parameters=(target, repeats, third, fourth))


def _item(cells: list[str], where: str, number: int, comment: str) -> MissionItem:
    if cells[0] == 'QGC':
        raise InputError(f'{where}: a second mission begins; must be one, of one vehicle')
    if len(cells) != COLUMNS:
        raise InputError(f'{where}: holds {len(cells)} values; must be {COLUMNS}')
    index, _, frame, command = (_whole(cell, where) for cell in cells[:4])
    if number and index == 0:
        raise InputError(f'{where}: item 0 comes again; must be one mission, of one vehicle')
    first, second, third, fourth, x, y, z = (_number(cell, where) for cell in cells[4:11])
    item = MissionItem(command, number, (first, second, third, fourth), x, y, z, frame, cells[11] not in ('0', '0.0'),
                       comment)
    return checked_item(item, where)


def _whole(text: str, where: str) -> int:
    try:
        value = float(text)
        if value == int(value) and abs(value) < 1e6:
            return int(value)
    except (ValueError, OverflowError):
        pass
    raise InputError(f'{where}: {text[:40]!r} stands where a whole number must')


def _number(text: str, where: str) -> float | None:
    """Return a parameter; None for NaN, which in MAVLink means "not given"."""
    try:
        value = float(text)
    except ValueError:
        raise InputError(f'{where}: {text[:40]!r} stands where a number must') from None
    if math.isinf(value):
        raise InputError(f'{where}: {text[:40]!r} stands where a finite number must')
    return None if math.isnan(value) else value


def waypoints_text(mission: Mission) -> str:
    """
    Return a mission as the text of a file.

    A missing home is written as 0, 0, and a parameter that is not given as 0. Names are written as comments.

    :param mission: Its item numbers must begin with 1, as in every mission that is read here.
    """
    home = mission.home or (0.0, 0.0)
    rows = [f'{HEADER} {VERSIONS[0]}', _row(0, MissionItem(
        WAYPOINT, 0, (0.0, 0.0, 0.0, 0.0), *home, mission.home_altitude, GLOBAL_FRAME), current=1)]
    for item in mission.items:
        if name := ' '.join(item.name.split()):
            rows.append(f'# {name}')
        rows.append(_row(item.number, item))
    return '\n'.join(rows) + '\n'


def _row(number: int, item: MissionItem, current: int = 0) -> str:
    values = (*item.parameters, item.x, item.y, item.z)
    return '\t'.join([*map(str, (number, current, item.frame, item.command)),
                      *(repr(float(value or 0.0)) for value in values), str(int(item.auto_continue))])
