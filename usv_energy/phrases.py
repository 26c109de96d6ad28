"""
Winds, currents, seas and courses as people at sea write them, and back in those words.

A phrase that can be read in two ways is refused, and the error gives both readings. Two bare numbers, `0.4,45`, are
m/s and degrees counter-clockwise from east that a flow runs to, as in ROS and in all files of this package.
"""

import math
import re
from typing import NamedTuple

from usv_energy.earth import KNOT, compass_degrees, compass_text, towards_of
from usv_energy.files.errors import InputError
from usv_energy.files.limits import CURRENT_SPEED, TURN, WIND_SPEED
from usv_energy.units import NUMBER, SPEED_UNITS, decimal_of, speed_with_knots, two_readings

AIR, WATER = 'air', 'water'
POINTS = ('n', 'nbe', 'nne', 'nebn', 'ne', 'nebe', 'ene', 'ebn', 'e', 'ebs', 'ese', 'sebe', 'se', 'sebs', 'sse', 'sbe',
          's', 'sbw', 'ssw', 'swbs', 'sw', 'swbw', 'wsw', 'wbs', 'w', 'wbn', 'wnw', 'nwbw', 'nw', 'nwbn', 'nnw', 'nbw')
SIXTEEN = POINTS[::2]
# WMO-No. 306, code table 1100 (the Beaufort scale): the lowest and highest speed of a force, kn, and its name.
BEAUFORT = ((0, 0, 'calm'), (1, 3, 'light air'), (4, 6, 'light breeze'), (7, 10, 'gentle breeze'),
            (11, 16, 'moderate breeze'), (17, 21, 'fresh breeze'), (22, 27, 'strong breeze'), (28, 33, 'near gale'),
            (34, 40, 'gale'), (41, 47, 'strong gale'), (48, 55, 'storm'), (56, 63, 'violent storm'),
            (64, 99, 'hurricane'))
VAGUE = {'light': (1, 6), **{called.partition(' ')[0]: (low, high) for low, high, called in BEAUFORT[3:7]}}   # kn
REST = {'calm', 'dead calm', 'flat calm', 'none', 'still', 'still water', 'slack', 'slack water', 'no wind',
        'no current'}
RANGE = r'\s*(?:-|–|to|or)\s*'
# A wind as pilots write it, but without a unit, `045/12`; and a bare number beside a point, `0.4,NE`.
SLASHED = re.compile(r'(?P<way>\d{3})\s*[/@]\s*(?P<speed>\d{1,3}(?:\.\d+)?)|'
                     r'(?P<first>\d{1,2}(?:\.\d+)?)\s*[/@]\s*(?P<last>\d{3})')
POINTED = re.compile(rf'(?P<speed>{NUMBER})\s*[, ]\s*(?P<way>{"|".join(POINTS)})|'
                     rf'(?P<last>{"|".join(POINTS)})\s*,\s*(?P<first>{NUMBER})')
BARE = re.compile(r'([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?nan|[+-]?inf)\s*(?:,|\s)\s*'
                  r'([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?nan|[+-]?inf)')
REPORT = re.compile(r'(\d{3}|vrb)(\d{2,3})(?:g(\d{2,3}))?(kts?|mps|kmh)')
REPORT_UNITS = {'kt': 'kn', 'kts': 'kn', 'mps': 'm/s', 'kmh': 'km/h'}
WORDS = {'north': 'n', 'east': 'e', 'south': 's', 'west': 'w'}
FROM = {'from', 'ex'}
TO = {'to', 'towards', 'toward', 'set', 'sets', 'setting', 'setting to', 'into', 'running', 'going'}
TRUE, MAGNETIC = {'t', 'true', 'compass'}, {'m', 'mag', 'magnetic'}
FILLERS = {'wind', 'winds', 'current', 'currents', 'stream', 'tide', 'tidal', 'ebb', 'flood', 'at', 'of', 'a', 'the',
           'drift', 'rate', 'blowing', 'flowing', 'true', 'deg', 'degrees', 'degree', 'and', '/', '@', ',', ':', ';'}
CHANGES = {'backing', 'veering', 'becoming', 'increasing', 'decreasing', 'later', 'variable', 'vrb', 'shifting',
           'cyclonic', 'occasionally'}
