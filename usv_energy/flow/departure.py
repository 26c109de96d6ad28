"""When a boat departs: seconds of the flow's time, or moments with their zones, and the dates of a flow file."""

import math
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from usv_energy.files.errors import InputError
from usv_energy.files.limits import SECONDS
from usv_energy.flow.flow_file import FlowFile
from usv_energy.show.text_table import exact_seconds
from usv_energy.units import duration_of, moment_of, moment_words

WINDOW = 24             # Default number of steps of a window of departures.
MOST = 2000
HOW = ("S, FROM,TO or FROM,TO,STEP: s of the flow's time, or 6h, or moments as 2026-06-01T09:00+02:00, and a step as "
       '30min')


class DepartureWindow(NamedTuple):
    """A departure, or a window: `first`, and `last` or None, in s of the flow's time or as moments; `step`, s."""

    text: str
    first: float | datetime
    last: float | datetime | None = None
    step: float | None = None


class DepartureTimes(NamedTuple):
    """Departures, s of the flow's time; `zero`: the moment of its time 0, None if it is not known."""

    seconds: tuple[float, ...]
    zero: datetime | None


def departure_window(text: str, name: str) -> DepartureWindow:
    """
    Return the departure, or the window of departures, of a text.

    :param text: As HOW says.
    :param name: Of the option, for errors.
    :raises InputError: If it is neither, or a moment has no zone.
    """
    parts = [part.strip() for part in text.split(',')]
    if len(parts) > 3:
        raise InputError(f'{name} is {text!r}; must be {HOW}')
    first, *more = (_time(part, text, name) for part in parts[:2])
    if not more:
        return DepartureWindow(text, first)
    if isinstance(first, datetime) != isinstance(more[0], datetime):
        raise InputError(f'{name} is {text!r}; must be two moments or two numbers of seconds')
    step = _step(parts[2], text, name) if len(parts) == 3 else None
    return DepartureWindow(text, first, more[0], step)


def flow_seconds(text: str, zero: datetime | None, name: str) -> float:
    """
    Return a time of the flow, s, from a text: seconds, or a moment.

    :param zero: The moment of the flow's time 0, from `departure_times`; None if it is not known.
    :param name: Of the option, for errors.
    :raises InputError: If it is neither, or a moment where that of the time 0 is not known.
    """
    found = _time(text.strip(), text, name)
    if not isinstance(found, datetime):
        return found
    if zero is None:
        raise InputError(f'{name} is {text!r}, and no flow says dates; must be s of its time')
    return (found - zero).total_seconds()


def _time(part: str, text: str, name: str) -> float | datetime:
    if re.match(r'\d{4}-', part):
        return moment_of(part, name)
    try:
        value = duration_of(part, name)
    except InputError:
        raise InputError(f'{name} is {text!r}; must be {HOW}') from None
    if value < 0.0:
        raise InputError(f'{name} is {text!r}; must be {HOW}, from 0 on')
    return value


def _step(part: str, text: str, name: str) -> float:
    try:
        step = duration_of(part, name)
    except InputError:
        step = 0.0
    if step <= 0.0:
        raise InputError(f'{name} is {text!r}; its step must be a time above 0, as 1800, 30min or 1h')
    return step


