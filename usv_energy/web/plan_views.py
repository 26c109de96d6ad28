"""A study of a mission as what the page Plan shows: texts, tables, lines of charts, the way on the map."""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_remarks import lacks_for_range
from usv_energy.earth import KNOT, LocalPlane, Place, compass_text
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.show.page.page_parts import LEVELS
from usv_energy.show.text_table import charge_text, fixed, formatted, metres, seconds
from usv_energy.studies.mission.mission_battery import charge_at_ends, charge_left, lines_to_empty
from usv_energy.studies.mission.mission_page import (
    CLASSES,
    LEG_HEADS,
    cause_bars,
    leg_row,
    load_rows,
    margin_words,
)
from usv_energy.studies.mission.mission_pictures import power_limits
from usv_energy.studies.mission.mission_scenario import MissionScenario
from usv_energy.studies.mission.mission_study import MissionStudy, departure_verdict
from usv_energy.studies.mission.mission_study_text import DEPARTURES_EQUAL, takes
from usv_energy.studies.mission.mission_text import ignored_commands
from usv_energy.studies.mission.mission_words import (
    VERDICTS,
    assumption_rows,
    battery_words,
    departs_words,
    departure_words,
    energy_words,
    help_title,
    helpful,
    reserve_words,
    speed_note,
    speed_table,
    speed_words,
    time_doubt,
    time_words,
    unheld_words,
    verdict_reason,
)
from usv_energy.web.charts import COLOURS, ChartAxis, ChartLevel, ChartLine, chart_options
from usv_energy.web.html_parts import list_html, markup, table_html
from usv_energy.web.speed_units import speed_in, speeds_in

ROWS = 300                          # Of a table, at most.
SPEEDS, BY_CAUSE, VARIANTS = 'All legs at one speed', 'Energy by cause', 'Two variants'
LOCAL = Place(0.0, 0.0)             # Where a mission in local metres is drawn, whose place is not known.
CHANGED = 1e-9
WATT_HOURS, HOURS = ChartAxis('Wh', 0.0), ChartAxis('h', 0.0)


class VerdictWords(NamedTuple):
    """The verdict: its word, its class of `page.css`, the margin, the reason, what it takes, and what else is said."""

    word: str
    kind: str
    margin: str
    reason: str
    needs: str
    more: tuple[str, ...]


def titled(caption: str, shown: str) -> str:
    """Return a table or a list as HTML below its title."""
    return f'<h2>{markup(caption)}</h2>{shown}'


def verdict_of(study: MissionStudy, knots: bool) -> VerdictWords:
    """Return the verdict in the command's words."""
    unheld = unheld_words(study)
    length = metres(float(study.legs.length.sum()))
    first = f'{length} in {time_words(study)}: {energy_words(study)}' if study.is_possible else length
    departs = departs_words(study)
    more = (departs and f'D{departs[1:]}.', *reserve_words(study), battery_words(study), time_doubt(study),
            speed_words(study))
    reason, lacking = verdict_reason(study), lacks_for_range(study.scenario.boat)
    return VerdictWords(VERDICTS[study.verdict], CLASSES[study.verdict], margin_words(study),
                        speeds_in(f'{reason[:1].upper()}{reason[1:]}. {lacking}'.rstrip(), knots),
                        speeds_in(f'{first}, {unheld}' if unheld else first, knots),
                        tuple(speeds_in(words, knots) for words in more if words))


class WayOnMap(NamedTuple):
    """
    The way on a map: places, degrees, start first; for each leg the level of its colour (-1: none), its words and
    whether it is dashed; marks at places: number, words, kind; and the powers at the ends of the colours, W.
    """

    places: list[tuple[float, float]]
    legs: list[tuple[int, str, bool]]
    marks: list[tuple[int, str, str]]
    low: float
    high: float


def way_places(placed: MissionScenario) -> list[tuple[float, float]]:
    """Return the places of a mission's way, degrees."""
    points = np.array([placed.scenario.start[:2], *placed.scenario.waypoints], dtype=float)
    latitude, longitude = LocalPlane(placed.origin or LOCAL).to_geodetic(*points.T)
    return list(zip(latitude.tolist(), longitude.tolist()))


def drawn_way(study: MissionStudy, knots: bool) -> WayOnMap:
    """Return the way, coloured by the mean power under way, as on the page of a mission."""
    legs = study.legs
    going = legs.total - legs.of_hold
    power = np.where(legs.under_way > 0.0, going / np.maximum(legs.under_way, 1e-9), np.nan)
    low, high = power_limits(power, legs.length)
    level = np.clip((power - low) / (high - low) * LEVELS, 0, LEVELS - 1)
    words = []
    for number in range(legs.length.size):
        speed = speed_in(float(legs.speed[number]), knots)
        charge = '' if study.charge is None else f', {charge_text(study.charge[number])} % at its end'
        watts = f'{power[number]:.1f} W' if math.isfinite(power[number]) else 'cannot'
        words.append(f'leg {number + 1}: {metres(float(legs.length[number]))}, '
                     f'{compass_text(float(legs.course[number]), "°")}, {speed}, {watts}{charge}')
    marks = [(0, 'start', 'start'), *((number + 1, name, 'stay' if legs.hold[number] else 'point')
                                      for number in range(legs.length.size) if (name := _mark(study, number)))]
    return WayOnMap(way_places(study.mission),
                    [(int(one) if math.isfinite(one) else -1, text, not bool(able))
                     for one, text, able in zip(level.tolist(), words, legs.feasible)], marks, low, high)


