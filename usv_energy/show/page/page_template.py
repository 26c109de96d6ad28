"""The templates of pages: what they are rendered by, and the figures at the top of a page."""

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ...version import __version__
from ..causes import CAUSES

if TYPE_CHECKING:
    from jinja2 import Environment

SHARED = 'page.html.j2', 'parts.html.j2'


class Tile(NamedTuple):
    """A figure at the top of the page; `rotation_deg`: of an arrow beside it, clockwise from pointing right."""

    value: str
    meaning: str
    rotation_deg: int | None = None


def rendered(template: str, **fields: Any) -> str:
    """Return a page of a template in `templates`, by its name; every field that it names must be given."""
    return _environment().get_template(f'templates/{template}').render(version=__version__, palette=CAUSES, **fields)


def compile_templates(*templates: str) -> None:
    """Compile templates, by their names, and what all pages share: for whoever waits before they are rendered."""
    for name in (*SHARED, *templates):
        _environment().get_template(f'templates/{name}')


@cache
def _environment() -> 'Environment':
    from jinja2 import Environment, PackageLoader, StrictUndefined
    environment = Environment(loader=PackageLoader('usv_energy', 'show/page'), autoescape=True, trim_blocks=True,
                              lstrip_blocks=True, undefined=StrictUndefined)
    environment.policies['json.dumps_kwargs'] = {'allow_nan': False}
    return environment