MAGNETIC_WAY, OST_OUEST, ERLY = 'magnetic', 'o', 'erly'  # What is said of a direction besides `from` and `to`.
DOUBTS = MAGNETIC_WAY, OST_OUEST
HALF_POINT = re.compile(r'(?:[¼½¾]|(?<!\d)[1-3]/[248]|\b(?:half|quarter))\s*(?:a point )?'
                        r'(?:[nsew]|north|south|east|west)(?![\w./])')
NO_WAY = 'it does not say whether it comes from there or goes there'
POINT = 11.25   # degrees: of the nearest of sixteen points, at most
ROUNDED_SPEED, ROUNDED = 0.03, 0.02     # m/s, and a share: the same speed, rounded in knots and in m/s
COMPASS_OR_EAST = 'degrees of the compass, or counter-clockwise from east'
HOW = {AIR: '`12 kn from NE`, `6 m/s from 045`, or ROS\'s `6,225`: m/s, and degrees counter-clockwise from east that '
            'it blows to',
       WATER: '`0.5 kn set 090`, `0.4 m/s to E`, or ROS\'s `0.4,45`: m/s, and degrees counter-clockwise from east '
              'that it flows to'}


class SpokenFlow(NamedTuple):
    """
    A wind or a current: speed, m/s, and where it flows to, degrees counter-clockwise from east.

    `remark`: what of the phrase is not used, a sentence; '' if all is.
    """

    speed: float
    direction_deg: float
    remark: str = ''


class _Direction(NamedTuple):
    """
    A direction of a phrase, degrees of the compass.

    `way`: how it is meant, `from`, `to`, ERLY, or '' where that is not said; `doubt`: MAGNETIC_WAY, OST_OUEST or ''.
    """

    compass_deg: float
    way: str
    doubt: str
    text: str
    before_speed: bool
    is_number: bool


def flow_phrase(text: str, name: str, medium: str) -> SpokenFlow | None:
    """
    Return the flow that a phrase means; None if the text is no phrase, and so perhaps the name of a file.

    :param text: As `12 kn from NE`, `0.5 kn set 090`, `24015KT`, or two bare numbers, `0.4,45`.
    :param name: Of the option, for errors.
    :param medium: AIR or WATER. Weather reports give where a wind comes from; of a current it must be said.
    :raises InputError: If it is a phrase with two readings, which are given, one that is not complete, or a flow that
        no boat meets.
    """
    said = _read_phrase(text, name, medium)
    most = CURRENT_SPEED if medium == WATER else WIND_SPEED
    if said is not None and not (said.speed <= most and -TURN <= said.direction_deg <= TURN):
        raise InputError(f'{name} is {text!r}; must be {HOW[medium]}: the speed from 0 to {most:g} m/s, the direction '
                         f'from {-TURN:g} to {TURN:g}')
    return said


def _plain(text: str, name: str) -> str:
    """Return a phrase in small letters and single blanks; raises InputError for a half or a quarter of a point."""
    plain = ' '.join(text.strip().lower().replace('°', ' deg ').split())
    if half := HALF_POINT.search(plain):
        raise InputError(f'{name} is {text!r}: {half[0]!r} is a part of a point; must be one of the 32 points, as '
                         '`N by E`, or degrees from 000 to 360, as `014`')
    return re.sub(r'\b([nsew]{1,2})(?:by|x)([nsew])\b', r'\1 by \2', plain.replace('-by-', ' by '))