def departure_times(window: DepartureWindow, flows: Sequence[Any], name: str) -> DepartureTimes:
    """
    Return the departures of a window in the time of the flows, and the moment of its time 0.

    :param window: From `departure_window`.
    :param flows: Water and air; the dates of files of changing flows count. If nothing changes and a moment is given,
        the flow's time 0 is that moment.
    :param name: Of the option, for errors.
    :raises InputError: For moments in flows that change and say no dates, or of which two have different dates at the
        time 0; if it is later than a plan lasts; if the window does not go forward, or holds more than MOST departures.
    """
    changing = [flow for flow in flows if isinstance(flow, FlowFile) and len(flow.source.times) > 1]
    zeros = {flow.path: flow.zero for flow in changing}
    zero = next((found for found in zeros.values() if found is not None), None)
    first, last = window.first, window.last
    if isinstance(first, datetime):
        for path, found in zeros.items():
            if found is None:
                raise InputError(f'{name} is {window.text!r}, and {path} says no dates; must be s of its time')
            if zero is not None and found != zero:
                raise InputError(f'{name} is {window.text!r}; {path} has at its time 0 {moment_words(found)}, and '
                                 f'another flow {moment_words(zero)}: a moment has two readings; must be s')
        zero = (zero or first).astimezone(first.tzinfo)
        begin = (first - zero).total_seconds()
        end = None if last is None else (_moment(last) - zero).total_seconds()
        if begin < 0.0:
            raise InputError(f'{name} is {window.text!r}; the flows begin at {moment_words(zero)}, after that')
    else:
        begin, end = first, None if last is None else _seconds(last)
        most = max(SECONDS, *(float(flow.source.times[-1]) for flow in changing), 0.0)
        if max(begin, end or 0.0) > most:
            raise InputError(f'{name} is {window.text!r}; must be from 0 to {exact_seconds(most)}')
    if end is None:
        return DepartureTimes((begin,), zero)
    if end <= begin:
        raise InputError(f'{name} is {window.text!r}; must end after it begins')
    step = window.step or (end - begin) / WINDOW
    number = math.floor((end - begin) / step + 1e-9) + 1
    if number > MOST:
        raise InputError(f'{name} is {window.text!r}, which are {number} departures; must be at most {MOST}')
    return DepartureTimes(tuple(begin + step * count for count in range(number)), zero)


def departures_on_clock(text: str | None, flows: Sequence[Any], name: str) -> tuple[DepartureTimes, list[Any]]:
    """
    Return departures in the time of the flows, and the flows on one clock.

    :param text: As of `departure_window`; None: time 0, which does not do for files of data.
    :param flows: Water and air.
    :param name: Of the option, for errors.
    :raises InputError: As `on_one_clock`, `departure_times` and `check_covered`.
    """
    flows = on_one_clock(flows, text, name)
    times = departure_times(departure_window(text or '0', name), flows, name)
    check_covered(times, flows, name)
    return times, flows


def on_one_clock(flows: Sequence[Any], text: str | None, name: str) -> list[Any]:
    """
    Return flows with one time 0, so that files of data with dates hold together, and beside flow files, when they say.

    The time 0 is that of the first flow file with dates that changes, else the latest first time of the files of data.

    :param flows: Water and air.
    :param text: Of `departure_window`; None if nobody said it.
    :param name: Of the option, for errors.
    :raises InputError: If a file of data changes, and nobody says when the boat departs, or no moment is common to all.
    """
    changing = [flow for flow in flows if isinstance(flow, FlowFile) and flow.changes]
    data = [flow for flow in changing if flow.is_data]
    if not data:
        return list(flows)
    if text is None:
        raise InputError(f'{data[0].path}: holds {data[0].span_words}, and when the boat departs is not said; give '
                         f'{name} {data[0].zero:%Y-%m-%dT%H:%MZ}, say')
    placed = [flow for flow in changing if not flow.is_data]
    lacking = next((flow for flow in placed if flow.zero is None), None)
    if lacking is not None:
        raise InputError(f'{lacking.path}: says no dates, and {data[0].path} does; one clock for both is not known')
    zero = max(moment for flow in (placed[:1] or data) if (moment := flow.zero) is not None)

    def placed_in_time(flow: FlowFile) -> FlowFile:
        assert flow.zero is not None
        moved = flow.later((zero - flow.zero).total_seconds())
        if moved.clock.start > moved.clock.last:
            raise InputError(f'{flow.path}: holds {flow.span_words}; the flows beside it begin at '
                             f'{moment_words(zero)}, after that')
        return moved

    return [placed_in_time(flow) if any(flow is one for one in data) else flow for flow in flows]


def check_covered(times: DepartureTimes, flows: Sequence[Any], name: str) -> None:
    """Raise InputError if a departure lies outside the times of a file of data."""
    for flow in flows:
        if isinstance(flow, FlowFile) and flow.is_data and flow.changes:
            for second in (times.seconds[0], times.seconds[-1]):
                if not math.isfinite(flow.clock.time(second)):
                    at = exact_seconds(second) if times.zero is None else (
                        f'{second:.9g} s ({moment_words(times.zero + timedelta(seconds=second))})')
                    raise InputError(f'{name} is {at}; {flow.path} holds {flow.span_words}')


def _moment(value: float | datetime) -> datetime:
    assert isinstance(value, datetime)
    return value


def _seconds(value: float | datetime) -> float:
    assert not isinstance(value, datetime)
    return value
