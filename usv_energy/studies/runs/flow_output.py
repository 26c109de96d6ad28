"""A flow as a map (speed, arrows, dry land and buildings, the track of a run), and its description as text."""

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.flow.field import Extent
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.readers import READERS, reader
from usv_energy.physics.sampling import round_down
from usv_energy.show.figure import ARROW_COLOUR, BLACK, GREY, LAND, NO_VALUE, VERMILION, picture
from usv_energy.show.text_table import WIDTH, exact_seconds, text_table
from usv_energy.sim.run_files import read_samples

PIXELS = (640, 200, 1600)  # of the speed: least along the longer side, least along the shorter, most along any
ARROWS = (30, 9, 38)       # the same for the arrows, on a map that is all flow
ARROW = 0.24               # inches: least length of an arrow of nearly the highest speed
LONGER, SHORTER = 9.4, 1.9  # inches: length of the map's longer side, and least length of the other
BAR, BAR_STEP = 0.17, 0.85  # inches: the width of a colour bar, and the distance to the next
BUILDING, SUBTITLE_COLOUR = '#5F6368', '#555555'
SPEED_COLOURS = {'air': 'BuPu'}  # matplotlib's colour maps,
WATER_COLOURS, COLOUR_SHARE = 'Blues', 0.72     # of which only the lighter part is used, so that arrows stand out
QUANTITIES = {'speed': 'Speed over ground, m/s', 'power': 'Total power, W'}
MEDIUM_TITLES = {'water': 'Water current', 'air': 'Wind'}
Mesh = tuple[np.ndarray, np.ndarray]
# By the ending of a key; longer endings first.
UNITS = {'m_per_s': 'm/s', 'm2_s': 'm^2/s', 'm_s': 'm/s', 'deg': 'deg', 'mb': 'MB', 'm2': 'm^2', 'm': 'm', 's': 's'}
NOTES = 'notes'


class Track(NamedTuple):
    """A run's track: times s, places m, shape (N,), and the value of its colour, shape (N,), with name and unit."""

    time: np.ndarray
    x: np.ndarray
    y: np.ndarray
    value: np.ndarray
    label: str


class _FlowOnPixels(NamedTuple):
    """The flow on the pixels of a map: coordinates m, speed m/s, polygons m."""

    x: np.ndarray
    y: np.ndarray
    speed: np.ndarray
    polygons: list[np.ndarray]


def read_track(path: Path, quantity: str) -> Track:
    """
    Return the track in a run's samples.csv.

    :param quantity: The value of its colour: speed or power.
    :raises InputError: If the file is not a table of samples, or has fewer than two.
    """
    rows = read_samples(path)
    if len(rows) < 2:
        raise InputError(f'{path}: {len(rows)} samples; a track needs two or more')
    time, x, y = np.array([(row.time, row.x, row.y) for row in rows]).T
    value = np.array([row.power.total if quantity == 'power' else np.hypot(row.motion.u, row.motion.v)
                      for row in rows], dtype=float)
    return Track(time, x, y, value, QUANTITIES[quantity])


def plot_flow(flow: FlowFile, path: Path | None = None, medium: str | None = None, time: float | None = None,
              extent: Sequence[float] | None = None, track: Track | None = None) -> Path:
    """
    Draw a flow at one time into a PNG and return its path.

    :param flow: The flow.
    :param path: The PNG; None: the flow's name, in the working folder.
    :param medium: water or air; None: the flow's own.
    :param time: s; None: the middle of the track, else the middle of a raw file, else 0.
    :param extent: Of the map, m; None: around the track, else all of the flow.
    :param track: Of a run.
    :raises InputError: If there is nothing to draw: no extent, or no value at this time.
    :raises OSError: If it cannot be written.
    """
    path = path or Path(f'{flow.name}.png')
    check_target(path)
    flow = replace(flow, medium=medium or flow.medium or flow.describe().get('medium') or '')
    at = _default_time(flow, track) if time is None else time
    window = _window(flow, extent, track)
    shown = _flow_on_pixels(flow, at, window)
    if not np.isfinite(shown.speed).any():
        raise InputError(f'{flow.path}: nothing to draw: no velocity at {exact_seconds(at)} within '
                         f'{_extent_words(window)}. {_time_hint(flow)}')
    width, height = _size(window)
    with picture(path, width + 1.9 + BAR_STEP * (track is not None), height + 1.6) as figure:
        figure.set_layout_engine('constrained', w_pad=0.1, h_pad=0.1)
        axes = figure.subplots()
        _set_up(axes, window)
        _draw_heading(axes, textwrap.fill(flow.title, max(34, int(9.5 * width))),
                      _subtitle(flow, at))
        bars = [(_draw_speed(axes, shown, flow), 'Flow speed, m/s')]
        _draw_ground(axes, shown, flow.medium)
        _draw_arrows(axes, flow, at, window, shown)
        if track is not None:
            bars.append((_draw_track(axes, track), track.label))
        for number, (drawn, label) in enumerate(bars):
            beside = axes.inset_axes((1.0 + (0.14 + BAR_STEP * number) / width, 0.0, BAR / width, 1.0))
            figure.colorbar(drawn, cax=beside, label=label)
        _draw_legend(axes)
    return path


