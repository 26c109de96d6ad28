"""The page of a route and its pictures: ways on the flow, speeds, energy by time and departure."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from usv_energy.files.text_file import write_text
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.show.figure import GREEN, VERMILION
from usv_energy.show.figure import picture as drawn_png
from usv_energy.show.page.drawn_lines import DrawnLines, departure_lines, draw_lines, time_unit
from usv_energy.show.page.page_parts import (
    ACCENT,
    GRID,
    INK,
    MUTED,
    NARROW,
    PAPER,
    Drawing,
    Size,
    Tile,
    picture,
    rendered,
)
from usv_energy.show.text_table import formatted, metres, percent, seconds, shortened
from usv_energy.studies.mission.mission_page import CLASSES, cost_tiles
from usv_energy.studies.mission.mission_pictures import (
    TITLE_LETTERS,
    scale_length,
)
from usv_energy.studies.mission.mission_words import VERDICTS, flow_time_words
from usv_energy.studies.plan.boat_in_sea import sea_words
from usv_energy.studies.route.route_problem import Route, RouteProblem
from usv_energy.studies.route.route_study import CHEAPEST, FASTEST, SHORTEST, STRAIGHT, RouteStudy
from usv_energy.studies.route.route_text import (
    choice_rows,
    departure_rows,
    departures_head,
    forecast_rows,
    front_rows,
    gap_words,
    leg_rows,
    notes,
    places_words,
    route_figures,
    route_reason,
    simulated_words,
    summary,
    waves_words,
    words_of_medium,
)
from usv_energy.studies.route.search.hop_search import ReachedCost, reached_cost

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


WIDE = 860              # px
MARGIN = 0.15           # around the routes, of their extent
ARROWS = 17, 9          # of the flow, along the longer side of a wide and a narrow map
CELLS = 240             # of the image of closed places, along its longer side
PASSED = 6              # times that are written along the route
POINTS = 600            # of a route, at most
TITLE = 78              # px: above the picture
FRAME, LEGEND_ROW = 6.0, 30.0   # px
LABEL, LABEL_OFFSET = (74.0, 22.0), (7.0, 8.0)     # px: the room of a time along the route, and its place beside it
SCALE_WORDS = 4         # such rooms that the words at the scale bar take
COLOURS = {CHEAPEST: ACCENT, FASTEST: VERMILION, STRAIGHT: GREEN, SHORTEST: GREEN}
REACHED = 8             # lines of equal time or energy up to the goal, about
LINES = {CHEAPEST: '-', FASTEST: '-', STRAIGHT: '--', SHORTEST: '--'}


class DrawnWay(NamedTuple):
    """A route to be drawn: its name, colour, line style and width, and the route itself."""

    name: str
    colour: str
    line: str
    width: float
    route: Route


class RouteMap(NamedTuple):
    """Routes to draw, the chosen one first; the problem; xmin, ymin, xmax, ymax, m, of the map; the reached costs."""

    ways: tuple[DrawnWay, ...]
    problem: RouteProblem
    extent: tuple[float, float, float, float]
    reached: ReachedCost | None = None


def route_drawings(study: RouteStudy) -> Iterator[Drawing]:
    """Yield the drawings of a route's page."""
    ways = ways_of(study)
    extent = _extent([way.route for way in ways])
    reached = reached_cost(study.problem, study.route) if len(study.goals) < 2 else None
    height = int(np.clip(WIDE * (extent[3] - extent[1]) / (extent[2] - extent[0]), 320, 620))
    yield Drawing('ways', 'Map of the ways, north up, with the current when the boat is near', draw_map,
                  RouteMap(ways, study.problem, extent, reached), Size(WIDE, height, False),
                  Size(NARROW, int(np.clip(1.3 * NARROW * height / WIDE + 120, 300, 470)), True))
    yield Drawing('speeds', 'Speeds through the water and over ground over time', draw_lines, speeds_of(study.route),
                  Size(WIDE, 270, False), Size(NARROW, 290, True))
    yield Drawing('energies', 'Energy so far over time, of each way', draw_lines, energies_of(ways),
                  Size(WIDE, 290, False), Size(NARROW, 300, True))
    if study.front is not None:
        yield Drawing('front', 'Energy by arrival time, from the least time to the least energy', draw_lines,
                      front_of(study), Size(WIDE, 290, False), Size(NARROW, 300, True))
    if study.departures is not None:
        yield Drawing('departures', 'Energy by time of departure', draw_lines, departures_of(study),
                      Size(WIDE, 270, False), Size(NARROW, 290, True))