def _read_phrase(text: str, name: str, medium: str) -> SpokenFlow | None:
    """Return the flow that a phrase means, as `flow_phrase`, of any speed."""
    plain = _plain(text, name)
    plain = re.sub(r"['’]ly\b", 'erly', plain).rstrip('.')
    if bare := BARE.fullmatch(plain):
        way = 'from' if medium == AIR else 'set'
        if re.match(r'0\d|\d{3}(?!\d)', bare[1]):
            raise two_readings(text, name, f'{bare[2]} kn {way} {bare[1]}', f'{bare[2]} m/s {way} {bare[1]}',
                                'the first number is a direction of the compass, and no unit is given',
                                f', or in m/s and degrees from east `{float(bare[1]):g},{bare[2]}`'
                                if bare[1].startswith('0') else '')
        if re.fullmatch(r'0,[1-9]', plain):
            raise two_readings(text, name, f'0.{plain[2]} m/s {way} 090', '0 m/s', 'a decimal comma, or two numbers')
        if re.match(r'0\d', bare[2]):
            raise two_readings(text, name, f'{bare[1]} m/s {way} {bare[2]}', f'{bare[1]},{float(bare[2]):g}',
                                COMPASS_OR_EAST)
        return _bare_flow(float(bare[1]), float(bare[2]), text, name, medium)
    if plain in REST:
        return SpokenFlow(0.0, 0.0)
    if unitless := SLASHED.fullmatch(plain) or POINTED.fullmatch(plain):
        raise _without_unit(unitless, text, name, medium)
    if report := REPORT.fullmatch(plain):
        return _report_flow(report, text, name, medium)
    if re.fullmatch(r'[-+\d.,\s]+', plain):
        raise InputError(f'{name} is {text!r}; must be {HOW[medium]}; or a flow file')
    if REPORT.match(plain):
        raise InputError(f'{name} is {text!r}; of an airfield\'s report give the group of the wind alone, as 24015KT')
    if medium == AIR and (height := re.search(r'\bat \d{1,2}(?:\.\d+)? ?(?:m|metres|meters|ft|feet)\b(?!/)', plain)):
        raise InputError(f'{name} is {text!r}: {height[0]!r} is a height; must be left to --wind-height')
    without = re.sub(r'\([^()]*\)', ' ', plain)
    said, speed, at = _taken_speed(without, text, name, medium)
    found, leftover = _directions(said, at)
    if speed is None and not any(one.way for one in found) and not re.search(r'\s', plain):
        return None  # One word without a unit: the name of a file.
    strange = [word for word in leftover if word not in FILLERS]
    if changing := [word for word in strange if word in CHANGES]:
        raise InputError(f'{name} is {text!r}: {changing[0]!r} says that it changes; must be one speed and direction, '
                         'or a flow file')
    if (vague := next((word for word in strange if word in VAGUE), None)) and speed is None and len(strange) == 1:
        if medium == WATER:
            raise InputError(f'{name} is {text!r}: {vague!r} is no speed; must be as {HOW[medium]}')
        low, high = VAGUE[vague]
        raise two_readings(text, name, f'{low} kn ({low * KNOT:.3g} m/s)', f'{high} kn ({high * KNOT:.3g} m/s)',
                            f'{vague} is a range')
    if strange and speed is None and not found:
        return None
    if MAGNETIC & set(strange) and not re.search(r'\bm/', plain):    # Of `nan m/s`, whose number is no number.
        raise InputError(f'{name} is {text!r}: it is magnetic, and the variation there is not known here; must be true')
    bare_number = [word for word in strange if word != '-']
    number = bare_number[0] if len(bare_number) == 1 and re.fullmatch(NUMBER, bare_number[0]) else None
    if number and not (speed is not None and found):
        if speed is not None:
            if f'-{number}' in plain or not float(number.replace(',', '.')) <= 360.0:
                raise InputError(f'{name} is {text!r}: says no direction from 000 to 360; must be as {HOW[medium]}')
            way = f'{float(number.replace(",", ".")):03.0f}'
            raise two_readings(text, name, f'from {way}', f'to {way}', NO_WAY)
        raise two_readings(text, name, f'{number} kn ({float(number.replace(",", ".")) * KNOT:.3g} m/s)',
                            f'{number} m/s', 'no unit is given', _or_beaufort(number, medium))
    if strange:
        word = next((word for word in strange if not re.fullmatch(NUMBER, word)), strange[0])
        raise InputError(f'{name} is {text!r}: {word!r} is not understood; must be as {HOW[medium]}; or a flow file')
    if speed is None:
        raise InputError(f'{name} is {text!r}: says no speed; must be as {HOW[medium]}')
    if speed == 0.0 and not found:
        return SpokenFlow(0.0, 0.0)
    degrees, comes_from = _one_direction(found, text, name, medium)
    for words in re.findall(r'\(([^()]*)\)', plain):
        if not _agrees(words, speed, degrees, comes_from, text, name, medium):
            raise InputError(f'{name} is {text!r}: ({words}) is not understood or does not agree with the rest; must '
                             'be without it')
    return SpokenFlow(speed, (270.0 if comes_from else 90.0) - degrees)


