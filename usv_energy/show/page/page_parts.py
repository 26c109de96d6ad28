"""HTML pages: their templates, and pictures as SVG in them."""

import io
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from usv_energy.files.limits import safe_text
from usv_energy.files.work import forked
from usv_energy.show import figure
from usv_energy.show.causes import CAUSES
from usv_energy.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup
    from matplotlib.axes import Axes


SHARED = 'page.html.j2', 'parts.html.j2'

INK, MUTED, GRID, ACCENT, PAPER = '#16242c', '#5a6670', '#e3e6e8', '#0b5fa5', '#fefefe'
LEVELS = 12
RAMP = tuple(f'#fe{level:02x}fe' for level in range(LEVELS))
# Colours in matplotlib's SVG, and the CSS variables that replace them in the page.
VARIABLES = {
    INK: 'ink', MUTED: 'muted', GRID: 'grid', ACCENT: 'accent', PAPER: 'card', figure.GREY.lower(): 'muted',
    **{cause.colour.lower(): f'c-{cause.key}' for cause in CAUSES},
    **{colour: f'r{level}' for level, colour in enumerate(RAMP)}}
STYLE = {
    **figure.STYLE, 'svg.fonttype': 'none', 'font.size': 12.5, 'axes.titlesize': 13.0, 'axes.titleweight': 'normal',
    'grid.color': GRID, 'grid.linewidth': 1.0, 'legend.fontsize': 12.0, 'figure.facecolor': 'none',
    'axes.facecolor': 'none', 'text.color': INK, 'axes.edgecolor': MUTED, 'axes.labelcolor': MUTED,
    'xtick.color': MUTED, 'ytick.color': MUTED, 'axes.linewidth': 1.0, 'path.simplify': True,
    'path.simplify_threshold': 0.3,
}
WIDE, HALF, NARROW = 1040, 500, 360  # px
DECIMALS = 1

Draw = Callable[..., None]


class Tile(NamedTuple):
    """A figure at the top of the page; `rotation_deg`: direction of an arrow beside it, clockwise from right."""

    value: str
    meaning: str
    rotation_deg: int | None = None


def rendered(template: str, **fields: Any) -> str:
    """Return a page from a template in `templates`, as `safe_text`; every field of the template must be given."""
    page = _environment().get_template(f'templates/{template}')
    return safe_text(page.render(version=__version__, palette=CAUSES, **fields))


def compile_templates(*templates: str) -> None:
    """Compile templates and the shared ones in advance, so that rendering them is fast."""
    for name in (*SHARED, *templates):
        _environment().get_template(f'templates/{name}')