def ways_of(study: RouteStudy) -> tuple[DrawnWay, ...]:
    """Return the routes to draw, the chosen one first, each once."""
    from usv_energy.studies.route.route_text import KINDS
    ways: list[DrawnWay] = []
    kind = next((choice.kind for choice in study.choices if choice.route is study.route), CHEAPEST)
    ways.append(DrawnWay(f'route: {KINDS[kind]}', COLOURS.get(kind, ACCENT), '-', 4.5, study.route))
    for choice in study.choices:
        if choice.route is not None and choice.route is not study.route:
            ways.append(DrawnWay(KINDS[choice.kind], COLOURS.get(choice.kind, MUTED), LINES.get(choice.kind, '-.'), 2.2,
                                 choice.route))
    return tuple(ways)


def _extent(routes: list[Route]) -> tuple[float, float, float, float]:
    x, y = (np.concatenate([getattr(route, name) for route in routes]) for name in 'xy')
    pad = MARGIN * max(float(np.ptp(x)), float(np.ptp(y)), 1.0)
    return float(x.min() - pad), float(y.min() - 1.3 * pad), float(x.max() + pad), float(y.max() + pad)


def _fitted(extent: tuple[float, float, float, float], size: Size) -> tuple[float, float, float, float]:
    """Return an extent grown to fill a picture below its legend."""
    xmin, ymin, xmax, ymax = extent
    ratio = (size.width - 2.0 * FRAME) / (size.height - (LEGEND_ROW * 4 if size.narrow else LEGEND_ROW))
    wider, higher = (max(0.0, 0.5 * more) for more in (ratio * (ymax - ymin) - (xmax - xmin),
                                                       (xmax - xmin) / ratio - (ymax - ymin)))
    return xmin - wider, ymin - higher, xmax + wider, ymax + higher


def speeds_of(route: Route) -> DrawnLines:
    """Return the speeds of a route over time."""
    unit, label = time_unit(route.duration)
    ground = np.hypot(np.diff(route.x), np.diff(route.y)) / np.diff(route.time)
    time = np.repeat(route.time - route.time[0], 2)[1:-1] / unit
    return DrawnLines((('through the water', time, np.repeat(route.speed, 2), ACCENT, '-'),
                       ('over ground', time, np.repeat(ground, 2), GREEN, '--')), f'Time, {label}', 'Speed, m/s',
                      from_zero=True)


def energies_of(ways: tuple[DrawnWay, ...]) -> DrawnLines:
    """Return the energy so far of each route over time."""
    unit, label = time_unit(max(way.route.duration for way in ways))
    return DrawnLines(tuple((way.name, (way.route.time - way.route.time[0]) / unit,
                        (way.route.energy - way.route.energy[0]) / JOULES_PER_WH, way.colour, way.line)
                       for way in ways), f'Time since each departure, {label}', 'Energy so far, Wh')


def front_of(study: RouteStudy) -> DrawnLines:
    """Return the front of energy over arrival time, with the chosen route marked."""
    front = study.front
    assert front is not None
    unit, label = time_unit(float(front.duration[-1]))
    straight = next((choice.route for choice in study.choices if choice.kind == STRAIGHT), None)
    lines = [('front', front.duration / unit, front.energy / JOULES_PER_WH, ACCENT, 'o-')]
    if straight is not None:
        lines.append(('straight, at one speed', np.array([straight.duration / unit]),
                      np.array([straight.energy[-1] / JOULES_PER_WH]), GREEN, 's'))
    return DrawnLines(tuple(lines), f'Time under way, {label}', 'Energy, Wh',
                      (study.route.duration / unit, study.route_energy / JOULES_PER_WH), 'this route')