def _mark(study: MissionStudy, number: int) -> str:
    """Return the words at the end of a leg; empty for a waypoint without a name and a stay, if there are many."""
    name, hold = study.scenario.order_of(number).name, float(study.legs.hold[number])
    words = [name or (str(number + 1) if study.legs.length.size <= 30 else ''),
             f'stay {seconds(hold)}' if hold else '']
    return ', '.join(word for word in words if word)


def legend(drawn: WayOnMap) -> str:
    """Return the colours of a way as HTML."""
    boxes = ''.join(f'<i style="background:var(--r{level})"></i>' for level in range(LEVELS))
    return (f'<span>{formatted(drawn.low)} W</span><span class="levels" aria-hidden="true">{boxes}</span>'
            f'<span>{formatted(drawn.high)} W</span>')


def charge_options(study: MissionStudy, other: MissionStudy | None) -> dict[str, Any]:
    """Return the chart of the charge along the way, %, or without a battery of the energy, Wh; `other`: a variant."""
    charged = study.charge is not None
    lines = [_charge_line(study, charged, 'this plan' if other else 'charge' if charged else 'energy', False)]
    if other is not None and (other.charge is not None) == charged:
        lines.append(_charge_line(other, charged, 'kept plan', True))
    levels = [ChartLevel('reserve', 100.0 * study.reserve)] if charged else []
    return chart_options(ChartAxis('minutes since the departure', 0.0),
                         [ChartAxis('charge, %', 0.0, 100.0) if charged else WATT_HOURS],
                         lines, levels)


def _charge_line(study: MissionStudy, charged: bool, name: str, dashed: bool) -> ChartLine:
    legs, colour = study.legs, COLOURS[dashed]
    ends = np.concatenate(([0.0], np.column_stack((legs.begin + legs.under_way, legs.end)).ravel())) / 60.0
    if not charged or study.charge is None:
        spent = np.concatenate(([0.0], np.cumsum(np.column_stack((legs.total - legs.of_hold, legs.of_hold)).ravel())))
        return ChartLine(name, ends, spent / JOULES_PER_WH, colour=colour, dashed=dashed)
    bands = [] if study.charge_bands is None or dashed else list(study.charge_bands)
    minutes, (values, *band) = lines_to_empty(ends, [100.0 * charge_at_ends(part, study.charge_at_start, legs)
                                                     for part in (study.charge, *bands)])
    return ChartLine(name, minutes, values, np.array(band) if band else None, colour=colour, dashed=dashed)


def speed_options(study: MissionStudy, other: MissionStudy | None, knots: bool) -> dict[str, Any] | None:
    """Return the chart of energy and time over speed; None if no speed is held."""
    unit, scale = ('kn', KNOT) if knots else ('m/s', 1.0)
    lines = []
    for one, name, dashed in ((study, 'energy, Wh', False), (other, 'energy of the kept plan, Wh', True)):
        rows = sorted((row for row in one.speeds if math.isfinite(row.speed)), key=lambda row: row.speed) if one else []
        if rows:
            speeds = np.array([row.speed for row in rows]) / scale
            lines.append(ChartLine(name, speeds, np.array([row.energy for row in rows]) / JOULES_PER_WH, dashed=dashed,
                              shown_points=True, colour=COLOURS[dashed]))
            if not dashed:
                hours = np.array([row.time for row in rows]) / 3600.0
                lines.append(ChartLine('time, h', speeds, hours, axis=1, colour=COLOURS[2]))
    if not lines:
        return None
    budget = study.spare / JOULES_PER_WH
    here = [ChartLevel('as here', float(study.ordered[0]) / scale, True)] if np.ptp(study.ordered) < CHANGED else []
    levels = [*([ChartLevel('down to the reserve', budget)] if math.isfinite(budget) else []), *here]
    return chart_options(ChartAxis(f'speed over ground on all legs, {unit}'), [WATT_HOURS, HOURS], lines, levels)


def departure_options(study: MissionStudy) -> tuple[dict[str, Any] | None, str]:
    """Return the chart of energy and time over the departure, or None, and a note about it."""
    found = study.departures
    if found is None:
        return None, ''
    if not found.changing:
        return None, f'{DEPARTURES_EQUAL[:1].upper()}{DEPARTURES_EQUAL[1:]}.'
    hours = found.departure / 3600.0
    held = np.where(found.held, found.energy / JOULES_PER_WH, np.nan)
    lines = [ChartLine('energy, Wh', hours, held, shown_points=True),
             ChartLine('time, h', hours, found.time / 3600.0, axis=1, colour=COLOURS[2])]
    best = departure_words(study, float(found.departure[found.best]))
    zero = '' if study.zero is None else f' after {study.zero:%Y-%m-%d %H:%M %Z}'
    return chart_options(ChartAxis(f'departure, h{zero}'), [WATT_HOURS, HOURS], lines,
                         [ChartLevel('best', float(hours[found.best]), True)]), f'Least energy: {best}.'