@cache
def _environment() -> 'Environment':
    from jinja2 import Environment, PackageLoader, StrictUndefined
    environment = Environment(loader=PackageLoader('usv_energy', 'show/page'), autoescape=True, trim_blocks=True,
                              lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters['code'] = _with_code
    environment.policies['json.dumps_kwargs'] = {'allow_nan': False}
    return environment


def _with_code(text: str) -> 'Markup':
    """Return a text, escaped, with what stands in backticks as code."""
    from markupsafe import Markup, escape
    return Markup(re.sub('`([^`]+)`', r'<code>\1</code>', str(escape(text))))


class Size(NamedTuple):
    """Width and height of a picture, px, and whether it is for a narrow screen."""

    width: int
    height: int
    narrow: bool


class Picture(NamedTuple):
    """A picture as SVG elements, for wide and for narrow screens."""

    wide: 'Markup'
    narrow: 'Markup'


class Drawing(NamedTuple):
    """
    A picture to draw: `draw(figure, size, shown)` draws it at both sizes, where `shown` are the data.

    The name, in lower case, must be unique in a page; the description is for readers who cannot see the picture.
    """

    name: str
    description: str
    draw: Draw
    shown: Any
    wide: Size
    narrow: Size


class FigureOfAxes:
    """Axes in the place of a Figure, for a drawing that asks its figure for one set of axes."""

    def __init__(self, axes: 'Axes') -> None:
        """Take the axes to draw into."""
        self._axes = axes

    def subplots(self) -> 'Axes':
        """Return the axes."""
        return self._axes

    def colorbar(self, *arguments: Any, **options: Any) -> Any:
        """Return a colorbar of the figure that the axes lie in."""
        return self._axes.figure.colorbar(*arguments, **options)


def panels_of(drawings: Iterable[Drawing]) -> dict[str, Callable[['Axes'], None]]:
    """Return the drawings by name as functions that draw into axes; each must be one that asks for one set of axes."""
    def draw(drawing: Drawing, axes: 'Axes') -> None:
        drawing.draw(FigureOfAxes(axes), drawing.wide, drawing.shown)
        for shown in axes.collections:  # RAMP stands for colours that a page's style says.
            if shown.get_array() is not None:
                shown.set_cmap(colormaps['viridis'].resampled(LEVELS))
    from matplotlib import colormaps
    return {drawing.name: partial(draw, drawing) for drawing in drawings}


def picture(drawing: Drawing) -> Picture:
    """Return a picture, drawn for wide and for narrow screens."""
    from markupsafe import Markup
    return Picture(*(Markup(svg(f'{drawing.name}-{size_name}', drawing, size))
                     for size_name, size in (('w', drawing.wide), ('n', drawing.narrow))))


def pictures(drawings: Sequence[Drawing], processes: int) -> list[Picture]:
    """Return pictures, drawn by a number of forked processes."""
    from markupsafe import Markup
    jobs = [(f'{one.name}-{name}', one, size) for one in drawings for name, size in zip('wn', (one.wide, one.narrow))]
    found = dict(forked(lambda place: Markup(svg(*jobs[place])), len(jobs), processes))
    return [Picture(found[2 * place], found[2 * place + 1]) for place in range(len(drawings))]


def svg(name: str, drawing: Drawing, size: Size) -> str:
    """Return a drawing of a size as an SVG element with unique ids."""
    from matplotlib import style
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
    text = io.StringIO()
    with style.context({**STYLE, 'svg.hashsalt': name}, after_reset=True):
        drawn = Figure(figsize=(size.width / 72.0, size.height / 72.0), dpi=72, layout='constrained')
        canvas = FigureCanvasSVG(drawn)
        drawing.draw(drawn, size, drawing.shown)
        # Without savefig, which draws everything a second time for the layout.
        canvas.print_svg(text, metadata={'Date': None, 'Creator': None, 'Format': None, 'Type': None})
    return _embedded(text.getvalue(), name, drawing.description)


def _embedded(text: str, name: str, description: str) -> str:
    """Return matplotlib's SVG as part of a page, with the page's colours and font, and with unique ids."""
    text = text[text.index('<svg'):]
    text = re.sub(r'<metadata>.*?</metadata>', '', text, flags=re.DOTALL)
    text = re.sub(r'<!--.*?-->', '', text, flags=re.DOTALL)
    view = re.search(r'viewBox="([^"]*)"', text)
    assert view is not None
    opening = (f'<svg viewBox="{view.group(1)}" role="img" aria-label="{escape(description, quote=True)}" '
               'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">')
    text = opening + text[text.index('>') + 1:]
    text = re.sub(r'font-family: [^;"]*;?\s*', '', text)
    text = re.sub(r'font: (?:[a-z0-9]+ )*?([\d.]+px)[^;"]*', r'font-size: \1', text)
    text = re.sub(r'\bid="([^"]*)"', rf'id="{name}-\1"', text)
    text = re.sub(r'(url\(#|href="#)', rf'\g<1>{name}-', text)
    text = re.sub(r'\b(d|points)="([^"]*)"', lambda found: f'{found[1]}="{_rounded(found[2])}"', text)
    text = re.sub(r'#[0-9a-fA-F]{6}\b', _variable, text)
    return re.sub(r'\n\s*', '\n', text)


def _rounded(path: str) -> str:
    short = re.sub(r'-?\d+\.\d+', lambda found: f'{round(float(found[0]), DECIMALS):g}', path)
    return re.sub(r'\s+', ' ', short)


def _variable(found: re.Match[str]) -> str:
    name = VARIABLES.get(found[0].lower())
    return f'var(--{name})' if name else found[0]