def departures_of(study: RouteStudy) -> DrawnLines:
    """Return the energy by departure, with the chosen one marked."""
    found, spare = study.departures, math.nan if study.plan is None else study.plan.spare
    assert found is not None
    return departure_lines(found.departure, found.energy, np.isfinite(found.energy), found.best, spare, study.zero)


def draw_map(figure: 'Figure', size: Size, shown: RouteMap) -> None:
    """Draw the routes, closed places, and the current at the time when the boat is nearest."""
    axes = figure.subplots()
    shown = shown._replace(extent=_fitted(shown.extent, size))
    xmin, ymin, xmax, ymax = shown.extent
    axes.set(xlim=(xmin, xmax), ylim=(ymin, ymax), xticks=[], yticks=[])
    axes.set_aspect('equal', adjustable='box')
    _draw_closed(axes, shown)
    per_metre = (size.width - 2.0 * FRAME) / (xmax - xmin)
    bar = np.array((xmin + 0.03 * (xmax - xmin), ymin + 0.05 * (ymax - ymin))) * per_metre
    labels = [bar + np.array(LABEL) * (share, 0.5) for share in np.arange(SCALE_WORDS) + 0.5]
    labels += _mark(axes, shown, per_metre)
    if shown.reached is not None:
        labels = _draw_reached(axes, size, shown, shown.reached, labels, per_metre)
    most = _draw_flow(axes, size, shown, labels, per_metre)
    for way in shown.ways[::-1]:
        step = max(1, way.route.x.size // POINTS)
        rows = np.unique(np.append(np.arange(0, way.route.x.size, step), way.route.x.size - 1))
        axes.plot(way.route.x[rows], way.route.y[rows], color=way.colour, linestyle=way.line, linewidth=way.width,
                  label=way.name, solid_capstyle='round',   # Of several along one line all are seen: dashes on top.
                  zorder=2.9 if way is shown.ways[0] else 3.0 if way.line == '-' else 3.1)
    _draw_scale(axes, size, shown, most)
    for spine in axes.spines.values():
        spine.set(visible=True, color=GRID)
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc='lower left', bbox_to_anchor=(-0.01, 1.0),
                ncol=1 if size.narrow else 4, borderaxespad=0.2, handlelength=2.4, columnspacing=1.4)