def _without_unit(found: re.Match[str], text: str, name: str, medium: str) -> InputError:
    """Return the error of a bare number beside a direction, of SLASHED or POINTED: in what unit, and which way."""
    way, speed = (found['way'] or found['last']).upper(), found['speed'] or found['first']
    if way.isdigit():       # As pilots and atlases write: winds come from there, currents set there.
        word = 'from' if medium == AIR else 'set'
        return two_readings(text, name, f'{speed} kn {word} {way}', f'{speed} m/s {word} {way}', 'no unit is given')
    return two_readings(text, name, f'{speed} m/s from {way}', f'{speed} m/s to {way}', f'{NO_WAY}, and in which unit')


def _agrees(words: str, speed: float, degrees: float, comes_from: bool, text: str, name: str, medium: str) -> bool:
    """Return whether words in brackets repeat what a phrase says: its speed, m/s, its direction, or that it is true."""
    rest, again, _ = _taken_speed(words, text, name, medium)
    found, leftover = _directions(rest, -1)
    if set(leftover) - FILLERS - TRUE or (again is None and not found and not leftover):
        return False
    for one in found:
        turned = 180.0 if one.way in ('from', 'to') and (one.way == 'from') != comes_from else 0.0
        if one.doubt or abs(math.remainder(one.compass_deg + turned - degrees, 360.0)) > POINT:
            return False
    return again is None or abs(again - speed) <= ROUNDED_SPEED + ROUNDED * speed


def _bare_flow(speed: float, direction: float, text: str, name: str, medium: str) -> SpokenFlow:
    if not (math.isfinite(speed) and math.isfinite(direction) and speed >= 0.0):
        raise InputError(f'{name} is {text!r}; must be {HOW[medium]}: finite numbers, the speed from 0 on')
    return SpokenFlow(speed, direction)


def _report_flow(report: re.Match[str], text: str, name: str, medium: str) -> SpokenFlow:
    """Return the mean wind of a group of an airfield's report (METAR): degrees that it comes from, true, and speed."""
    if medium != AIR:
        raise InputError(f'{name} is {text!r}, the form of a wind; must be as {HOW[medium]}')
    unit = REPORT_UNITS[report[4]]
    if report[1] == 'vrb':
        raise InputError(f'{name} is {text!r}, a wind of variable direction; must be one direction, or a flow file')
    if float(report[1]) > 360.0:
        raise InputError(f'{name} is {text!r}: {report[1]} is no direction; must be 000 to 360')
    gust = f'{name} is {text!r}: the gust of {int(report[3])} {unit} is not used, the mean wind is' if report[3] else ''
    return SpokenFlow(float(report[2]) * SPEED_UNITS[unit], 270.0 - float(report[1]), gust)


