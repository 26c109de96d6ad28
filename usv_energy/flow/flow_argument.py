"""Water and air as a person says them on a command line: 0.4,45, a flow file, or none."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import yaml

from ..files.errors import InputError
from ..files.locate import names
from ..files.user_path import user_path
from ..physics.frames import polar_to_earth
from ..physics.motion import STILL, Flow
from .flow_file import SUFFIXES, FlowFile, raw_flow, read_flow
from .readers import open_flow
from .transform import Transform
from .uniform import UniformFlow

GIVEN = 'SPEED,DIRECTION'
HOW = 'm/s and where it flows to, degrees counter-clockwise from east, as 0.4,45'


def speed_and_direction(text: str, name: str) -> tuple[float, float]:
    """
    Return the speed, m/s, and the direction, degrees, that a text like `0.4,45` or `0.4 45` says.

    :param name: Of the option, for the error.
    :raises InputError: If it says something else.
    """
    try:
        speed, direction = map(float, text.replace(',', ' ').split())
    except ValueError:
        raise InputError(f'{name} is {text!r}; must be {GIVEN}, {HOW}') from None
    if not (math.isfinite(speed) and math.isfinite(direction) and speed >= 0.0):
        raise InputError(f'{name} is {text!r}; must be {GIVEN}, {HOW}: finite numbers, the speed from 0 on')
    return speed, direction


def uniform_of(text: str | None, name: str) -> UniformFlow:
    """
    Return the flow that a text like `0.4,45` says; still where there is none.

    :param text: Speed, m/s, and direction that it flows to, degrees counter-clockwise from east.
    :param name: Of the option, for the error.
    :raises InputError: If it says something else.
    """
    return UniformFlow() if text is None else UniformFlow(*polar_to_earth(*speed_and_direction(text, name)))


def flow_of(text: str | None, name: str, medium: str) -> UniformFlow | FlowFile | None:
    """
    Return the flow that a text says: `0.4,45`, or the name or path of a flow file; None where there is no text.

    :param text: As a person typed it.
    :param name: Of the option, for the error.
    :param medium: water or air: what the file must hold.
    :raises InputError: If it is neither.
    """
    if text is None:
        return None
    first = text.split(',')[0]
    try:
        float(first)
    except ValueError:
        flow = read_flow(text)
        if flow.medium not in ('', medium):
            flow.close()
            raise InputError(f'{name} is {text!r}, a flow of {flow.medium}; must be one of {medium}') from None
        return flow
    return uniform_of(text, name)


def named_flow(name: str, reader: str | None = None, options: Sequence[str] = (),
               transform: Sequence[float] | None = None) -> FlowFile:
    """
    Return a shipped flow, that of a flow's YAML file, or a raw file as a flow.

    :param name: Name or path, as a person typed it.
    :param reader: Of a raw file, by name; recognised by its content where None.
    :param options: Of its reader, each NAME=VALUE, the value in YAML.
    :param transform: Place of the world's origin on its map, m, and direction of the world's x axis there, degrees.
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
        return name, yaml.safe_load(value)
    except yaml.YAMLError:
        raise InputError(f'--option {name} is {value!r}, which is wrong YAML') from None


def steady_flow(current: UniformFlow, wind: UniformFlow) -> Flow:
    """Return water and air that are the same everywhere and always."""
    return STILL._replace(current_x=current.x, current_y=current.y, wind_x=wind.x, wind_y=wind.y)


def flow_words(x: float, y: float) -> str:
    """Return a flow, m/s (ENU), as a person reads it: its speed and where it flows to."""
    speed = math.hypot(x, y)
    if not math.isfinite(speed):
        return 'unknown'
    return 'none' if speed == 0.0 else f'{speed:.2f} m/s to {math.degrees(np.arctan2(y, x)) % 360.0:.0f} deg'