def _default_time(flow: FlowFile, track: Track | None) -> float:
    if track is not None:
        return float(0.5 * (track.time[0] + track.time[-1]))
    return 0.5 * (flow.clock.first + flow.clock.last) if flow.clock.mode == 'end' else 0.0


def _time_hint(flow: FlowFile) -> str:
    first, last = flow.clock.first, flow.clock.last
    if first == last:
        return 'It is steady: choose another --extent'
    return (f'It goes from {first - flow.clock.start:.9g} to {exact_seconds(last - flow.clock.start)}: '
            'choose another --time or --extent')


def _window(flow: FlowFile, extent: Sequence[float] | None, track: Track | None) -> Extent:
    if extent is not None:
        xmin, ymin, xmax, ymax = extent
        if not (xmin < xmax and ymin < ymax):
            raise InputError(f'--extent is {_extent_words(extent)}; must be xmin, ymin, xmax, ymax in m, rising')
        return xmin, ymin, xmax, ymax
    if track is not None:
        return _window_around(track)
    if not np.isfinite(flow.extent).all():
        raise InputError(f'{flow.path}: has no bounds; say what to show with --extent or --track')
    xmin, ymin, xmax, ymax = flow.extent
    margin = 0.02 * max(xmax - xmin, ymax - ymin)
    return xmin - margin, ymin - margin, xmax + margin, ymax + margin


def _window_around(track: Track) -> Extent:
    """Return a window around a track: the margin is 0.15 of its longer side; no side is below 0.45 of the other."""
    known = np.isfinite(track.x) & np.isfinite(track.y)
    x, y = track.x[known], track.y[known]
    margin = max(0.15 * max(np.ptp(x), np.ptp(y)), 5.0)
    sides = np.array([np.ptp(x), np.ptp(y)]) + 2.0 * margin
    half = 0.5 * np.maximum(sides, 0.45 * sides.max())
    middle = 0.5 * (x.min() + x.max()), 0.5 * (y.min() + y.max())
    return (float(middle[0] - half[0]), float(middle[1] - half[1]),
            float(middle[0] + half[0]), float(middle[1] + half[1]))


def _extent_words(extent: Sequence[float]) -> str:
    return ', '.join(f'{edge:g}' for edge in extent)


def _size(window: Extent) -> tuple[float, float]:
    """Return width and height of the map, inches."""
    width, height = window[2] - window[0], window[3] - window[1]
    scale = LONGER / max(width, 1.25 * height)
    return max(width * scale, SHORTER), max(height * scale, SHORTER)


def _mesh(window: Extent, counts: tuple[int, int, int]) -> Mesh:
    """Return the centres of about square cells that fill a window."""
    longer, shorter, most = counts
    sides = (window[2] - window[0], window[3] - window[1])
    cell = max(sides) / min(max(longer, shorter * max(sides) / min(sides)), most)
    axes = []
    for low, side in zip(window[:2], sides):
        count = max(2, round(side / cell))
        axes.append(low + (np.arange(count) + 0.5) * side / count)
    return axes[0], axes[1]


