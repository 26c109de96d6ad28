"""Water and air as a person says them on a command line: 0.4,45, a flow file, or none."""

import math

import numpy as np

from ..files.errors import InputError
from ..physics.frames import polar_to_earth
from ..physics.power import STILL, Flow
from .flow_file import FlowFile, read_flow
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


def steady_flow(current: UniformFlow, wind: UniformFlow) -> Flow:
    """Return water and air that are the same everywhere and always."""
    return STILL._replace(current_x=current.x, current_y=current.y, wind_x=wind.x, wind_y=wind.y)


def flow_words(x: float, y: float) -> str:
    """Return a flow, m/s (ENU), as a person reads it: its speed and where it flows to."""
    speed = math.hypot(x, y)
    if not math.isfinite(speed):
        return 'unknown'
    return 'none' if speed == 0.0 else f'{speed:.2f} m/s to {math.degrees(np.arctan2(y, x)) % 360.0:.0f} deg'