def _taken_speed(plain: str, text: str, name: str, medium: str) -> tuple[str, float | None, int]:
    """Return a phrase without its speed, the speed, m/s, or None, and where it stood."""
    if force := re.search(rf'\b(?:force|beaufort|bft|bf|f)\s*(\d+)(?:{RANGE}(\d+))?\b|'
                          rf'\b(?:(\d+){RANGE})?(\d+)\s*(?:beaufort|bft)\b', plain):
        if medium == WATER:
            raise InputError(f'{name} is {text!r}: {force[0]!r} is of the wind; must be as {HOW[medium]}')
        raise _force_range([int(number) for number in force.groups() if number], text, name)
    for low, high, called in BEAUFORT[:0:-1]:
        if re.search(rf'\b{called}s?\b', plain):
            raise two_readings(text, name, f'{low} kn ({low * KNOT:.3g} m/s)', f'{high} kn ({high * KNOT:.3g} m/s)',
                                f'{called} is a range')
    unit = '|'.join(map(re.escape, sorted(SPEED_UNITS, key=len, reverse=True)))
    if span := re.search(rf'({NUMBER})\s*(?:{unit})?{RANGE}({NUMBER})\s*({unit})(?![\w/])', plain):
        raise two_readings(text, name, f'{span[1]} {span[3]}', f'{span[2]} {span[3]}', 'it is a range')
    if re.search(r'\bg(?:ust|\s?\d)', plain):
        raise InputError(f'{name} is {text!r}: gusts are not counted; must be the mean speed alone')
    beside_point = rf'(?:(?<=[a-z])-)?({NUMBER})'      # `SW-15kn` is no speed below 0.
    found = list(re.finditer(rf'{beside_point}\s*({unit})(?!\w|/(?!(?:\d{{3}}|{"|".join(POINTS)})(?![\w.])))', plain))
    if len(found) > 1:
        raise two_readings(text, name, found[0][0], found[1][0], 'two speeds are given')
    if not found:
        span = re.search(rf'(?<![\w.,/-])(\d+){RANGE}(\d+)(?![\w.,/-])', plain)
        if span and _directions(plain.replace(span[0], ' '), 0)[0]:
            if medium == AIR and int(span[2]) < len(BEAUFORT):
                raise _force_range([int(span[1]), int(span[2])], text, name, 'no unit is given; as forces of ')
            raise two_readings(text, name, f'{span[1]} kn', f'{span[2]} kn', 'it is a range, and no unit is given')
        return plain, None, len(plain)
    one = found[0]
    speed = decimal_of(one[1], text, name, one[2]) * SPEED_UNITS[one[2]]
    if speed < 0.0:
        raise InputError(f'{name} is {text!r}; its speed must be 0 or greater')
    return f'{plain[:one.start()]} ; {plain[one.end():]}', speed, one.start()


def _force_range(forces: list[int], text: str, name: str, before: str = '') -> InputError:
    """Return the error of one or two forces of Beaufort, which are a range of speeds."""
    (low, _, called), (_, high, _) = (BEAUFORT[min(force, len(BEAUFORT) - 1)] for force in (forces[0], forces[-1]))
    what = f'Beaufort {forces[0]}, {called},' if len(forces) == 1 else f'Beaufort {forces[0]} to {forces[-1]}'
    return two_readings(text, name, f'{low} kn ({low * KNOT:.3g} m/s)', f'{high} kn ({high * KNOT:.3g} m/s)',
                         f'{before}{what} is a range')


def _directions(said: str, at: int) -> tuple[list[_Direction], list[str]]:
    """Return the directions in a phrase without its speed, which stood `at` a place, and its other words."""
    said = re.sub(r'(north|south)[ -]?(east|west)', r'\1\2', said)
    said = re.sub(r'(north|south|east|west)[ -]((?:north|south)(?:east|west))', r'\1\2', said)
    said = re.sub(r'\b(\d{1,3})\s*(t|m)\b', r'\1 \2', said)
    words = [(match[0], match.start())
             for match in re.finditer(r'\d+(?:[.,]\d+)?|[^\W\d]+(?:-[^\W\d]+)*|[^\s\w]', said)]
    found: list[_Direction] = []
    other: list[str] = []
    way, place = '', 0
    while place < len(words):
        word, start = words[place]
        two = f'{word} {words[place + 1][0]}' if place + 1 < len(words) else ''
        if two == 'out of':
            way, place = 'from', place + 1
        elif word in FROM or word in TO:
            way = 'from' if word in FROM else 'to'
        elif (direction := _direction_at(words, place)) is not None:
            degrees, meant, used = direction
            doubt = meant if meant in DOUBTS else ''
            shown = word if word[0].isdigit() or doubt else point_text(round(degrees / 11.25))
            found.append(_Direction(degrees, way or ('' if doubt else meant), doubt, shown, start < at,
                                    word[0].isdigit()))
            way, place = '', place + used - 1
        else:
            other.append(word)
        place += 1
    if way == 'to' and found and found[-1].way in ('', ERLY) and words[-1][0] != 'to':    # `NE set`.
        found[-1] = found[-1]._replace(way=way)
    return found, other


