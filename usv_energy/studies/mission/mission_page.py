"""The page of a mission's study: one HTML file that opens offline."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_remarks import lacks_for_range
from usv_energy.earth import LocalPlane, compass_text
from usv_energy.files.text_file import write_text
from usv_energy.flow.analytic import UniformFlow
from usv_energy.phrases import flow_words
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.powering.energy import CAUSES as KEYS
from usv_energy.show.causes import CAUSES
from usv_energy.show.page.page_parts import Tile, picture, rendered
from usv_energy.show.text_table import (
    charge_ends,
    charge_text,
    fixed,
    formatted,
    interval,
    metres,
    metres_per_second,
    seconds,
    shortened,
)
from usv_energy.studies.mission.mission_battery import GO, NO_BATTERY, NO_GO, UNSURE, battery_energy
from usv_energy.studies.mission.mission_pictures import mission_drawings, places_along
from usv_energy.studies.mission.mission_study import MissionStudy, departure_verdict
from usv_energy.studies.mission.mission_study_text import DEPARTURES_EQUAL, land_words, mission_study_figures, takes
from usv_energy.studies.mission.mission_text import ignored_commands
from usv_energy.studies.mission.mission_words import (
    MEDIA,
    VERDICTS,
    assumption_rows,
    broken_off_words,
    departs_words,
    departure_words,
    help_title,
    helpful,
    is_shown,
    order_words,
    reserve_words,
    speed_note,
    speed_table,
    time_doubt,
    unheld_words,
    verdict_reason,
    words_of_flow,
)
from usv_energy.studies.plan.boat_in_sea import sea_line, sea_notes

ROWS = 300              # legs, places and departures, at most, in the tables and the embedded figures of the page
CLASSES = {GO: 'go', NO_GO: 'no', UNSURE: 'unsure', NO_BATTERY: 'unsure'}
LEG_HEADS = ('leg', 'distance', 'course', 'speed', 'stay', 'arrival', 'energy, Wh', 'charge, %')


class CauseBar(NamedTuple):
    """A cause of energy as texts; `width`: of its bar, as a share of the widest one."""

    key: str
    name: str
    energy: str
    share: str
    width: str


class LegRow(NamedTuple):
    """A leg as texts: its number and name, and a cell per column, each with a second line, which may be empty."""

    name: str
    cells: tuple[tuple[str, str], ...]
    feasible: bool


def write_mission_page(study: MissionStudy, path: Path) -> None:
    """Write a mission's page as an HTML file: whole, or not at all (OSError)."""
    write_text(mission_page_html(study), path)


def mission_page_html(study: MissionStudy) -> str:
    """Return a mission's page as HTML."""
    itinerary = study.mission.itinerary
    pictures = {one.name: picture(one) for one in mission_drawings(study)}
    figures = mission_study_figures(study)
    more = max(0, study.legs.length.size - ROWS)
    figures['legs'] = figures['legs'][:ROWS]
    heads = (*(LEG_HEADS if study.charge is not None else LEG_HEADS[:-1]),
             *(() if study.pack is None else ('lowest V',)))
    return rendered(
        'mission.html.j2', title=f'Mission {study.scenario.name}', subtitle=_subtitle(study), pictures=pictures,
        verdict=VERDICTS[study.verdict], verdict_class=CLASSES[study.verdict], margin=margin_words(study),
        reason=verdict_reason(study), doubt=_doubt(study),
        limits=[*([lacking] if (lacking := lacks_for_range(study.scenario.boat)) else []),
                *([f'{words}.'] if (words := broken_off_words(study)) else []), *land_words(study),
                *reserve_words(study)],
        speeds=speed_table(study), speed_note=speed_note(study), tiles=_tiles(study), heads=heads,
        legs=[leg_row(study, number) for number in range(min(study.legs.length.size, ROWS))], more=more,
        causes=cause_bars(study), loads=load_rows(study), advice=list(helpful(study)),
        help_title=help_title(study), order=order_words(study),
        departures=_departures(study),
        same=DEPARTURES_EQUAL if study.departures is not None and not study.departures.changing else '',
        places=list(place_rows(study)), ignored=list(ignored_commands(itinerary)),
        remarks=list(itinerary.remarks), assumptions=list(assumption_rows(study)), figures=figures)