def _grid(extent: tuple[float, float, float, float], number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the centres of square cells over an extent, m, with a given number along its longer side; (ny, nx)."""
    width, height = extent[2] - extent[0], extent[3] - extent[1]
    cell = max(width, height) / number
    columns, rows = max(2, round(width / cell)), max(2, round(height / cell))
    x, y = np.meshgrid(extent[0] + width * (np.arange(columns) + 0.5) / columns,
                       extent[1] + height * (np.arange(rows) + 0.5) / rows)
    return x, y


def _draw_closed(axes: 'Axes', shown: RouteMap) -> None:
    """Draw closed places, by their outlines, and places that are dry at the departure, in grey."""
    xmin, ymin, xmax, ymax = shown.extent
    cell = max(xmax - xmin, ymax - ymin) / CELLS
    x, y = _grid((xmin - cell, ymin - cell, xmax + cell, ymax + cell), CELLS)
    problem, places = shown.problem, (x.ravel(), y.ravel())
    dry = ~problem.current.velocity(shown.ways[0].route.time[0], *places)[2]
    apart = np.clip(problem.barriers.distance(*places), -1.5 * cell, 1.5 * cell)    # Between cells it is about linear.
    apart = np.where(dry, np.minimum(apart, -0.75 * cell), apart).reshape(x.shape)
    if (apart < 0.0).any():
        axes.contourf(x, y, apart, levels=[-2.0 * cell, 0.0], colors=[GRID], zorder=0.5)
        axes.contour(x, y, apart, levels=[0.0], colors=[MUTED], linestyles='solid', linewidths=0.8, zorder=0.6)


def _draw_flow(axes: 'Axes', size: Size, shown: RouteMap, labels: list[np.ndarray], per_metre: float) -> float:
    """
    Draw the current at the time when the boat is nearest, and return its highest speed, m/s.

    :param labels: The middles of labels, px of the map, over which no arrow goes.
    """
    x, y = (part.ravel() for part in _grid(shown.extent, ARROWS[size.narrow]))
    route = shown.ways[0].route
    step = max(1, route.x.size // 200)
    nearest = np.argmin(np.hypot(x[:, None] - route.x[None, ::step], y[:, None] - route.y[None, ::step]), axis=1)
    time = route.time[::step][nearest]
    vx, vy = np.full(x.size, np.nan), np.full(x.size, np.nan)
    for at in np.unique(time):
        rows = np.flatnonzero(time == at)
        vx[rows], vy[rows], _ = shown.problem.current.velocity(float(at), x[rows], y[rows])
    speed = np.hypot(vx, vy)
    most = float(np.nanmax(speed, initial=0.0))
    if most > 0.0:
        cell = (shown.extent[2] - shown.extent[0]) / len(np.unique(x))
        scale = most / (0.85 * cell)
        half = np.abs(np.column_stack((vx, vy))) * (0.5 * per_metre / scale) + 0.5 * np.array(LABEL)
        known = (np.isfinite(speed) & ~_over_land(shown, x, y, vx / scale, vy / scale)
                 & ~_covered(np.column_stack((x, y)) * per_metre, labels, half))
        axes.quiver(x[known], y[known], vx[known], vy[known], color=MUTED, angles='xy', scale_units='xy', scale=scale,
                    width=0.0022 if not size.narrow else 0.005, pivot='middle', zorder=1.5)
    return most


def _over_land(shown: RouteMap, x: np.ndarray, y: np.ndarray, along_x: np.ndarray, along_y: np.ndarray) -> np.ndarray:
    """Return which arrows about places, m, have their middle or an end on closed or dry places; arrays of (n,)."""
    over = np.zeros(x.size, dtype=bool)
    for share in (-0.5, 0.0, 0.5):
        there = x + share * np.nan_to_num(along_x), y + share * np.nan_to_num(along_y)
        over |= (shown.problem.barriers.blocked(*there)
                 | ~shown.problem.current.velocity(shown.ways[0].route.time[0], *there)[2])
    return over


def _draw_reached(axes: 'Axes', size: Size, shown: RouteMap, reached: ReachedCost, labels: list[np.ndarray],
                  per_metre: float) -> list[np.ndarray]:
    """
    Draw lines of equal least time, or energy, from the start, each labelled where no way and no other label is.

    :param labels: The middles of the labels of the way, px of the map; with those of the lines they are returned.
    """
    unit, label = time_unit(reached.goal) if reached.of_time else (JOULES_PER_WH, 'Wh')
    step = scale_length(reached.goal / unit / REACHED * (2.0 if size.narrow else 1.0) * 2.0)
    levels = step * np.arange(1, 4 * REACHED)
    lines = axes.contour(reached.x, reached.y, reached.cost / unit, levels=levels, colors=[MUTED], linewidths=1.5,
                         linestyles='dotted', zorder=1.2)
    low, high = np.array(shown.extent).reshape(2, 2) * per_metre
    half = 0.5 * np.array(LABEL)
    ways = np.concatenate([_closely(way.route, per_metre) for way in shown.ways])
    for level, parts in zip(levels, lines.allsegs, strict=True):
        places = np.concatenate([np.zeros((0, 2)), *parts]) * per_metre
        inside = ((low + half < places) & (places < high - half)).all(axis=1)
        free = places[inside & ~_covered(places, labels, 2.0 * half) & ~_covered(places, ways, half)]
        if free.size:
            middle = free[np.argmin(np.hypot(*(free - 0.5 * (low + high)).T))]
            labels = [*labels, middle]
            x, y = (middle / per_metre).tolist()
            axes.text(x, y, f'{level:g} {label}', ha='center', va='center', color=MUTED, fontsize=9.5,
                      zorder=1.3, bbox={'boxstyle': 'round,pad=0.1', 'facecolor': PAPER, 'edgecolor': 'none'})
    return labels


def _closely(route: Route, per_metre: float) -> np.ndarray:
    """Return places along a route, px of the map, a few px from each other; (n, 2)."""
    places = np.column_stack((route.x, route.y)) * per_metre
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))])
    at = np.linspace(0.0, along[-1], max(2, int(along[-1] / 4.0)))
    return np.column_stack([np.interp(at, along, part) for part in places.T])


def _covered(places: np.ndarray, others: Sequence[np.ndarray] | np.ndarray, half: np.ndarray) -> np.ndarray:
    """Return which places, (n, 2), have any of some others nearer than `half`, (2,) or (n, 2), across and up; px."""
    gaps = np.abs(places[:, None, :] - np.reshape(others, (-1, 2))[None])
    return np.asarray((gaps < np.reshape(half, (-1, 1, 2))).all(axis=2).any(axis=1))


def _mark(axes: 'Axes', shown: RouteMap, per_metre: float) -> list[np.ndarray]:
    """Mark start and goal, and times along the route where there is room; return the labels' middles, px of the map."""
    labels: list[np.ndarray] = []
    route, low, high = shown.ways[0].route, *np.array(shown.extent).reshape(2, 2) * per_metre
    ways = np.concatenate([_closely(way.route, per_metre) for way in shown.ways])
    axes.plot(route.x[0], route.y[0], 'o', color=INK, markersize=9, zorder=4)
    axes.plot(route.x[-1], route.y[-1], 's', color=PAPER, markeredgecolor=INK, markeredgewidth=2.0, markersize=9,
              zorder=4)
    for share in (np.arange(PASSED - 1) + 1.0) / PASSED:
        at = route.time[0] + share * route.duration
        place = float(np.interp(at, route.time, route.x)), float(np.interp(at, route.time, route.y))
        axes.plot(*place, 'o', color=PAPER, markeredgecolor=INK, markersize=6, zorder=4)
        beside = [np.array(place) * per_metre + (side * (LABEL_OFFSET[0] + 0.5 * LABEL[0]), LABEL_OFFSET[1])
                  for side in (1.0, -1.0)]
        free = [bool((abs(2.0 * one[0] - low[0] - high[0]) + LABEL[0] < high[0] - low[0])
                     and not _covered(one[None], labels, np.array(LABEL))[0]
                     and not _covered(one[None] + (0.0, 0.3 * LABEL[1]), ways, np.array(LABEL) * (0.5, 0.35))[0])
                for one in beside]
        if not any(free):
            continue
        at_right = free[0]
        labels.append(beside[0 if at_right else 1])
        value = share * route.duration
        words = f'{value // 60.0:.0f} min {value % 60.0:02.0f} s' if 60.0 <= value < 100.0 else seconds(value)
        axes.annotate(words, place, xytext=(LABEL_OFFSET[0] * (1.0 if at_right else -1.0), LABEL_OFFSET[1]),
                      textcoords='offset points', ha='left' if at_right else 'right', color=INK, fontsize=11, zorder=5,
                      bbox={'boxstyle': 'round,pad=0.15', 'facecolor': PAPER, 'edgecolor': 'none', 'alpha': 0.75})
    return labels


def _draw_scale(axes: 'Axes', size: Size, shown: RouteMap, most: float) -> None:
    """Draw a scale bar and a reference arrow."""
    xmin, ymin, xmax, ymax = shown.extent
    length = scale_length((xmax - xmin) * (0.4 if size.narrow else 0.25))
    x, y = xmin + 0.03 * (xmax - xmin), ymin + 0.05 * (ymax - ymin)
    axes.plot([x, x + length], [y, y], color=INK, linewidth=2.5, solid_capstyle='butt', zorder=4)
    words = f'{length:g} m' if length < 1000.0 else f'{length / 1000.0:g} km'
    current = f'; current to {most:.2g} m/s' if most > 0.0 and math.isfinite(most) else ''
    axes.annotate(f'{words}{current}; north is up', (x, y), xytext=(0, 5), textcoords='offset points', color=INK,
                  fontsize=11.5, zorder=5,
                  bbox={'boxstyle': 'round,pad=0.1', 'facecolor': PAPER, 'edgecolor': 'none', 'alpha': 0.75})


def write_route_page(study: RouteStudy, path: Path) -> None:
    """Write a route's page as an HTML file: whole, or not at all (OSError)."""
    write_text(route_page_html(study), path)


def plot_route(study: RouteStudy, path: Path) -> None:
    """Draw the map of a route's page into a PNG, with its verdict. Raises OSError if it cannot be written."""
    drawing = next(route_drawings(study))
    size = drawing.wide
    with drawn_png(path, size.width / 72.0, (size.height + TITLE) / 72.0) as figure:
        verdict = shortened(f'{VERDICTS[study.verdict]}: {route_reason(study)}', TITLE_LETTERS)
        said = dict(summary(study))
        when = f'{said["time"].partition(", ")[2]};  current {said["current"]};  wind {said["wind"]}'
        figure.suptitle(f'{study.boat.name}: {formatted(study.energy / JOULES_PER_WH)} Wh in '
                        f'{seconds(study.time)}\n{verdict}\n{shortened(when, TITLE_LETTERS)}',
                        x=0.012, ha='left', fontsize=12)
        draw_map(figure, size, drawing.shown)


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
        pictures={one.name: picture(one) for one in route_drawings(study)}, verdict=VERDICTS[study.verdict],
        verdict_class=CLASSES[study.verdict], reason=route_reason(study), tiles=_tiles(study),
        notes=list(notes(study)), figures=figures, departures_head=departures_head(study), **tables)


