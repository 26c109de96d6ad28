"""The page of a route: the way and those beside it, legs and departures, as one HTML file that opens offline."""

import math
from pathlib import Path

from ...files.whole_file import write_text
from ...physics.battery import JOULES_PER_WH
from ...planning.mission_study import GO, NO_BATTERY, NO_GO
from ...routes.route_study import RouteStudy
from ..rounding import metres, seconds
from ..text.mission_words import VERDICTS, words_of_flow
from ..text.route_text import (
    choice_rows,
    departure_rows,
    forecast_rows,
    front_rows,
    gap_words,
    leg_rows,
    notes,
    places_words,
    route_figures,
    simulated_words,
    verdict_reason,
    waves_words,
)
from ..text.sea_text import sea_words
from .page_svg import picture
from .page_template import Tile, rendered
from .route_drawings import route_drawings

CLASSES = {GO: 'go', NO_GO: 'no', NO_BATTERY: 'unsure'}


def write_route_page(study: RouteStudy, path: Path) -> None:
    """Write a route's page as an HTML file: whole, or not at all (OSError)."""
    write_text(route_page_html(study), path)


def route_page_html(study: RouteStudy) -> str:
    """Return a route's page as HTML."""
    figures = route_figures(study)
    figures.pop('route')
    tables = {name: list(rows) for name, rows in (
        ('choices', choice_rows(study)), ('legs', leg_rows(study)),
        ('departures', departure_rows(study) if study.departures is not None else ()),
        ('front', front_rows(study) if study.front is not None else ()),
        ('forecasts', forecast_rows(study) if study.forecasts is not None else ()))}
    return rendered(
        'route.html.j2', title=f'Route of {study.boat.name}', subtitle=[places_words(study), *_when(study)],
        pictures={one.name: picture(one) for one in route_drawings(study)}, verdict=VERDICTS[study.battery.verdict],
        verdict_class=CLASSES[study.battery.verdict], reason=verdict_reason(study), tiles=_tiles(study),
        notes=list(notes(study)), figures=figures, **tables)


def _when(study: RouteStudy) -> list[str]:
    return [f"departs at {seconds(float(study.route.time[0]))} of the flow's time"] if study.route.time[0] else []


def _tiles(study: RouteStudy) -> list[Tile]:
    tiles = [Tile(f'{study.energy / JOULES_PER_WH:.3g} Wh', 'energy'), Tile(seconds(study.route.duration), 'time'),
             Tile(metres(study.route.length), 'over ground'),
             Tile(f'{study.energy / max(study.route.duration, 1e-9):.3g} W', 'mean power')]
    if study.battery.charge is not None:
        tiles.append(Tile(f'{100.0 * study.battery.charge[-1]:.1f} %', 'charge at the end'))
    if math.isfinite(study.gap):
        tiles.append(Tile(f'{100.0 * study.gap:.2g} %', gap_words(study)))
    if study.simulated is not None:
        tiles.append(Tile(f'{100.0 * study.off_promise:+.1f} %', f'simulated: {simulated_words(study)}'))
    flows = (('current', study.problem.current), ('wind', study.problem.wind))
    if (sea := study.boat.vessel.sea) is not None:
        tiles += [Tile(waves_words(study).partition(' against')[0], f'by waves: {waves_words(study)}'),
                  Tile(f'Hs {sea.height:g} m', f'sea: {sea_words(sea)}')]
    return [*tiles, *(_flow_tile(getattr(flow, 'name', None) or words_of_flow(flow), name) for name, flow in flows)]


def _flow_tile(words: str, name: str) -> Tile:
    speed, _, towards = words.partition(' to ')
    return Tile(speed, f'{name}, to {towards}' if towards else name)
