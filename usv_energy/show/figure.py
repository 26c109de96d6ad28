"""For all pictures: style, colours that colour-blind people can distinguish, thinned lines, limits of axes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from usv_energy.files.text_file import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Panel: TypeAlias = 'Callable[[Axes], None]'


# Okabe and Ito (2008), Color Universal Design.
BLACK, ORANGE, SKY, GREEN = '#000000', '#E69F00', '#56B4E9', '#009E73'
BLUE, VERMILION, PURPLE, GREY = '#0072B2', '#D55E00', '#CC79A7', '#8C8C8C'
BROWN, PINK = '#7F5539', '#E07A95'
INDIGO, OLIVE, TEAL, WINE = '#332288', '#999933', '#44AA99', '#882255'  # Tol (2021), Colour schemes, muted.
LAND, NO_VALUE, ARROW_COLOUR = '#D8CBB0', '#F1F1EF', '#16242C'  # Of maps.

STYLE = {
    'font.size': 10.0, 'axes.titlesize': 11.0, 'axes.titleweight': 'bold', 'axes.titlelocation': 'left',
    'axes.spines.top': False, 'axes.spines.right': False, 'axes.grid': True, 'axes.axisbelow': True,
    'grid.color': '#E3E3E3', 'grid.linewidth': 0.8, 'lines.linewidth': 1.8, 'legend.frameon': False,
    'legend.fontsize': 9.5, 'figure.facecolor': 'white', 'text.parse_math': False,
}

LIMIT_SAMPLES = 20000  # Number of samples, evenly spaced, for the limits of an axis.
MARGIN = 0.06  # Free share of an axis above and below.


@contextmanager
def picture(path: Path, width: float, height: float) -> Iterator['Figure']:
    """Yield an empty Figure with a size in inches, and write it as PNG at the end, completely or not at all."""
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    with style.context(STYLE, after_reset=True):
        figure = Figure(figsize=(width, height), dpi=120, layout='constrained')
        FigureCanvasAgg(figure)
        yield figure
        # Lay out the figure here, because savefig would draw it a second time for that.
        layout = figure.get_layout_engine()
        if layout is not None:
            layout.execute(figure)
        figure.set_layout_engine('none')
        with whole_file(path) as part:
            figure.savefig(part, format='png', metadata={'Software': None})


class Panels(NamedTuple):
    """
    Pictures by name, each a function that draws into axes, and how they lie in one PNG.

    `width`, `height`: of the PNG, inches; `columns`: 0 puts all into one row; `shares`: of its columns in the width.
    """

    by_name: dict[str, Panel]
    width: float
    height: float
    columns: int = 0
    shares: Sequence[float] | None = None

    def write(self, path: Path) -> None:
        """Draw all of them into a PNG. Raises OSError if it cannot be written."""
        columns = self.columns or len(self.by_name)
        with picture(path, self.width, self.height) as figure:
            grid = figure.subplots(-(-len(self.by_name) // columns), columns, squeeze=False, width_ratios=self.shares)
            for axes, draw in zip(grid.flat, self.by_name.values()):
                draw(axes)


def numbered(name: str, place: int) -> str:
    """Return the name of the picture of the log at a place from 0 on: `power`, then `power_2`, `power_3` ..."""
    return name if place == 0 else f'{name}_{place + 1}'


def rose(axes: Any) -> None:
    """Make polar axes a compass rose: north up, angles clockwise from there, eight points named."""
    axes.set_theta_zero_location('N')
    axes.set_theta_direction(-1)
    axes.set_thetagrids(range(0, 360, 45), ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'])


def rose_angle(angle: np.ndarray) -> np.ndarray:
    """Return directions, rad (ENU), as angles on a rose, rad clockwise from north; any shape."""
    return 0.5 * np.pi - angle


def rows_of(number: int, most: int) -> np.ndarray:
    """Return at most `most` indices of `number` rows, evenly spaced, including the first and the last."""
    return np.unique(np.linspace(0, max(number - 1, 0), min(number, most)).round().astype(int)) if number else (
        np.zeros(0, dtype=int))


def envelope(time: np.ndarray, values: np.ndarray, buckets: int, max_gap: float) -> tuple[np.ndarray, np.ndarray]:
    """
    Return a line with fewer points that looks like the one through all samples: minimum and maximum of each bucket.

    :param time: s, increasing, shape (n,).
    :param values: Shape (n,); a NaN breaks the line.
    :param buckets: Approximate number of buckets.
    :param max_gap: A longer step breaks the line, s.
    """
    known = np.flatnonzero(np.isfinite(values))
    if known.size > 2 * buckets:
        known = known[_extremes(values[known], buckets)]
        # The points of a bucket may be further apart than samples, so only a longer gap breaks the line.
        max_gap = max(max_gap, 2.0 * float(time[-1] - time[0]) / buckets)
    t, v = time[known], values[known]
    cuts = np.flatnonzero(np.diff(t) > max_gap) + 1
    return np.insert(t, cuts, np.nan), np.insert(v, cuts, np.nan)


def _extremes(values: np.ndarray, buckets: int) -> np.ndarray:
    """Return the indices of the minimum and the maximum of each bucket, and of both ends, in increasing order."""
    length = -(-values.size // buckets)
    whole = values.size // length
    table = values[:whole * length].reshape(whole, length)
    first = np.arange(whole) * length
    places = [first + table.argmin(axis=1), first + table.argmax(axis=1), [0, values.size - 1]]
    if whole * length < values.size:
        rest = values[whole * length:]
        places.append([whole * length + int(rest.argmin()), whole * length + int(rest.argmax())])
    return np.unique(np.concatenate(places))


def robust_limits(values: list[np.ndarray]) -> tuple[float, float, bool]:
    """Return limits of an axis that include 0 and ignore single spikes, and whether values lie outside."""
    known = [v[np.isfinite(v)] for v in values]
    known = [v for v in known if v.size]
    if not known:
        return 0.0, 1.0, False
    low, high = min(0.0, *(float(v.min()) for v in known)), max(0.0, *(float(v.max()) for v in known))
    some = np.concatenate([v[rows_of(v.size, LIMIT_SAMPLES)] for v in known])
    inner_low, inner_high = (float(edge) for edge in np.percentile(some, (0.3, 99.7)))
    span = max(inner_high, 0.0) - min(inner_low, 0.0)
    cut = span > 0.0 and (high - low) > 1.8 * span
    if cut:
        low, high = min(0.0, inner_low - 0.1 * span), max(0.0, inner_high + 0.1 * span)
    space = MARGIN * (high - low) or 1.0
    return (low - space if low < 0.0 else 0.0), high + space, cut