def _direction_at(words: list[tuple[str, int]], place: int) -> tuple[float, str, int] | None:
    """Return the direction whose first word is at a place: degrees, what else its words say of it, their number."""
    word = words[place][0]
    after = [one for one, _ in words[place + 1:place + 3]] + ['', '']
    if re.fullmatch(r'\d{1,3}(?:\.\d+)?', word):
        used = 2 if after[0] in {'deg', 'degrees', 'degree'} else 1
        mark = after[used - 1]
        told = place > 0 and words[place - 1][0] in FROM | TO | {'the', 'of'}
        if not (told or used == 2 or mark in TRUE | MAGNETIC or (re.fullmatch(r'\d{3}', word) and int(word) <= 360)):
            return None
        return float(word), MAGNETIC_WAY if mark in MAGNETIC else '', used + (mark in TRUE | MAGNETIC)
    if after[0] == 'by':
        point = f'{_letters(word) or "?"}b{_letters(after[1]) or "?"}'
        return (11.25 * POINTS.index(point), '', 3) if point in POINTS else None
    if re.fullmatch(r'[nsewo]{1,3}', word) and 'o' in word:
        return 0.0, OST_OUEST, 1
    ending = re.fullmatch(r'(.+?)-?(erly|ward|wards|ern|bound|going)', word)
    letters = _letters(ending[1] if ending else word)
    if letters is None:
        return None
    meant = '' if ending is None else ERLY if ending[2] in ('erly', 'ern') else 'to'
    return 11.25 * POINTS.index(letters), meant, 1


def point_text(number: int) -> str:
    """Return one of the 32 points of the compass as people write it: `NE`, `NE by N`."""
    point, by, beside = POINTS[number].upper().partition('B')
    return f'{point} by {beside}' if by else point


def _letters(word: str) -> str | None:
    """Return a point of the compass as its letters; None if the word is none."""
    if word in POINTS:
        return word
    letters = re.sub('|'.join(WORDS), lambda match: WORDS[match[0]], word).replace('-', '')
    return letters if letters in POINTS else None


def _one_direction(found: list[_Direction], text: str, name: str, medium: str) -> tuple[float, bool]:
    """Return the compass degrees of a phrase, and whether the flow comes from there."""
    if not found:
        raise InputError(f'{name} is {text!r}: says no direction; must be as {HOW[medium]}')
    if len(found) > 1:
        first, second = found[:2]
        opposite = abs(math.remainder(first.compass_deg - second.compass_deg, 360.0)) > 179.0
        if not (opposite and {first.way, second.way} == {'from', 'to'}):
            one, other = (f'{part.way or "from"} {part.text}' for part in (first, second))
            raise two_readings(text, name, one, other, 'two directions are given')
    only = found[0]
    if only.doubt == OST_OUEST:
        raise two_readings(text, name, only.text.upper().replace('O', 'E'), only.text.upper().replace('O', 'W'),
                            'O is east in German and west in French')
    if only.doubt == MAGNETIC_WAY:
        raise InputError(f'{name} is {text!r}: it is magnetic, and the variation there is not known here; say '
                         f'`{only.text} T` if it is small, or add it to {only.text}, and say T')
    if only.compass_deg > 360.0:
        raise InputError(f'{name} is {text!r}: {only.text} is no direction; must be 000 to 360')
    way = only.way
    if way == ERLY:
        way = 'from' if medium == AIR else ''
    if not way and medium == AIR and only.before_speed and not (only.is_number and not re.search(r'[/@]|\bat\b', text)):
        way = 'from'  # The order of every weather report: where it comes from, then how fast.
    if not way and medium == WATER and re.search(r'\b(drift|rate)\b', text.lower()):
        way = 'to'    # The words of tidal atlases, which give the set.
    if not way:
        raise two_readings(text, name, f'from {only.text}', f'to {only.text}',
                            NO_WAY)
    return only.compass_deg, way == 'from'


def _or_beaufort(number: str, medium: str) -> str:
    """Return what to say if a number without a unit is a wind's force; empty if it can be none."""
    if medium != AIR or not number.isdecimal() or not 0 < int(number) < len(BEAUFORT):
        return ''
    low, high, called = BEAUFORT[int(number)]
    return f', or of Beaufort {number}, {called}, a speed from {low} to {high} kn'


