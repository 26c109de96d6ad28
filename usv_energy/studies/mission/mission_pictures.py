"""The pictures of a mission: its way coloured by power, the charge or energy along it, the cost by departure."""

import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from usv_energy.files.optional import optional
from usv_energy.flow.analytic import UniformFlow
from usv_energy.phrases import flow_words
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.show.causes import CAUSES
from usv_energy.show.figure import BLUE, GREY, LAND, VERMILION, picture, rows_of
from usv_energy.show.page.drawn_lines import departure_lines, draw_lines, time_unit
from usv_energy.show.page.page_parts import ACCENT, GRID, INK, LEVELS, NARROW, PAPER, RAMP, Drawing, Size
from usv_energy.show.text_table import formatted, seconds
from usv_energy.studies.mission.mission_battery import battery_energy, charge_at_ends, lines_to_empty
from usv_energy.studies.mission.mission_study import MissionStudy
from usv_energy.studies.mission.mission_words import MEDIA, VERDICTS, departs_words, verdict_reason, words_of_flow
from usv_energy.studies.plan.boat_in_sea import sea_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


PNG_LABELS, LABELS = 22.0, (26.0, 15.0)  # numbers of waypoints that fit side by side: PNG, wide and narrow page
TITLE_LETTERS = 130     # of a line above the picture, at most
COLOURED = 0.05         # share of the way's length at each end of the colours that may lie beyond them
WIDTH = 860             # px; its text stays readable on a screen 768 px wide and on paper
SEGMENTS = 700          # of the way, at most
FLOW_PLACES = 9         # at most, at which a flow that varies in space is drawn
MARGIN = 0.08           # about the way, of its extent
EDGE = 0.05             # of the way's half width: a number beside a waypoint so near the edge is off the way
HEADER_HEIGHT, HEADER_ARROW = 50.0, 44.0  # px: the legend of arrows above the map, and the length of an arrow there
FLOW_ARROW_LENGTH = 0.14  # of the way's extent: the longest arrow along it
WIND = next(cause.colour for cause in CAUSES if cause.key == 'wind')


def plot_mission(study: MissionStudy, path: Path) -> None:
    """Draw a study into a PNG. Raises OSError if it cannot be written."""
    scenario, sea = study.scenario, study.scenario.boat.vessel.sea
    with picture(path, 12.6, 5.6) as figure:
        found = f', {formatted(study.energy / JOULES_PER_WH)} Wh in {seconds(study.time)}'
        title = (f'{scenario.name}: {scenario.boat.name}{found if study.is_possible else ""}',
                 f'{VERDICTS[study.verdict]}: {verdict_reason(study)}',
                 f'current {words_of_flow(scenario.current, "current")};  '
                 f'wind {words_of_flow(scenario.wind, "wind")}'
                 + ('' if sea is None else f';  sea {sea_words(sea).partition(";")[0]}')
                 + (f';  {departs}' if (departs := departs_words(study)) else ''))
        figure.suptitle('\n'.join(textwrap.fill(line, TITLE_LETTERS) for line in title), x=0.012, ha='left',
                        fontsize=11)
        _plot_way(figure, figure.add_subplot(1, 2, 1), study)
        _plot_charge(figure.add_subplot(1, 2, 2), study)


def mission_panels(study: MissionStudy) -> dict[str, Callable[['Axes'], None]]:
    """Return the pictures of a mission by name, as functions that draw into axes."""
    return {'charge': lambda axes: _plot_charge(axes, study),
            'way': lambda axes: _plot_way(axes.figure, axes, study)}