def legs_table(study: MissionStudy, knots: bool) -> str:
    """Return the table of legs as HTML."""
    heads = [*(LEG_HEADS if study.charge is not None else LEG_HEADS[:-1]), *(['lowest V'] if study.pack else [])]
    number = study.legs.length.size
    rows = []
    for leg in range(min(number, ROWS)):
        row = leg_row(study, leg, partial(speed_in, knots=knots))
        rows.append((row.name, *(f'{first} ({second})' if second else first for first, second in row.cells),
                     '' if row.feasible else 'cannot'))
    more = f'<p class="note">and {number - ROWS} more; the downloaded figures have all</p>' if number > ROWS else ''
    return titled('Legs', table_html('Legs', [*heads, ''], rows, is_cards=True)) + more


def speeds_table(study: MissionStudy, knots: bool) -> str:
    """Return the table of speeds as HTML; empty if there are none."""
    found = [_in_one_unit(row, knots) for row in speed_table(study)]
    if not found:
        return ''
    note = f'<p class="note">{markup(speed_note(study))}</p>' if speed_note(study) else ''
    return titled(SPEEDS, table_html(SPEEDS, found[0], found[1:], words=[len(found[0]) - 1])) + note


def _in_one_unit(row: tuple[str, ...], knots: bool) -> tuple[str, ...]:
    """Return a row of `speed_table`, which begins with m/s and knots, without the one; words for no speed stay."""
    return (row[1] if knots and row[1] else row[0], *row[2:])


def departures_table(study: MissionStudy) -> str:
    """Return the table of departures as HTML; empty if there are none, or all cost the same."""
    found = study.departures
    if found is None or not found.changing:
        return ''
    step = math.ceil(found.departure.size / ROWS)
    rows = [(departure_words(study, float(found.departure[one])), takes(found, one),
             fixed(found.energy[one] / JOULES_PER_WH, 2), VERDICTS[departure_verdict(study, one)],
             'best' if one == found.best else '')
            for one in range(found.departure.size) if one % step == 0 or one == found.best]
    return titled('Departures', table_html('Departures', ('departs', 'takes', 'Wh', '', ''), rows))


def causes_table(study: MissionStudy) -> str:
    """Return the table of causes and loads as HTML."""
    if not study.is_possible:
        return ''
    bars = cause_bars(study)
    rows = [*((bar.name, bar.energy, bar.share) for bar in bars), *load_rows(study)]
    return titled(BY_CAUSE, table_html(BY_CAUSE, ('cause', 'Wh', '%'), rows, keys=[bar.key for bar in bars]))


def notes_of(study: MissionStudy, itinerary: Any, knots: bool) -> str:
    """Return what would help, what of the file was ignored, and what is taken for granted, as HTML."""
    parts = [(help_title(study), list(helpful(study)) if study.advice is not None else []),
             ('Of the file', [*itinerary.remarks, *ignored_commands(itinerary), *study.scenario.remarks]),
             ('Taken for granted', [f'{name}: {text}' for name, text in assumption_rows(study)])]
    said = ((title, [speeds_in(row, knots) for row in rows]) for title, rows in parts if rows)
    return ''.join(titled(title, list_html(rows)) for title, rows in said)


class Variant(NamedTuple):
    """One of two variants: its title, what was entered, in words, and its study."""

    title: str
    entered: str
    study: MissionStudy


def comparison_table(kept: Variant, now: Variant) -> str:
    """Return two variants side by side as HTML."""
    def cells(side: Variant) -> list[tuple[str, str, float]]:
        study = side.study
        charge = math.nan if study.charge is None else 100.0 * charge_left(float(study.charge[-1]))
        return [('verdict', VERDICTS[study.verdict], math.nan),
                ('length', metres(float(study.legs.length.sum())), math.nan),
                ('time', time_words(study) if study.is_possible else '-', study.time),
                ('energy', energy_words(study) if study.is_possible else '-', study.energy / JOULES_PER_WH),
                ('charge at the end', f'{charge:.1f} %' if math.isfinite(charge) else '-', charge),
                ('entered', side.entered, math.nan)]

    def difference(name: str, change: float) -> str:
        if not math.isfinite(change):
            return ''
        if name == 'time':
            return f'{"-" if change < 0.0 else "+"}{seconds(abs(change))}'
        return f'{formatted(change, "+.3g")} {"Wh" if name == "energy" else "points"}'

    rows = [(name, before, after, difference(name, b - a))
            for (name, before, a), (_, after, b) in zip(cells(kept), cells(now))]
    return titled(VARIANTS, table_html(VARIANTS, ('', kept.title, now.title, 'difference'), rows, words=(1, 2)))