def sea_phrase(text: str, name: str) -> tuple[float, float, float] | None:
    """
    Return the sea that a phrase means, as `0.3 m 2.5 s from SW`; None if the text is no such phrase.

    :param name: Of the option, for errors.
    :return: Significant height, m, period of the peak, s, and where the waves run to, rad (ENU).
    :raises InputError: If the direction has two readings, or none is said.
    """
    plain = _plain(text, name)
    said = re.fullmatch(rf'((?:[a-z:]+ )*?)(?:hs )?({NUMBER}) ?m[, ]+(?:tp |at )?({NUMBER}) ?s\b[, ]*(.*)', plain)
    if said is None:
        return None
    found, other = _directions(f'{said[1]} {said[4]}', -1)
    if strange := [word for word in other if word not in FILLERS | {'waves', 'sea', 'swell'}]:
        raise InputError(f'{name} is {text!r}: {strange[0]!r} is not understood; must be as `0.3 m 2.5 s from SW`')
    degrees, comes_from = _one_direction(found, text, name, WATER)
    return (decimal_of(said[2], text, name), decimal_of(said[3], text, name),
            float(towards_of(degrees, comes_from)))


def direction_of(text: str, name: str, medium: str) -> float:
    """
    Return where a flow goes to, degrees counter-clockwise from east.

    :param text: As `from NE`, `set 090`, or of a current `090 T` and of a wind `NE`; a bare number is ROS's.
    :param name: Of the option, for errors.
    :param medium: AIR or WATER.
    :raises InputError: If it is none, or has two readings.
    """
    plain = _plain(text, name)
    if re.fullmatch(NUMBER, plain) and not re.match(r'0\d', plain):
        return float(plain)
    if re.fullmatch(NUMBER, plain):
        raise two_readings(text, name, f'{"from" if medium == AIR else "set"} {plain}', f'{float(plain):g}',
                            COMPASS_OR_EAST)
    found, other = _directions(plain, len(plain))
    if set(other) - FILLERS or not found:
        raise InputError(f'{name} is {text!r}; must be as `from NE` or `to 225`, or ROS\'s 45: degrees '
                         'counter-clockwise from east that it goes to')
    degrees, comes_from = _one_direction(found, text, name, medium)
    return (270.0 if comes_from else 90.0) - degrees


def course_of(text: str, name: str) -> float:
    """
    Return a course, rad, counter-clockwise from east.

    :param text: Degrees of the compass, `270` or `045 T`, or one of its points, `NE`.
    :param name: Of the option, for errors.
    :raises InputError: If it is none, or magnetic.
    """
    plain = _plain(text, name)
    if re.fullmatch(NUMBER, plain):
        plain = f'to {plain}'
    found, other = _directions(plain, -1)
    if len(found) != 1 or set(other) - FILLERS - {'course', 'heading'} or found[0].way in (ERLY, 'from'):
        raise InputError(f'{name} is {text!r}; must be degrees of the compass from 000 to 360, as 270, or one of its '
                         'points, as NE')
    return math.radians(90.0 - _one_direction([found[0]._replace(way='to')], text, name, WATER)[0])


def point_name(angle: float) -> str:
    """Return the nearest of the sixteen points of the compass, `NE`, to a direction, rad (ENU)."""
    return SIXTEEN[round(compass_degrees(angle) / 22.5) % 16].upper()


def compass_words(angle: float) -> str:
    """Return a direction, rad (ENU), as on a compass, with its point: `045 (NE)`."""
    return f'{compass_text(angle, "")} ({point_name(angle)})'


def flow_words(x: float, y: float, medium: str) -> str:
    """
    Return a flow as a skipper says it: a wind by where it comes from, a current by where it sets.

    :param x: To the east, m/s.
    :param y: To the north, m/s.
    :param medium: AIR or WATER.
    """
    speed = math.hypot(x, y)
    if not math.isfinite(speed):
        return 'unknown'
    if speed == 0.0:
        return 'none'
    way = f'from {compass_words(math.atan2(-y, -x))}' if medium == AIR else f'set {compass_words(math.atan2(y, x))}'
    return f'{speed_with_knots(speed)} {way}'
