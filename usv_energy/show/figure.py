"""What all pictures share: one look, colours that colour-blind people can tell apart, files without a time stamp."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..files.whole_file import whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito (2008), Color Universal Design.
BLACK, ORANGE, SKY, GREEN = '#000000', '#E69F00', '#56B4E9', '#009E73'
BLUE, VERMILION, PURPLE, GREY = '#0072B2', '#D55E00', '#CC79A7', '#8C8C8C'
BROWN, PINK = '#7F5539', '#E07A95'
INDIGO, OLIVE, TEAL, WINE = '#332288', '#999933', '#44AA99', '#882255'  # Tol (2021), Colour schemes, muted.
LAND, NO_VALUE, ARROW_COLOUR = '#D8CBB0', '#F1F1EF', '#16242C'  # of maps

STYLE = {
    'font.size': 10.0, 'axes.titlesize': 11.0, 'axes.titleweight': 'bold', 'axes.titlelocation': 'left',
    'axes.spines.top': False, 'axes.spines.right': False, 'axes.grid': True, 'axes.axisbelow': True,
    'grid.color': '#E3E3E3', 'grid.linewidth': 0.8, 'lines.linewidth': 1.8, 'legend.frameon': False,
    'legend.fontsize': 9.5, 'figure.facecolor': 'white', 'text.parse_math': False,
}


@contextmanager
def picture(path: Path, width: float, height: float) -> Iterator['Figure']:
    """Give an empty Figure, its size in inches, and write it as PNG at the end: whole, or not at all (OSError)."""
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    with style.context(STYLE, after_reset=True):
        figure = Figure(figsize=(width, height), dpi=120, layout='constrained')
        FigureCanvasAgg(figure)
        yield figure
        # Laid out here, once: savefig would draw the whole picture a second time for that.
        layout = figure.get_layout_engine()
        if layout is not None:
            layout.execute(figure)
        figure.set_layout_engine('none')
        with whole_file(path) as part:
            figure.savefig(part, format='png', metadata={'Software': None})