def _subtitle(study: MissionStudy) -> list[str]:
    departs = [said] if (said := departs_words(study)) else []
    sea = study.scenario.boat.vessel.sea
    waves = [] if sea is None else [sea_line(sea), *sea_notes(sea)]
    return [f'boat {study.scenario.boat.name}', *departs, *waves, str(study.scenario.path)]


def margin_words(study: MissionStudy) -> str:
    """Return the energy beyond the reserve, or short of it, in % of the battery and Wh; empty after a brown-out."""
    if study.charge is None or not study.is_possible or (
            study.pack is not None and study.pack.brown_out is not None):
        return ''
    capacity = battery_energy(study.scenario) / JOULES_PER_WH
    spare = float(study.charge[-1]) - study.reserve
    words = f'{100.0 * abs(spare):.1f} % of the battery ({formatted(capacity * abs(spare))} Wh)'
    ends = study.charge_bands
    beyond, band = spare >= 0.0, ''
    if ends is not None:
        low, high = 100.0 * (ends[:, -1] - study.reserve)
        band = (f'; 95 %: {-low:.1f} % short to {high:.1f} % beyond' if low < 0.0 <= high else
                f'; 95 %: {interval(sorted((abs(low), abs(high))), form=".1f")} %')
    return f'{words} {"beyond" if beyond else "short of"} the reserve of {100.0 * study.reserve:.0f} %{band}'


def cost_tiles(study: MissionStudy, way: list[Tile]) -> list[Tile]:
    """Return the tiles of energy, time, power and charge, with their intervals; `way`: those that stand among them."""
    bands = study.bands
    tiles = [Tile(f'{formatted(study.energy / JOULES_PER_WH)} Wh', 'energy' if bands is None else
                  f'energy; 95 %: {interval(bands.so_far[:, -1], 1.0 / JOULES_PER_WH)} Wh'),
             Tile(seconds(study.time), _time_meaning(study)), *way,
             Tile(f'{formatted(study.energy / study.time)} W', 'mean power')]
    if study.charge is not None:
        ends = study.charge_bands
        tiles.append(Tile(f'{charge_text(study.charge[-1])} %', 'charge at the end' if ends is None else
                          f'charge at the end; 95 %: {charge_ends(ends[:, -1])} %'))
    return tiles


def _tiles(study: MissionStudy) -> list[Tile]:
    legs = study.legs
    tiles = [Tile(metres(float(legs.length.sum())), f'{legs.length.size} leg{"s" if legs.length.size > 1 else ""}')]
    flows = ('current', study.scenario.current), ('wind', study.scenario.wind)
    return [*(cost_tiles(study, tiles) if study.is_possible else tiles),
            *(_flow_tile(study, name, flow) for name, flow in flows)]


def _doubt(study: MissionStudy) -> str:
    unheld = unheld_words(study)
    held = '' if not unheld else f'Time and energy are those of a boat {unheld}.' if study.is_possible else (
        f'There is {unheld}.')
    return ' '.join(words for words in (held, time_doubt(study)) if words)


def _time_meaning(study: MissionStudy) -> str:
    bands, hold = study.bands, float(study.legs.hold.sum())
    stays = f', {seconds(hold)} of it stays' if hold else ''
    if bands is None:
        return f'time{stays}'
    if bands.time_held:
        return f'time{stays}; certain, as speed is held'
    low, high = (seconds(float(end)) for end in bands.end[:, -1])
    return f'time{stays}; 95 %: {low} to {high}'


def _flow_tile(study: MissionStudy, name: str, flow: Any) -> Tile:
    if isinstance(flow, UniformFlow):
        x, y, what = flow.x, flow.y, name
    else:
        places = zip(*places_along(study, 20))
        found = [flow.velocity(float(t), np.array([x]), np.array([y])) for x, y, t in places]
        x, y = (float(np.nanmean([part[axis] for part in found])) for axis in (0, 1))
        what = f'{name}, mean on the way ({words_of_flow(flow, name)})'
    speed = math.hypot(x, y)
    if not speed > 0.0:
        return Tile('none', what)
    angle = math.atan2(y, x)
    way = flow_words(x, y, MEDIA[name]).partition(') ')[2]
    return Tile(f'{speed:.2f} m/s', f'{what}, {way}', -round(math.degrees(angle)))


