"""What all results of the public Python API can do: text, figures, tables of xarray and pandas, HTML, pictures."""

import textwrap
from collections.abc import Mapping
from dataclasses import fields
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from usv_energy.api.given import shown
from usv_energy.files.alike import same
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_text
from usv_energy.files.optional import optional
from usv_energy.show.figure import Panel

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

Made = TypeVar('Made', bound='Result')
LINES, WIDTH = 24, 100      # of a repr, at most
ROWS = 12           # of a table in HTML, at most
UNITS = {'1': '', 'm s-1': 'm/s', 'rad s-1': 'rad/s', 'm s-2': 'm/s^2', 'rad s-2': 'rad/s^2', 'J m-1': 'J/m'}


class ResultTable(NamedTuple):
    """
    A result as a table.

    `along`: the name of the dimension, and of the column that counts along it. `columns`: by name the values, one a
    row, and their unit. `facts`: what holds for all rows, as attributes.
    """

    along: str
    columns: dict[str, tuple[Any, str]]
    facts: dict[str, Any]


class Result:
    """
    A result of the Python API.

    `print(result)` and notebooks show what the command of that name prints, one screen of it. Fields are read-only, and
    so are their arrays (`array.copy()` is yours). Two results of a kind are equal if all their values are; NaN is NaN.
    """

    __slots__ = ()

    def __new__(cls: type[Made], *values: Any, **named: Any) -> Made:
        """Return the result of some fields; dataclasses take them in `__init__`."""
        if not issubclass(cls, tuple):
            return super().__new__(cls)
        return super().__new__(cls, *map(read_only, values),
                               **{name: read_only(value) for name, value in named.items()})

    def __post_init__(self) -> None:
        """Make the arrays of a dataclass read-only."""
        getattr(super(), '__post_init__', tuple)()
        for one in fields(self):  # type: ignore[arg-type]
            object.__setattr__(self, one.name, read_only(getattr(self, one.name)))

    def __eq__(self, other: object) -> bool:
        """Return whether another result is of this kind and has the same values."""
        return same(self, other)

    def __ne__(self, other: object) -> bool:
        """Return whether another object is something else."""
        return not same(self, other)

    def __hash__(self) -> int:
        """Return a number that equal results share."""
        values = self if isinstance(self, tuple) else vars(self).values()
        return hash((type(self), *(value for value in values if isinstance(value, str | float) and value == value)))

    def text(self) -> str:
        """Return the result in words, as the command prints it."""
        raise NotImplementedError

    def figures(self) -> dict[str, Any]:
        """Return the numbers as the command writes them with --json: units in the keys, None where there is none."""
        raise NotImplementedError

    def tabulated(self) -> ResultTable:
        """Return the rows of `to_xarray` and `to_dataframe`."""
        raise NotImplementedError

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` can draw, by name, the first by default: functions that draw into matplotlib's axes."""
        return {}

    def to_xarray(self) -> 'xarray.Dataset':
        """
        Return the result as an xarray Dataset: one dimension, `units` in the attributes of each variable; a copy.

        :raises InputError: If xarray is not installed.
        """
        library = optional('xarray', 'sweep', 'labelled results')
        along, columns, facts = self.tabulated()
        arrays = {name: (along, np.array(values), {'units': unit}) for name, (values, unit) in columns.items()}
        dataset = library.Dataset(arrays, attrs=facts)
        return dataset.set_coords(along) if along in arrays else dataset

    def to_dataframe(self) -> 'pandas.DataFrame':
        """
        Return the result as a pandas DataFrame; `frame.attrs['units']` has the unit of each column.

        :raises InputError: If pandas is not installed.
        """
        library = optional('pandas', 'sweep', 'tables of pandas')
        along, columns, facts = self.tabulated()
        frame = library.DataFrame({name: np.asarray(values) for name, (values, _) in columns.items()})
        frame = frame.set_index(along) if along in frame else frame.rename_axis(along)
        frame.attrs.update(facts, units={name: unit for name, (_, unit) in columns.items()})
        return frame

    def plot(self, axes: 'Axes | None' = None, panel: str | None = None) -> 'Axes':
        """
        Draw the result, and return the axes.

        :param axes: Where to draw; None: those of a new figure of pyplot.
        :param panel: Which picture, of several; None: the first. An unknown one is an error that names them.
        :raises InputError: If the result has no picture of that name, or `axes` are no axes of matplotlib.
        """
        panels = self.panels()
        name = next(iter(panels), None) if panel is None else panel
        if not isinstance(name, str) or name not in panels:
            raise InputError(f'panel is {shown(panel)}; must be one of '
                             f'{", ".join(panels) or "none: there is no picture"}')
        from matplotlib.axes import Axes
        if not isinstance(axes, Axes | None):
            raise InputError(f'axes is {shown(axes)}; must be one Axes of matplotlib, as of pyplot.subplots(), or None')
        if axes is None:
            from matplotlib import pyplot
            axes = pyplot.subplots(layout='constrained')[1]
        panels[name](axes)
        return axes

    def __repr__(self) -> str:
        """Return the text, one screen of it."""
        return one_screen(self.text())

    def __str__(self) -> str:
        """Return the same as repr does."""
        return repr(self)

    def _repr_html_(self) -> str:
        """Return the first lines, and the beginning of the table, for notebooks."""
        head = repr(self).split('\n\n')[0]
        return f'<pre>{escape(head)}</pre>{html_of(self.tabulated())}'


def read_only(value: Any) -> Any:
    """Return a value whose arrays cannot be written to, those of its records, too; the arrays given still can be."""
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    elif type(value) is tuple or hasattr(value, '_make'):
        parts = [read_only(one) for one in value]
        if any(part is not one for part, one in zip(parts, value)):
            return tuple(parts) if type(value) is tuple else value._make(parts)
    return value


def one_screen(text: str) -> str:
    """Return the first LINES lines of a text, long ones wrapped, and how many more there are."""
    lines = [part for line in safe_text(text).splitlines()
             for part in ([line] if len(line) <= WIDTH else textwrap.wrap(
                 line, WIDTH, subsequent_indent=line[:len(line) - len(line.lstrip())] + '  ', break_on_hyphens=False))]
    if len(lines) > LINES:
        lines = [*lines[:LINES], f'... {len(lines) - LINES} more lines: print(result.text())']
    return '\n'.join(lines)


def html_of(table: ResultTable) -> str:
    """Return the first rows of a table as HTML, units in the head; columns of zeros are left out."""
    columns = {name: (np.asarray(values), unit) for name, (values, unit) in table.columns.items()
               if name == table.along or np.asarray(values).dtype.kind != 'f' or np.any(np.asarray(values) != 0.0)}
    number = max((values.size for values, _ in columns.values()), default=0)
    head = ''.join(f'<th>{escape(name)}{f", {escape(said)}" if (said := UNITS.get(unit, unit)) else ""}</th>'
                   for name, (_, unit) in columns.items())
    rows = ''.join('<tr>' + ''.join(f'<td>{escape(_cell(values[row]))}</td>' for values, _ in columns.values())
                   + '</tr>' for row in range(min(number, ROWS)))
    more = f'<p>{number - ROWS} more rows: to_dataframe()</p>' if number > ROWS else ''
    return f'<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}'


def _cell(value: Any) -> str:
    return f'{value:.6g}' if isinstance(value, float | np.floating) else str(value)


def to_dataset(result: Result) -> 'xarray.Dataset':
    """
    Return a result as an xarray Dataset, units in the attributes; the same as `result.to_xarray()`.

    :param result: Of any function of this API: `run_scenario`, `analyze_log`, `range_study`, `mission`, `power` ...
    :raises InputError: If it is no such result, or xarray is not installed.

    >>> data = usv_energy.to_dataset(usv_energy.run_scenario('1'))
    >>> data.power_total.attrs['units']
    'W'
    """
    if not isinstance(result, Result):
        raise InputError(f'result is of the type {type(result).__name__}; must be what a function of usv_energy gave')
    return result.to_xarray()