def _plot_way(figure: Any, axes: Any, study: MissionStudy) -> None:
    from matplotlib.collections import LineCollection
    points = np.array([study.scenario.start[:2], *study.scenario.waypoints])
    legs = study.legs
    going = legs.total - legs.of_hold
    power = np.where(legs.under_way > 0.0, going / np.maximum(legs.under_way, 1e-9), np.nan)
    lines = LineCollection([*np.stack([points[:-1], points[1:]], axis=1)], array=power, cmap='viridis', linewidth=2.5,
                           clim=power_limits(power, legs.length))
    axes.add_collection(lines)
    _plot_unable(axes, points, power)
    axes.set(title='Way, coloured by mean power, W', xlabel='East, m', ylabel='North, m')
    axes.set_aspect('equal', adjustable='datalim')
    draw_land(axes, study.land)
    axes.plot(*points[0], 's', color=GREY, markersize=7, label='start')
    if math.dist(points[0], points[-1]) > study.scenario.radius:
        axes.plot(*points[-1], 's', color='white', markeredgecolor=INK, markersize=7, label='end')
    held = np.flatnonzero(legs.hold > 0.0)
    if held.size:
        axes.plot(*points[held + 1].T, 'o', color=VERMILION, markersize=6, label='hold')
    axes.margins(MARGIN)
    axes.autoscale_view()
    _number(axes, points, range(len(points)), PNG_LABELS, 9.0, 'white')
    axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.13), ncol=3)    # Lanes may fill all of the map.
    figure.colorbar(lines, ax=axes, shrink=0.85, extend='both')


def _number(axes: 'Axes', points: np.ndarray, numbers: Sequence[int], most: float, size: float, paper: str) -> None:
    """
    Write the numbers of waypoints beside them, the end's first, on the side that is away from the middle of the map.

    :param points: m, shape (n, 2), the start first, which has none; their `numbers`.
    :param most: Number of labels that fit side by side.
    :param size: Of the letters, points.
    """
    side = max(float(np.ptp(points, axis=0).max()), 1.0)
    aside = points[:, 0] - 0.5 * (points[:, 0].min() + points[:, 0].max())
    order = [0, len(points) - 1, *range(1, len(points) - 1)]
    for row in (order[taken] for taken in apart(points[order], side / most)[1:]):
        left, at_edge = aside[row] < 0.0, abs(aside[row]) > (1.0 - EDGE) * np.abs(aside).max()
        axes.annotate(str(numbers[row]), points[row], xytext=(-9 if left else 9, 0 if at_edge else 8),
                      textcoords='offset points',
                      ha='right' if left else 'left', va='center', color=INK, fontsize=size, zorder=5,
                      bbox={'boxstyle': 'round,pad=0.1', 'facecolor': paper, 'edgecolor': 'none', 'alpha': 0.75})


def power_limits(power: np.ndarray, length: np.ndarray) -> tuple[float, float]:
    """
    Return the ends of the colours of a way's mean powers, W, without those of its shortest legs.

    They hold all but 10 % of the way's length, so that turns, which are short and dear, leave the colours to the lanes.

    :param power: Of each leg, W, shape (n,); NaN where there is none.
    :param length: Of each leg, m, the same shape.
    """
    known = np.flatnonzero(np.isfinite(power) & (length > 0.0))
    if not known.size:
        return 0.0, 1.0
    order = known[np.argsort(power[known])]
    share = np.cumsum(length[order]) / length[order].sum()
    low, high = (float(power[order[min(int(np.searchsorted(share, edge)), order.size - 1)]])
                 for edge in (COLOURED, 1.0 - COLOURED))
    if high - low < 1e-3 * max(abs(high), 1e-9):
        return low - 0.05 * abs(low) - 0.5, high + 0.05 * abs(high) + 0.5
    return low, high


def apart(points: np.ndarray, distance: float) -> list[int]:
    """Return the numbers of points, in their order, that lie at least a distance from all taken before them."""
    taken: list[int] = []
    for number, point in enumerate(points):
        if not taken or float(np.hypot(*(points[taken] - point).T).min()) >= distance:
            taken.append(number)
    return taken


def _plot_charge(axes: Any, study: MissionStudy) -> None:
    course = charge_curve_of(study)
    axes.set(title=course.label, xlabel=course.xlabel, xlim=(0.0, course.time[-1]))
    if math.isfinite(course.reserve):
        axes.axhline(course.reserve, color=VERMILION, linewidth=1.0, linestyle=':')
        axes.annotate('reserve', (0.0, course.reserve), xytext=(4, 3), textcoords='offset points',
                      color=VERMILION, fontsize=9)
        axes.set_ylim(0.0, 100.0)
    if course.band is not None:
        axes.fill_between(course.time, *course.band, color=BLUE, alpha=0.18, linewidth=0.0,
                          label='95 % of what was drawn')
        axes.legend(loc='best')
    axes.plot(course.time, course.values, color=BLUE)


