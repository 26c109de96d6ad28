"""The view of a running boat in a terminal, updated in place or printed frame by frame, as text or JSON."""

import json
import math
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from usv_energy.earth import compass_text
from usv_energy.files.errors import InputError, counted
from usv_energy.files.limits import safe_name, safe_text
from usv_energy.files.locate import share_folder
from usv_energy.files.text_file import check_writable, write_text
from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.physics.sampling import round_up
from usv_energy.show.causes import CAUSES
from usv_energy.show.text_table import joules, metres, seconds

WIDTH, NARROWEST = 92, 56
LABEL = 17                                    # characters of a row's name
EIGHTHS = ' ▏▎▍▌▋▊▉█'                         # the end of a bar, to an eighth of a character
LEAST_SEEN = 0.02                             # share of the axis below which a negative part is invisible
NEGLIGIBLE = 1e-9                             # W: rounding error
LOW_BATTERY, EMPTY_BATTERY = 0.3, 0.1
BATTERY_BAR, SEPARATOR = 20, '   '
NOT_MEASURED = 1                              # bit of BatteryEstimate.status: only the power model is known
RESET, CODES = '\x1b[0m', re.compile(r'\x1b\[[\d;]*m')
GOOD, WARN, BAD = '38;5;35', '38;5;214', '38;5;203'
Paint = Callable[..., str]  # from a text and ANSI codes to the text in colour, or unchanged

ALWAYS = ('power_damping_w', 'power_inertia_w')

ENTER, LEAVE = '\x1b[?1049h\x1b[?25l', '\x1b[?25h\x1b[?1049l'
HOME, CLEAR_LINE, CLEAR_REST = '\x1b[H', '\x1b[K', '\x1b[J'

SHIPPED = 'diffboat'    # Namespace in the shipped views of other programs.
VIEWS = 'foxglove/energy.json', 'rviz/energy.rviz'


def write_views(folder: Path, namespace: str) -> list[Path]:
    """
    Write the shipped views for Foxglove and RViz with the topics of a boat.

    :param folder: Where to; it is made.
    :param namespace: Of the boat.
    :return: The files.
    :raises InputError: If it is no namespace of ROS 2, or the folder cannot be written to.
    """
    name = namespace.strip('/')
    if not re.fullmatch(r'[A-Za-z_]\w*(/[A-Za-z_]\w*)*', name, re.ASCII):
        raise InputError(f'--namespace is {namespace!r}; must be letters, digits and _, as fleet/red')
    check_writable(folder)
    written = []
    for view in VIEWS:
        shipped = (share_folder() / 'config' / view).read_text(encoding='utf-8')
        written.append(folder / Path(view).name)
        write_text(re.sub(rf'\b{SHIPPED}\b', name, shipped), written[-1])
    return written


class Bar(NamedTuple):
    """A row of the power's picture: its name, the key of its value, and its colour."""

    name: str
    key: str
    colour: str


def _code(colour: str) -> str:
    red, green, blue = (int(colour[at:at + 2], 16) for at in (1, 3, 5))
    return f'38;2;{red};{green};{blue}'


BARS = tuple(Bar(cause.name, f'power_{cause.key}_w', _code(cause.colour)) for cause in CAUSES)
TOTAL = Bar('total', 'power_total_w', '1')