def cause_bars(study: MissionStudy) -> list[CauseBar]:
    """Return the causes of the mission's energy, the largest first, without those below 0.05 %."""
    parts = [(cause, float(study.legs.energy[KEYS.index(cause.key)].sum())) for cause in CAUSES]
    seen = sorted((part for part in parts if is_shown(part[1], study.energy)), key=lambda part: -abs(part[1]))
    largest = max((abs(value) for _, value in seen), default=1.0)
    return [CauseBar(cause.key, cause.name, formatted(value / JOULES_PER_WH), f'{100.0 * value / study.energy:.1f} %',
                     f'{100.0 * max(value, 0.0) / largest:.2f}%') for cause, value in seen]


def load_rows(study: MissionStudy) -> list[tuple[str, str, str]]:
    """Return the loads as texts: name, energy, Wh, and share; empty if the boat's file has none."""
    if not study.is_possible:
        return []
    sums = zip(study.scenario.boat.load_names, study.legs.by_load.sum(axis=1).tolist())
    return [(name, formatted(value / JOULES_PER_WH), f'{100.0 * value / study.energy:.1f} %')
            for name, value in sums if is_shown(value, study.energy)]


def leg_row(study: MissionStudy, number: int, speed: Callable[[float], str] = metres_per_second) -> LegRow:
    """Return a leg as texts, by its number from 0 on; `speed`: from one in m/s to its words."""
    legs, bands, ends = study.legs, study.bands, study.charge_bands
    name = shortened(study.scenario.order_of(number).name or f'item {study.mission.items[number]}', 24)
    arrival, late = float(legs.end[number] - legs.hold[number]), ''
    if bands is not None and not bands.time_held:
        late = ' to '.join(seconds(float(end - legs.hold[number])) for end in bands.end[:, number])
    cells = [(metres(float(legs.length[number])), ''), (compass_text(float(legs.course[number]), "°"), ''),
             (speed(float(legs.speed[number])), ''),
             (seconds(float(legs.hold[number])) if legs.hold[number] else '', ''), (seconds(arrival), late),
             (formatted(legs.total[number] / JOULES_PER_WH),
              '' if bands is None else interval(bands.energy[:, number], 1.0 / JOULES_PER_WH))]
    if study.charge is not None:
        cells.append((charge_text(study.charge[number]), '' if ends is None else charge_ends(ends[:, number])))
    cannot = not legs.feasible[number]
    if study.pack is not None:
        cells.append((f'{study.pack.voltage[number]:.2f}', ''))
        cannot = cannot or (study.pack.brown_out is not None and study.pack.brown_out.leg == number)
    return LegRow(f'{number + 1}: {name}', tuple(cells), not cannot)


def _departures(study: MissionStudy) -> list[tuple[str, str, str, str, bool]]:
    found = study.departures
    if found is None or not found.changing:
        return []
    step = math.ceil(found.departure.size / ROWS)
    return [(departure_words(study, float(found.departure[number])), takes(found, number),
             fixed(found.energy[number] / JOULES_PER_WH, 2), VERDICTS[departure_verdict(study, number)],
             number == found.best)
            for number in range(found.departure.size) if number % step == 0 or number == found.best]


def place_rows(study: MissionStudy) -> Iterator[tuple[str, str]]:
    """Yield the waypoints' numbers and names, and their places: degrees if the mission has an origin, else metres."""
    scenario, origin = study.scenario, study.mission.origin
    points = np.array([scenario.start[:2], *scenario.waypoints], dtype=float)[:ROWS + 1]
    places = [f'x {x:.2f} m, y {y:.2f} m' for x, y in points.tolist()]
    if origin is not None:
        latitude, longitude = LocalPlane(origin).to_geodetic(*points.T)
        places = [f'{north:.6f}, {east:.6f}' for north, east in zip(latitude.tolist(), longitude.tolist())]
    yield 'start: home' if study.mission.itinerary.has_home else 'start', places[0]
    for number, place in enumerate(places[1:]):
        name = scenario.order_of(number).name
        yield f'{number + 1}{f": {shortened(name, 24)}" if name else ""}', place