def _plot_unable(axes: 'Axes', points: np.ndarray, power: np.ndarray) -> None:
    """Draw the parts of a way that have no power, as the thrusters cannot go them, without the colours of power."""
    parts = np.stack([points[:-1], points[1:], np.full_like(points[1:], math.nan)], axis=1)[~np.isfinite(power)]
    if parts.size:
        axes.plot(*parts.reshape(-1, 2).T, ':', color=VERMILION, linewidth=2.5, label='cannot')


class FlowArrows(NamedTuple):
    """
    Arrows of a flow: places on the way, m, and velocities there, m/s, ENU.

    A flow that is the same everywhere has one arrow, at the place NaN; still water or air has none.
    """

    name: str
    colour: str
    x: np.ndarray
    y: np.ndarray
    vx: np.ndarray
    vy: np.ndarray


class MissionTrack(NamedTuple):
    """
    The way on the map: places, m, shape (k,); mean power between them, W, (k - 1,); their waypoint numbers.

    The start has the number 0. `held`: places where the boat holds. `flows`: current and wind. `land`: as MissionStudy.
    """

    x: np.ndarray
    y: np.ndarray
    power: np.ndarray
    number: np.ndarray
    held: np.ndarray
    flows: tuple[FlowArrows, ...]
    land: tuple[Any, ...] = ()


class ChargeCurve(NamedTuple):
    """Charge, %, or energy so far, Wh, over time, with its interval (2, k) or None; reserve, % (NaN: no battery)."""

    time: np.ndarray
    values: np.ndarray
    band: np.ndarray | None
    reserve: float
    label: str
    xlabel: str


def mission_drawings(study: MissionStudy) -> Iterator[Drawing]:
    """Yield the drawings of a mission's page."""
    way = track_of(study)
    height = int(np.clip(WIDTH * (np.ptp(way.y) + 1.0) / (np.ptp(way.x) + 1.0), 320, 560))
    yield Drawing('way', 'Map of the way, north up; colour is mean power', draw_track, way, Size(WIDTH, height, False),
                  Size(NARROW, 470, True))
    yield Drawing('course', 'State of charge, or energy so far, over time', draw_charge, charge_curve_of(study),
                  Size(WIDTH, 290, False), Size(NARROW, 300, True))
    if study.departures is not None and study.departures.changing:
        found = study.departures
        yield Drawing('departures', 'Energy by time of departure', draw_lines, departure_lines(
            found.departure, found.energy, found.held, found.best, study.spare, study.zero),
                      Size(WIDTH, 270, False), Size(NARROW, 290, True))


def track_of(study: MissionStudy) -> MissionTrack:
    """Return the way with its mean power under way, thinned to SEGMENTS."""
    legs, scenario = study.legs, study.scenario
    rows = rows_of(legs.length.size + 1, SEGMENTS + 1)
    x, y = np.array([scenario.start[:2], *scenario.waypoints], dtype=float).T
    energy, time = (np.add.reduceat(part, rows[:-1]) for part in (legs.total - legs.of_hold, legs.under_way))
    with np.errstate(invalid='ignore', divide='ignore'):
        power = energy / time
    held = np.flatnonzero(legs.hold > 0.0) + 1
    flows = (_arrows(study, 'current', ACCENT, scenario.current), _arrows(study, 'wind', WIND, scenario.wind))
    return MissionTrack(x[rows], y[rows], power, rows, np.stack([x[held], y[held]]),
               tuple(arrows for arrows in flows if arrows is not None), study.land)