def frame(state: Mapping[str, Any], width: int = WIDTH, colours: bool = True, height: int | None = None) -> list[str]:
    """
    Return the lines of one frame.

    :param state: Of the boat, as `ros.monitor` collects it and `--json` prints it; None for unknown values.
    :param width: Characters per line; at least NARROWEST.
    :param colours: Whether to use ANSI colours.
    :param height: Lines that there are; in fewer than all of them what matters most comes first, and the last go.
    """
    width = max(width, NARROWEST)
    paint = partial(_painted, colours)
    head, power, energy, hull, home, mission, around, status = (part(state, width, paint) for part in (
        _head, _power, _energy, _hull, _home, _mission, _surroundings, _status))
    lines = [*head, '', *power, '', *energy, *hull, *home, *mission, '', *around, *status]
    if height is None or len(lines) <= height:
        return lines
    return [*head, *status[:height // 3], *home, *mission, *energy, *hull, *around, *power][:height]


def _painted(colours: bool, text: str, *codes: str) -> str:
    """Return a text with ANSI codes around it, or unchanged without colours."""
    return f'\x1b[{";".join(codes)}m{text}{RESET}' if colours and any(codes) else text


def _head(state: Mapping[str, Any], width: int, paint: Paint) -> list[str]:
    age = state.get('age_s')
    heard = 'nothing heard yet' if age is None else f'heard {age:.1f} s ago'
    name = str(state.get('namespace') or '/')
    stamp = state.get('stamp_s')
    clock = None if stamp is None else f't = {stamp:.2f} s'
    middle = ' · '.join(safe_name(str(part)) for part in (state.get('convention'), clock) if part)
    space = max(1, width - len(name) - len(middle) - len(heard) - 3)
    late = age is None or age > 2.0
    return [f'{paint(name, "1")}   {paint(middle, "2")}{" " * space}{paint(heard, BAD if late else GOOD)}']


def _power(state: Mapping[str, Any], width: int, paint: Paint) -> list[str]:
    rows = [(bar, state.get(bar.key)) for bar in BARS]
    rows = [(bar, value) for bar, value in rows if value is None or abs(value) > NEGLIGIBLE or bar.key in ALWAYS]
    rows.append((TOTAL, state.get(TOTAL.key)))
    low, high = _axis_limits([value for _, value in rows if value is not None])
    room = width - LABEL - 10
    zero = _zero_place(low, high, room)
    ends = f'{low:g}' if low < 0.0 else '', f'{high:g} W'
    axis = f'{ends[0]:{zero}}0'.ljust(room - len(ends[1])) + ends[1]
    lines = [paint('Power'.ljust(LABEL + 10), '1') + paint(axis, '2')]
    for bar, value in rows:
        figure = '?'.rjust(7) if value is None else f'{value:7.1f}'.replace('-0.0', ' 0.0')
        drawn = '' if value is None else _bar(value, low, high, room, bar.colour, paint)
        name = paint(f'{bar.name:{LABEL}}{figure}', '1' if bar is TOTAL else '')
        lines.append(f'  {name} {drawn}'.rstrip())
    return lines


def _zero_place(low: float, high: float, room: int) -> int:
    """Return the position of 0 on an axis of `room` characters."""
    return round(-low / (high - low) * room)


def _axis_limits(values: list[float]) -> tuple[float, float]:
    """Return the ends of the power's axis, W: round numbers, 0 among them."""
    high, low = max([*values, 1.0]), min([*values, 0.0])
    return -round_up(-low) if low < -LEAST_SEEN * high else 0.0, round_up(high)


def _bar(value: float, low: float, high: float, room: int, colour: str, paint: Paint) -> str:
    zero = _zero_place(low, high, room)
    length = abs(value) / (high - low) * room
    if value >= 0.0:
        whole = int(length)
        return ' ' * zero + paint('█' * whole + EIGHTHS[int(8.0 * (length - whole))].strip(), colour)
    whole = min(round(length), zero)
    return ' ' * (zero - whole) + paint('█' * whole, colour)


def _energy(state: Mapping[str, Any], width: int, paint: Paint) -> list[str]:
    total, per_meter, gaps = (state.get(key) for key in ('energy_total_j', 'energy_per_meter_j_m', 'gaps'))
    distance, duration = state.get('distance_over_ground_m'), state.get('duration_s')
    parts = ['?' if total is None else joules(total), '' if per_meter is None else f'{per_meter:.1f} J/m',
             _words_or_empty(distance, metres), _words_or_empty(duration, seconds)]
    if gaps:
        parts.append(paint(f'{counted(gaps, "gap")}, {seconds(state["gap_duration_s"])}: not counted', WARN))
    lines = _labelled_lines('Energy', parts, width, paint)
    charge = state.get('state_of_charge')
    if charge is None:
        return [*lines, *_labelled_lines('Battery', [paint('none in the boat file, or not heard', '2')], width, paint)]
    colour = BAD if charge < EMPTY_BATTERY else WARN if charge < LOW_BATTERY else GOOD
    full = round(BATTERY_BAR * charge)
    bar = paint('█' * full, colour) + paint('░' * (BATTERY_BAR - full), '2')
    reach, lasts = state.get('remaining_range_m'), state.get('remaining_duration_s')
    parts = [f'{bar} {100.0 * charge:.1f} %', f'range {"not known" if reach is None else metres(reach)}',
             '' if lasts is None else f'{seconds(lasts)} at this power']
    lines += _labelled_lines('Battery', parts, width, paint)
    deviation, ohms, said = (state.get(key) for key in ('state_of_charge_std', 'battery_resistance_ohm',
                                                        'battery_message'))
    if state.get('battery_status') == NOT_MEASURED:
        return lines
    parts = ['' if deviation is None else f'± {200.0 * deviation:.1f} % of charge (95 %)',
             '' if ohms is None else f'{1000.0 * ohms:.0f} mOhm', paint(said, WARN) if said else '']
    return [*lines, *_labelled_lines('', parts, width, paint)]


def _hull(state: Mapping[str, Any], width: int, paint: Paint) -> list[str]:
    """Return the state of hull and propellers, if a node reports it."""
    name, ratio = state.get('hull_state'), state.get('drag_ratio')
    if name is None:
        return []
    colour = {'healthy': GOOD, 'more drag': BAD}.get(name, WARN)
    parts = [paint(name, colour), '' if ratio is None else f'drag {ratio:.2f} '
             f'({state["drag_ratio_lower"]:.2f} to {state["drag_ratio_upper"]:.2f}) of the file\'s']
    return _labelled_lines('Hull', [*parts, *wrap(state.get('hull_message') or '', width - LABEL - 2)], width, paint)


def _home(state: Mapping[str, Any], width: int, paint: Paint) -> list[str]:
    """Return the margin beyond the way home, and the point of no return; empty if no node watches it."""
    if state.get('home_status') is None:
        return []
    margin, back = state.get('home_margin_j'), bool(state.get('return_home'))
    parts = [paint('TURN BACK NOW', BAD) if back else '']
    if margin is not None:
        duration, away = state.get('no_return_duration_s'), state.get('no_return_distance_m')
        place = f'{safe_name(str(state.get("home_place")))}, {metres(state["home_distance_m"])}'
        parts += [f'{place}: {joules(state["home_energy_j"])}',
                  paint(f'margin {joules(margin)}', BAD if margin < 0.0 else WARN if back else GOOD)]
        if margin >= 0.0:
            parts.append('no point of no return on this course' if duration is None or away is None else
                         f'point of no return in {seconds(duration)}, {metres(away)}')
    said = wrap(safe_text(state.get('home_message') or ''), width - LABEL - 2)
    return _labelled_lines('Way home', [*parts, *(paint(line, WARN) for line in said)], width, paint)


def _mission(state: Mapping[str, Any], width: int, paint: Paint) -> list[str]:
    """Return what is left of the mission, and whether the boat makes it; empty if none is known."""
    mission = state.get('mission')
    if not mission:
        return []
    if 'error' in mission:
        return _labelled_lines('Mission', [paint(safe_text(mission['error']), WARN)], width, paint)
    verdict, charge = mission['verdict'].replace('_', ' '), mission['state_of_charge_at_end']
    colour = {'go': GOOD, 'no go': BAD}.get(verdict, WARN)
    parts = [paint(verdict, colour), f'{metres(mission["length_m"])} left from item {mission["item"]}',
             _words_or_empty(mission['time_s'], seconds), _words_or_empty(mission['energy_j'], joules),
             '' if charge is None else f'{100.0 * charge:.0f} % at its end',
             *(wrap(mission.get('reason', ''), width - LABEL - 2) if verdict == 'no go' else ()),
             '' if mission['turn_back_before_item'] is None else
             paint(f'turn back before item {mission["turn_back_before_item"]}', BAD)]
    return _labelled_lines('Mission', parts, width, paint)


def _words_or_empty(value: float | None, words: Callable[[float], str]) -> str:
    """Return a value in words, empty for None."""
    return '' if value is None else words(value)


def _surroundings(state: Mapping[str, Any], width: int, paint: Paint) -> list[str]:
    over, through, yaw = (state.get(key) for key in ('speed_over_ground_m_s', 'speed_through_water_m_s', 'yaw_deg'))
    parts = ['?' if over is None else f'{over:.2f} m/s over ground',
             '' if through is None else f'{through:.2f} m/s through water',
             '' if yaw is None else f'heading {compass_text(math.radians(yaw), "°")}']
    lines = _labelled_lines('Speed', parts, width, paint)
    for name, key, medium in (('Current', 'current', WATER), ('Wind', 'wind', AIR)):
        lines += _labelled_lines(name, _flow(state.get(key) or {}, medium, paint), width, paint)
    return lines


def _status(state: Mapping[str, Any], width: int, paint: Paint) -> list[str]:
    problems = [paint(line, WARN) for text in state.get('problems') or () if text
                for line in wrap(safe_text(text), width - LABEL - 1)]
    return _labelled_lines('Status', problems or [paint('ok', GOOD)], width, paint)


def _flow(flow: Mapping[str, Any], medium: str, paint: Paint) -> list[str]:
    status, speed = flow.get('status'), flow.get('speed_m_s')
    if speed is None:
        return [paint(status or '?', BAD if status else '2')]
    angle = math.radians(flow['direction_deg']) if speed else 0.0
    text = flow_words(speed * math.cos(angle), speed * math.sin(angle), medium) if speed else '0.00 m/s'
    return [text, paint(str(status), GOOD if status == 'ok' else WARN)]


def _labelled_lines(name: str, parts: Sequence[str], width: int, paint: Paint) -> list[str]:
    """Return a name and its parts as lines, with as many parts in a line as fit."""
    lines: list[str] = []
    used = width
    for part in filter(None, parts):
        length = len(CODES.sub('', part)) + len(SEPARATOR)
        if used + length > width:
            lines.append(f'{paint(name.ljust(LABEL + 1), "1")}{part}' if not lines else ' ' * (LABEL + 1) + part)
            used = LABEL + 1 + length - len(SEPARATOR)
        else:
            lines[-1] += SEPARATOR + part
            used += length
    return lines


class FrameOutput:
    """Shows the states of a boat one after the other; a context manager, which restores the terminal at its end."""

    def __init__(self, as_json: bool, live: bool) -> None:
        """Choose JSON, one object per line, or text frames, which replace each other if `live`."""
        self._as_json = as_json
        self._on_terminal = sys.stdout.isatty()
        self._in_place = live and self._on_terminal and not as_json
        self._colours = self._on_terminal and not os.environ.get('NO_COLOR') and (self._in_place or not live)

    def __enter__(self) -> 'FrameOutput':
        """Switch to the terminal's alternate screen, if frames replace each other."""
        if self._in_place:
            sys.stdout.write(ENTER)
        return self

    def __exit__(self, *exception: object) -> None:
        """Switch back to the normal screen."""
        if self._in_place:
            sys.stdout.write(LEAVE)
            sys.stdout.flush()

    def show(self, state: dict[str, Any]) -> None:
        """Show a state from `Monitor.state`."""
        if self._as_json:
            print(json.dumps(state, allow_nan=False), flush=True)
            return
        size = shutil.get_terminal_size((WIDTH, 30))
        width = min(WIDTH, size.columns - 1)
        lines = [*frame(state, width, self._colours, size.lines - 3 if self._in_place else None), '']
        if self._in_place:
            lines.append('Ctrl-C ends the view; the boat goes on.')
            text = f'{CLEAR_LINE}\n'.join(lines[:size.lines - 1])
            sys.stdout.write(f'{HOME}{text}{CLEAR_LINE}{CLEAR_REST}')
            sys.stdout.flush()
        else:
            print('\n'.join(lines), flush=True)