def _velocity_on_mesh(flow: FlowFile, at: float, axes: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Return vx, vy, m/s, on a mesh, shape (ny, nx); NaN outside the flow."""
    x, y = np.meshgrid(*axes)
    vx, vy, _ = flow.velocity(at, x.ravel(), y.ravel())
    return vx.reshape(x.shape), vy.reshape(x.shape)


def _flow_on_pixels(flow: FlowFile, at: float, window: Extent) -> _FlowOnPixels:
    x, y = _mesh(window, PIXELS)
    return _FlowOnPixels(x, y, np.hypot(*_velocity_on_mesh(flow, at, (x, y))), flow.outline())


def _subtitle(flow: FlowFile, at: float) -> str:
    place = "the file's own coordinates" if flow.raw else "the world's frame"
    steady = flow.clock.first == flow.clock.last
    when, start, in_file = 'steady' if steady else f't = {exact_seconds(at)}', flow.source.start, flow.clock.time(at)
    if start is not None and math.isfinite(in_file):
        when += f' ({start + timedelta(seconds=in_file):%Y-%m-%d %H:%M:%S})'
    return f'{MEDIUM_TITLES.get(flow.medium, "Flow")}, {when}, {place}'


def _set_up(axes: Any, window: Extent) -> None:
    axes.set(xlim=window[::2], ylim=window[1::2], xlabel='x, m (east)', ylabel='y, m (north)', aspect='equal',
             facecolor=NO_VALUE)
    axes.ticklabel_format(useOffset=False, style='plain')
    axes.grid(False)


def _draw_heading(axes: Any, title: str, subtitle: str) -> None:
    for text, above, look in ((title, 21.0, {'fontsize': 11.5, 'fontweight': 'bold'}),
                              (subtitle, 5.0, {'fontsize': 9.5, 'color': SUBTITLE_COLOUR})):
        axes.annotate(text, (0.0, 1.0), (0.0, above), xycoords='axes fraction', textcoords='offset points',
                      va='bottom', **look)


def _draw_speed(axes: Any, shown: _FlowOnPixels, flow: FlowFile) -> Any:
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap
    colours = colormaps[SPEED_COLOURS.get(flow.medium, WATER_COLOURS)]
    lighter = ListedColormap(colours(np.linspace(0.0, COLOUR_SHARE, 256)))
    top = float(np.percentile(shown.speed[np.isfinite(shown.speed)], 99.8))
    return axes.imshow(np.ma.masked_invalid(shown.speed), origin='lower', extent=_edges(shown), cmap=lighter, vmin=0.0,
                       vmax=top or 1.0, interpolation='nearest', zorder=1)


def _edges(shown: _FlowOnPixels) -> tuple[float, float, float, float]:
    half_x, half_y = 0.5 * (shown.x[1] - shown.x[0]), 0.5 * (shown.y[1] - shown.y[0])
    return shown.x[0] - half_x, shown.x[-1] + half_x, shown.y[0] - half_y, shown.y[-1] + half_y


def _draw_ground(axes: Any, shown: _FlowOnPixels, medium: str) -> None:
    """Shade places within the outline that have no velocity (dry), and holes in the outline (buildings, islands)."""
    from matplotlib.colors import ListedColormap, to_rgba
    from matplotlib.path import Path as Line
    if not shown.polygons:
        return
    x, y = np.meshgrid(shown.x, shown.y)
    places = np.column_stack([x.ravel(), y.ravel()])
    depth = np.zeros(x.shape, dtype=int)
    for polygon in shown.polygons:
        depth += Line(polygon, closed=False).contains_points(places).reshape(x.shape)
    without = ~np.isfinite(shown.speed)
    kinds = np.where(without & (depth == 1), 0, np.where(without & (depth > 1), 1, 2))
    lacking = (LAND, 'dry, or no value') if medium != 'air' else (BUILDING, 'no value: building, ground')
    for kind, (colour, label) in ((0, lacking), (1, (BUILDING, 'hole: building, island'))):
        if np.mean(kinds == kind) > 1e-4:
            axes.imshow(np.ma.masked_not_equal(kinds, kind), origin='lower', extent=_edges(shown),
                        cmap=ListedColormap([to_rgba(colour)]), interpolation='nearest', zorder=1.1)
            axes.fill([], [], color=colour, label=label)
    for polygon in shown.polygons:
        ring = np.vstack([polygon, polygon[:1]])
        axes.plot(*ring.T, color='#6E6A60', linewidth=0.8, zorder=1.2)


def _draw_arrows(axes: Any, flow: FlowFile, at: float, window: Extent, shown: _FlowOnPixels) -> None:
    """Draw arrows whose length is the speed, closer together if little of the map is flow, and a reference arrow."""
    known = np.isfinite(shown.speed)
    closer = min(math.sqrt(0.5 / known.mean()), 2.0) if known.mean() < 0.5 else 1.0
    x, y = _mesh(window, (round(ARROWS[0] * closer), ARROWS[1], ARROWS[2]))
    vx, vy = _velocity_on_mesh(flow, at, (x, y))
    here = np.isfinite(vx)
    typical = float(np.percentile(shown.speed[known], 98.0))
    if not here.any() or typical == 0.0:
        return
    width, height = _size(window)
    length = max(0.9 * (x[1] - x[0]), ARROW * (window[2] - window[0]) / width)
    grid_x, grid_y = np.meshgrid(x, y)
    arrows = axes.quiver(grid_x[here], grid_y[here], vx[here], vy[here], angles='xy', scale_units='xy', pivot='mid',
                         scale=typical / length, units='inches', width=0.018, headwidth=4.2, headlength=4.8,
                         headaxislength=4.2, minshaft=1.2, minlength=0.6, color=ARROW_COLOUR, zorder=2)
    unit = round_down(typical)
    axes.quiverkey(arrows, 1.0 - length * unit / typical / (window[2] - window[0]), 1.0 + 0.16 / height, unit,
                   f'{unit:g} m/s', labelpos='W', coordinates='axes', fontproperties={'size': 9.5}, labelsep=0.08)


def _draw_track(axes: Any, track: Track) -> Any:
    from matplotlib.collections import LineCollection
    points = np.column_stack([track.x, track.y])
    axes.plot(track.x, track.y, color='white', linewidth=7.0, solid_capstyle='round', zorder=3)
    axes.plot(track.x, track.y, color=GREY, linewidth=5.2, solid_capstyle='round', zorder=3)
    line = LineCollection(list(np.stack([points[:-1], points[1:]], axis=1)), cmap='plasma', linewidths=4.0, zorder=3.1,
                          capstyle='round', array=np.ma.masked_invalid(track.value[1:]))
    axes.add_collection(line)
    axes.plot(track.x[0], track.y[0], 'o', color=BLACK, markeredgecolor='white', markersize=8.5, zorder=3.2,
              linestyle='none', label='start')
    axes.plot(track.x[-1], track.y[-1], marker='X', color=VERMILION, markeredgecolor='white', markersize=10.0,
              zorder=3.2, linestyle='none', label='end')
    return line


def _draw_legend(axes: Any) -> None:
    """Draw the legend below the axis label, if there is anything to explain."""
    from matplotlib.transforms import ScaledTranslation
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        below = ScaledTranslation(0.0, -0.52, axes.figure.dpi_scale_trans)
        axes.legend(handles, labels, loc='upper left', bbox_to_anchor=(0.0, 0.0), ncol=4, borderaxespad=0.0,
                    bbox_transform=axes.transAxes + below, handlelength=1.2, columnspacing=1.4)


def info_text(description: Mapping[str, Any]) -> str:
    """
    Return the description of a flow as text: entries, tables, notes, and the reader's options.

    :param description: From `describe()` of a flow.
    """
    rows = list(_entries(description))
    width = max((len(name) for name, _ in rows), default=0)
    lines = [line for name, value in rows
             for line in textwrap.wrap(value, WIDTH, initial_indent=f'{name.ljust(width)}  ',
                                       subsequent_indent=' ' * (width + 2), break_on_hyphens=False) or [name]]
    for key, value in description.items():
        if _is_table(value):
            lines += ['', key.replace('_', ' '), *(f'  {line}' for line in _table(value))]
    lines += _bullet_lines('notes', description.get(NOTES) or [])
    if (name := description.get('reader')) in READERS:
        options = [f'{key}: {what}' for key, what in reader(name).options.items()]
        lines += _bullet_lines('options of this reader', options)
    return '\n'.join(lines)


def _entries(description: Mapping[str, Any], above: str = '') -> Iterator[tuple[str, str]]:
    for key, value in description.items():
        if key == NOTES or _is_table(value) or value in (None, '', [], {}):
            continue
        if isinstance(value, Mapping):
            yield from _entries(value, f'{above}{key} ')
        else:
            name, unit = _split(str(key))
            yield f'{above}{name}', f'{_value_text(value)} {unit}'.rstrip()


def _split(key: str) -> tuple[str, str]:
    """Return a key's name and unit."""
    for ending, unit in UNITS.items():
        if key.endswith(f'_{ending}'):
            return key[:-len(ending) - 1].replace('_', ' '), unit
    return key.replace('_', ' '), ''


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    if isinstance(value, float):
        return f'{value:.10g}' if math.isfinite(value) else str(value)
    if isinstance(value, (list, tuple)):
        return ', '.join(map(_value_text, value))
    return '-' if value is None else str(value)


def _is_table(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(row, Mapping) for row in value)


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    head = [', '.join(part for part in _split(key) if part) for key in keys]
    return text_table([head, *([_cell(row.get(key)) for key in keys] for row in rows)])


def _cell(value: Any) -> str:
    return f'{value:.4g}' if isinstance(value, float) and abs(value) < 1000.0 else _value_text(value)


def _bullet_lines(title: str, texts: Sequence[str]) -> list[str]:
    lines = [line for text in texts for line in textwrap.wrap(
        text, WIDTH, initial_indent='  - ', subsequent_indent='    ', break_on_hyphens=False)]
    return ['', title, *lines] if lines else []
