"""Water and air from arguments of a command, and a flow at the points of a table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.locate import names, user_path
from usv_energy.files.parsed_text import yaml_value
from usv_energy.files.table import FINITE, read_head, read_table
from usv_energy.flow.analytic import RemarkedFlow, UniformFlow
from usv_energy.flow.field import FlowField
from usv_energy.flow.flow_file import SUFFIXES, FlowFile, raw_flow, read_flow
from usv_energy.flow.on_earth import own_frame
from usv_energy.flow.placement import Transform
from usv_energy.flow.readers import open_flow
from usv_energy.phrases import HOW, SpokenFlow, flow_phrase
from usv_energy.physics.frames import polar_to_earth
from usv_energy.physics.motion import STILL, Flow


def uniform_of(text: str | None, name: str, medium: str) -> UniformFlow:
    """
    Return the uniform flow of a phrase, as `usv_energy.phrases.flow_phrase` reads it; zero without a text.

    :param text: As `0.5 kn set 090`, or two bare numbers: m/s, and degrees counter-clockwise from east it flows to.
    :param name: Of the option, for the error message.
    :param medium: water or air.
    :raises InputError: If the text has another form.
    """
    if text is None:
        return UniformFlow()
    said = flow_phrase(text, name, medium)
    if said is None:
        raise InputError(f'{name} is {text!r}; must be {HOW[medium]}')
    return _uniform(said)


def _uniform(said: SpokenFlow) -> UniformFlow:
    return RemarkedFlow.of(UniformFlow(*polar_to_earth(said.speed, said.direction_deg)), said.remark)


def flow_of(text: str | None, name: str, medium: str, dated: bool = False) -> UniformFlow | FlowFile | None:
    """
    Return the flow from a text: a phrase, the name or path of a flow file, or a file of data; None without a text.

    :param text: The argument; what is the name of a file is not read as a phrase.
    :param name: Of the option, for the error message.
    :param medium: water or air; the file must be of it.
    :param dated: Whether the caller puts the dates of a file of data on its clock: `on_one_clock`, `laid_along_log`.
    :raises InputError: If it is none of them, or a file of data that says too little of its place and its times.
    """
    if text is None:
        return None
    if text not in names('flows') and not user_path(text).is_file():
        said = flow_phrase(text, name, medium)
        if said is not None:
            return _uniform(said)
    path = user_path(text)
    is_data = path.suffix not in SUFFIXES and (path.is_file() or (path.suffix == '.zarr' and path.is_dir()))
    flow = _data(path, name, medium, dated) if is_data else read_flow(text)
    if flow.medium not in ('', medium):
        flow.close()
        raise InputError(f'{name} is {text!r}, a flow of {flow.medium}; must be one of {medium}')
    return flow


def _data(path: Path, name: str, medium: str, dated: bool) -> FlowFile:
    """Return a file of data as a flow that lies where it says; if it changes, its time 0 is that of its first step."""
    def lacks(what: str, key: str) -> InputError:
        return InputError(f'{name} is {str(path)!r}, {what}; name it in a flow file (YAML: medium: {medium}; file: '
                          f'{{path: {path.name}}}; {key}), and give that one; what is in it: usv-energy flow info')

    try:
        source = open_flow(path, medium=medium)
    except InputError as error:
        raise InputError(f'{name}: {error}') from None
    flow = raw_flow(path, source)
    flow = replace(flow, medium=flow.describe().get('medium') or medium)
    try:
        if own_frame(flow) is None:
            raise lacks('whose metres are of a map that it does not name, so that nothing says where on the Earth it '
                        'lies', 'transform: {x: ..., y: ...}')
        if flow.changes and flow.zero is None:
            raise lacks('which changes and says no dates', 'time: {mode: hold, start: 0}')
        if flow.changes and not dated:
            raise lacks(f'which changes, {flow.span_words}, and here no time of day is known',
                        'time: {mode: hold, start: 0}, in s from its first time')
    except InputError:
        flow.close()
        raise
    return flow


def named_flow(name: str, reader: str | None = None, options: Sequence[str] = (),
               transform: Sequence[float] | None = None) -> FlowFile:
    """
    Return a shipped flow, that of a flow's YAML file, or a raw file as a flow.

    :param name: Name or path.
    :param reader: Of a raw file, by name; None to recognise it by its content.
    :param options: Of its reader, each NAME=VALUE, with the value in YAML.
    :param transform: Position of the world's origin on its map, m, and direction of the world's x axis there, degrees.
    :raises InputError: If there is none, or it cannot be read with these.
    """
    path = user_path(name)
    if path.suffix in SUFFIXES or name in names('flows'):
        for option, given in (('reader', reader), ('option', options), ('transform', transform)):
            if given:
                raise InputError(f'--{option} goes with a raw file; {name} is a flow file: write it there')
        return read_flow(name)
    if not path.exists():
        raise InputError(f'{path}: there is no such file, nor a shipped flow of this name; there are: '
                         f'{", ".join(names("flows"))}')
    x, y, turned = transform or (0.0, 0.0, 0.0)
    return raw_flow(path, open_flow(path, dict(map(_option, options)), reader), Transform(x, y, turned))


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition('=')
    if not equals or not name:
        raise InputError(f'--option is {text!r}; must be NAME=VALUE')
    try:
        return name, yaml_value(value, f'--option {name}')
    except InputError:
        raise InputError(f'--option {name} is {value!r}, which is wrong YAML') from None


def steady_flow(current: UniformFlow, wind: UniformFlow) -> Flow:
    """Return the function of (t, x, y) for uniform and constant water and air."""
    return STILL._replace(current_x=current.x, current_y=current.y, wind_x=wind.x, wind_y=wind.y)


# The name of a column, and its name in the tables that this package writes.
COLUMNS = {'t': ('t', 't_s', 'time_s'), 'x': ('x', 'x_m'), 'y': ('y', 'y_m')}
HEADER = 't_s,x_m,y_m,vx_m_s,vy_m_s,inside'


class Points(NamedTuple):
    """Times s and coordinates m at which to evaluate a flow, each of shape (N,)."""

    t: np.ndarray
    x: np.ndarray
    y: np.ndarray


class PointVelocities(NamedTuple):
    """The velocities of a flow at Points, m/s, NaN without a value, each of shape (N,)."""

    points: Points
    vx: np.ndarray
    vy: np.ndarray
    inside: np.ndarray


def read_points(path: Path) -> Points:
    """
    Return the points in a CSV with the columns t, x, y, in any order; other columns are ignored.

    A run's samples.csv (time_s, x_m, y_m) can be used, too.

    :raises InputError: If it cannot be read, lacks a column, or holds a value that is not finite; the message names
        line, column and value.
    """
    head = read_head(path)
    columns = {name: next((known for known in COLUMNS[name] if known in head.names), '') for name in COLUMNS}
    lacking = [name for name, column in columns.items() if not column]
    if lacking:
        raise InputError(f'{path}: line {head.line}: lacks the column {lacking[0]!r}; it has: {", ".join(head.names)}. '
                         'Required: t (s), x, y (m)')
    return Points(*read_table(path, list(columns.values()), FINITE).values())


def velocities_at(flow: FlowField, points: Points) -> PointVelocities:
    """Return the flow at points, in their order; those of one time are evaluated together."""
    vx, vy = np.full(points.t.shape, np.nan), np.full(points.t.shape, np.nan)
    inside = np.zeros(points.t.shape, dtype=bool)
    times, which = np.unique(points.t, return_inverse=True)
    order = np.argsort(which, kind='stable')
    for t, here in zip(times, np.split(order, np.cumsum(np.bincount(which))[:-1])):
        vx[here], vy[here], inside[here] = flow.velocity(float(t), points.x[here], points.y[here])
    return PointVelocities(points, vx, vy, inside)


def lines_of(answer: PointVelocities) -> Iterator[str]:
    """Return the lines of a CSV with its header; numbers are exact, nan without a velocity."""
    yield HEADER
    for *numbers, inside in zip(*answer.points, answer.vx, answer.vy, answer.inside):
        yield f'{",".join(repr(float(number)) for number in numbers)},{int(inside)}'


def records_of(answer: PointVelocities) -> list[dict[str, Any]]:
    """Return one mapping per point, for JSON; None without a velocity."""
    keys = HEADER.split(',')
    return [dict(zip(keys, (*map(float, place), *(float(v) if here else None for v in velocity), bool(here))))
            for *place, here, velocity in zip(*answer.points, answer.inside, zip(answer.vx, answer.vy))]