def _when(study: RouteStudy) -> list[str]:
    begin, end = (flow_time_words(study.zero, float(study.legs.time[0]) + later) for later in (0.0, study.time))
    if study.zero is not None:
        return [f'departs {begin}, arrives {end}']
    return [f"departs at {begin} of the flow's time"] if study.route.time[0] else []


def _tiles(study: RouteStudy) -> list[Tile]:
    tiles = [Tile(metres(study.route.length), 'over ground')]
    if study.plan is not None and study.plan.is_possible:
        tiles = cost_tiles(study.plan, tiles)
    else:
        tiles = [Tile(f'{formatted(study.energy / JOULES_PER_WH)} Wh', 'energy'), Tile(seconds(study.time), 'time'),
                 *tiles, Tile(f'{formatted(study.energy / max(study.time, 1e-9))} W', 'mean power')]
    if math.isfinite(study.gap):
        tiles.append(Tile(f'{formatted(100.0 * study.gap, ".2g")} %', gap_words(study)))
    if study.simulated is not None:
        tiles.append(Tile(percent(study.simulation_error, 1), f'simulated: {simulated_words(study)}'))
    flows = (('current', study.problem.current), ('wind', study.problem.wind))
    if (sea := study.boat.vessel.sea) is not None:
        tiles += [Tile(waves_words(study).partition(' against')[0], f'by waves: {waves_words(study)}'),
                  Tile(f'Hs {sea.height:g} m', f'sea: {sea_words(sea)}')]
    return [*tiles, *(_flow_tile(words_of_medium(flow, name), name) for name, flow in flows)]


def _flow_tile(words: str, name: str) -> Tile:
    speed, _, way = words.partition(' (')
    return Tile(speed, f'{name}, {way.partition(") ")[2]}' if way else name)