def _arrows(study: MissionStudy, name: str, colour: str, flow: Any) -> FlowArrows | None:
    if isinstance(flow, UniformFlow):
        here = np.array([math.nan])
        return FlowArrows(name, colour, here, here, np.array([flow.x]), np.array([flow.y])) if flow.speed else None
    x, y, time = places_along(study, FLOW_PLACES)
    found = [flow.velocity(float(t), np.array([px]), np.array([py])) for t, px, py in zip(time, x, y)]
    return FlowArrows(name, colour, x, y, *(np.array([part[axis][0] for part in found]) for axis in (0, 1)))


def places_along(study: MissionStudy, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return evenly spaced places on the way, m, and the flow's time at which the boat passes them, s."""
    legs, scenario = study.legs, study.scenario
    so_far = np.concatenate(([0.0], np.cumsum(legs.length)))
    at = so_far[-1] * (np.arange(number) + 0.5) / number
    x, y = np.array([scenario.start[:2], *scenario.waypoints], dtype=float).T
    leg = np.clip(np.searchsorted(so_far, at, side='right') - 1, 0, legs.length.size - 1)
    share = (at - so_far[leg]) / legs.length[leg]
    time = study.departure + legs.begin[leg] + share * legs.under_way[leg]
    return x[leg] + share * np.diff(x)[leg], y[leg] + share * np.diff(y)[leg], time


def charge_curve_of(study: MissionStudy) -> ChargeCurve:
    """Return the charge over time or, without a battery, the energy so far."""
    legs, bands = study.legs, study.bands
    rows = rows_of(legs.length.size + 1, SEGMENTS)
    # Each leg has two points: the end of the way, where a hold begins, and the end of the hold.
    ends = np.concatenate(([0.0], np.column_stack([legs.end - legs.hold, legs.end]).ravel()))
    rows = np.unique(np.concatenate(([0], 2 * rows[1:] - 1, 2 * rows[1:])))
    unit, xlabel = time_unit(study.time)
    capacity = battery_energy(study.scenario)
    shift, scale = (0.0, 1.0 / JOULES_PER_WH) if study.charge is None else (100.0 * study.charge_at_start,
                                                                            -100.0 / capacity)
    parts = np.column_stack([legs.total - legs.of_hold, legs.of_hold]).ravel()
    spent = np.concatenate(([0.0], np.cumsum(parts)))[rows]
    band = None
    if bands is not None:
        before = np.concatenate((np.zeros((2, 1)), np.repeat(bands.so_far, 2, axis=1)), axis=1)
        before[:, 1::2] -= legs.of_hold     # At the begin of a hold: without the energy of the hold.
        band = shift + scale * np.where(np.isfinite(before), before, np.nan)[:, rows]
    values = shift + scale * spent
    if study.pack is not None:      # The charge of cells is not a linear function of energy.
        values = 100.0 * charge_at_ends(study.pack.charge, study.charge_at_start, legs)[rows]
        band = None if study.pack_ends is None else 100.0 * np.array([
            charge_at_ends(end.charge, study.charge_at_start, legs)[rows] for end in study.pack_ends])
    time = ends[rows] / unit
    if study.charge is not None:
        time, lines = lines_to_empty(time, [values, *([] if band is None else band)])
        values, band = lines[0], None if band is None else np.array(lines[1:])
    return ChargeCurve(time, values, band,
                  math.nan if study.charge is None else 100.0 * study.reserve,
                  'Energy so far, Wh' if study.charge is None else 'State of charge, %', f'Time, {xlabel}')


def draw_track(figure: 'Figure', size: Size, way: MissionTrack) -> None:
    """Draw the way, coloured by power, north up, with a scale bar and arrows of current and wind."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import BoundaryNorm, ListedColormap
    strip, axes = figure.subplots(2, 1, height_ratios=(HEADER_HEIGHT, size.height - HEADER_HEIGHT))
    _draw_header(strip, way.flows, size)
    low, high = power_limits(way.power, np.hypot(np.diff(way.x), np.diff(way.y)))
    norm = BoundaryNorm(np.linspace(low, high, LEVELS + 1), LEVELS, clip=True)
    points = np.column_stack([way.x, way.y])
    line = LineCollection([*np.stack([points[:-1], points[1:]], axis=1)], cmap=ListedColormap(RAMP), norm=norm,
                          linewidth=4.5, capstyle='round')
    line.set_array(np.ma.masked_invalid(way.power))
    axes.add_collection(line)
    _plot_unable(axes, points, way.power)
    _draw_places(axes, size, way)
    _draw_frame(axes, way, size)
    draw_land(axes, way.land)
    for arrows in way.flows:
        _draw_flow_arrows(axes, arrows)
    bar = figure.colorbar(line, ax=axes, label='Mean power under way, W', pad=0.02, aspect=30, fraction=0.05,
                          location='bottom' if size.narrow else 'right', format='%.3g')
    bar.set_ticks(np.linspace(low, high, 5).tolist())
    bar.outline.set_visible(False)


def draw_land(axes: 'Axes', land: Sequence[Any]) -> None:
    """Draw areas and lines of land, m, where they lie on a map, whose limits stay."""
    if not land:
        return
    from matplotlib.collections import LineCollection, PathCollection
    from matplotlib.path import Path as Outline
    shapely = optional('shapely', 'flow', 'land and closed areas')
    parts = shapely.get_parts(np.array(land, dtype=object))
    kinds = shapely.get_type_id(parts)
    areas = [Outline.make_compound_path(*(Outline(np.asarray(ring.coords), closed=True)
                                          for ring in (area.exterior, *area.interiors))) for area in parts[kinds == 3]]
    axes.add_collection(PathCollection(areas, facecolor=LAND, edgecolor=GREY, linewidth=0.8, zorder=0.5), autolim=False)
    axes.add_collection(LineCollection([np.asarray(line.coords) for line in parts[np.isin(kinds, (1, 2))]],
                                       color=GREY, linewidth=1.5, zorder=0.5), autolim=False)


def _draw_places(axes: 'Axes', size: Size, way: MissionTrack) -> None:
    """Mark start, end, stays, and the waypoints' numbers."""
    axes.plot(way.x[0], way.y[0], 'o', color=INK, markersize=9, zorder=4, label='start')
    axes.plot(way.x[-1], way.y[-1], 's', color=PAPER, markeredgecolor=INK, markeredgewidth=2.0, markersize=9, zorder=4,
              label='end')
    if way.held.size:
        axes.plot(*way.held, 'D', color=VERMILION, markeredgecolor=PAPER, markersize=8, zorder=3.5, linestyle='none',
                  label='stay')
    _number(axes, np.column_stack([way.x, way.y]), way.number.tolist(), LABELS[size.narrow], 11.5, PAPER)
    axes.legend(loc='lower left', bbox_to_anchor=(0.0, 1.0), ncol=3, borderaxespad=0.1, handlelength=1.0)


def _draw_frame(axes: 'Axes', way: MissionTrack, size: Size) -> None:
    """Set the limits of the map, and draw a grid and a scale bar."""
    from matplotlib.ticker import MultipleLocator
    wide = max(float(np.ptp(way.x)), float(np.ptp(way.y)), 1.0)
    pad = MARGIN * wide
    low = float(way.y.min()) - 2.2 * pad
    axes.update_datalim([(float(way.x.min()) - pad, low), (float(way.x.max()) + pad, float(way.y.max()) + 2.0 * pad)])
    axes.margins(0.0)
    axes.autoscale_view()
    axes.set_aspect('equal', adjustable='datalim')
    length = scale_length(max(float(np.ptp(way.x)) + 2.0 * pad, 0.4 * wide) * (0.45 if size.narrow else 0.3))
    for side in (axes.xaxis, axes.yaxis):   # A grid of squares as wide as the scale bar, without numbers.
        side.set_major_locator(MultipleLocator(length))
        side.set_tick_params(length=0.0, labelbottom=False, labelleft=False)
    axes.grid(visible=True, color=GRID)
    for spine in axes.spines.values():
        spine.set(visible=True, color=GRID)
    x, y = float(way.x.min()), low + 0.7 * pad
    axes.plot([x, x + length], [y, y], color=INK, linewidth=2.5, solid_capstyle='butt')
    axes.annotate(f'{length:g} m' if length < 1000.0 else f'{length / 1000.0:g} km', (x, y), xytext=(0, 4),
                  textcoords='offset points', color=INK, fontsize=11.5)


def scale_length(most: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten, m, that is at most `most`."""
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (5.0, 2.0, 1.0) if step * power <= most * (1.0 + 1e-9))


def _draw_header(axes: 'Axes', flows: tuple[FlowArrows, ...], size: Size) -> None:
    """Draw the legend of the map's arrows, and the north arrow, in px; north is up here, too."""
    axes.set_axis_off()
    axes.set(xlim=(0.0, size.width), ylim=(-0.5 * HEADER_HEIGHT, 0.5 * HEADER_HEIGHT))
    axes.set_aspect('equal', anchor='W')
    begin, step = (78.0, 165.0) if size.narrow else (90.0, 230.0)
    _draw_arrow(axes, 22.0, (0.0, HEADER_ARROW), INK)
    axes.text(36.0, 0.0, 'N', color=INK, fontsize=13, va='center')
    for place, arrows in enumerate(flows):
        speed = np.hypot(arrows.vx, arrows.vy)
        at, everywhere = begin + step * place, bool(np.isnan(arrows.x).all())
        if everywhere:
            px_per_speed = HEADER_ARROW / speed[0]
            _draw_arrow(axes, at, (px_per_speed * arrows.vx[0], px_per_speed * arrows.vy[0]), arrows.colour)
        most = float(np.nanmax(speed, initial=0.0))
        words = f'{arrows.name}: up to {most:.2g} m/s'
        if everywhere:
            way = flow_words(float(arrows.vx[0]), float(arrows.vy[0]), MEDIA[arrows.name]).partition(') ')[2]
            words = f'{arrows.name} {most:.2f} m/s\n{way}'
        axes.text(at + (0.5 * HEADER_ARROW + 6.0) * everywhere, 0.0, words, color=arrows.colour,
                  fontsize=10.5 if size.narrow else 12.0, va='center')


def _draw_arrow(axes: 'Axes', x: float, way: tuple[float, float], colour: str) -> None:
    axes.annotate('', xy=(x + 0.5 * way[0], 0.5 * way[1]), xytext=(x - 0.5 * way[0], -0.5 * way[1]),
                  arrowprops={'arrowstyle': '-|>', 'color': colour, 'linewidth': 2.4, 'shrinkA': 0, 'shrinkB': 0,
                              'mutation_scale': 16})


def _draw_flow_arrows(axes: 'Axes', arrows: FlowArrows) -> None:
    """Draw a flow that varies in space as arrows on the way."""
    most = float(np.nanmax(np.hypot(arrows.vx, arrows.vy), initial=0.0))
    if most > 0.0 and not np.isnan(arrows.x).all():
        length = FLOW_ARROW_LENGTH * max(float(np.ptp(arrows.x)), float(np.ptp(arrows.y)), 1.0)
        axes.quiver(arrows.x, arrows.y, arrows.vx, arrows.vy, angles='xy', scale_units='xy', scale=most / length,
                    color=arrows.colour, units='dots', width=2.6, zorder=4.5)


def draw_charge(figure: 'Figure', size: Size, course: ChargeCurve) -> None:
    """Draw the charge, or the energy so far, over time, with its interval and the reserve."""
    axes = figure.subplots()
    if course.band is not None:
        axes.fill_between(course.time, *course.band, color=ACCENT, alpha=0.22, linewidth=0.0, label='95 % interval')
    axes.plot(course.time, course.values, color=ACCENT, linewidth=2.2, label='estimate')
    axes.set(xlabel=course.xlabel, ylabel=course.label, xlim=(0.0, course.time[-1]))
    if math.isfinite(course.reserve):
        axes.axhline(course.reserve, color=VERMILION, linewidth=1.6, linestyle='--', label='reserve')
        axes.set_ylim(0.0, 1.05 * max(float(course.values[0]), course.reserve))
    axes.grid(visible=True, color=GRID)
    axes.legend(loc='lower left', bbox_to_anchor=(-0.01, 1.0), ncol=2 if size.narrow else 3, borderaxespad=0.2,
                handlelength=1.4, columnspacing=1.4)
