"""
A river after USVsim's: water between two banks, and a road bridge on pillars across it, made of boxes and cylinders.

Its banks stand where the flow in closed form (`flow.analytic.River`) ends, so a boat meets the bank where the water
stops. The pillars do not bend the water: the flow is that of the river without its bridge.
"""

import math
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ..flow.flow_file import FlowFile
from .sdf import Colour, add_shape, paint, static_model

BLUE, GREEN, CONCRETE = (0.1, 0.35, 0.55, 0.85), (0.25, 0.45, 0.2, 1.0), (0.6, 0.6, 0.58, 1.0)
BANK_WIDTH, BANK_HEIGHT, BANK_DEPTH = 15.0, 1.5, 2.0      # m: of the land shown, above and below the water.
BRIDGE_AT = 0.775                                         # Share of the river's length, from upstream.
PILLAR_ROWS = (-1.0 / 6.0, 1.0 / 6.0)                     # In river widths from the middle: three spans.
PILLAR_RADIUS, CLEARANCE = 0.75, 5.0                      # m
DECK_WIDTH, DECK_THICKNESS = 8.0, 0.8                     # m


def add_river(world: Element, river: FlowFile) -> None:
    """
    Add water, banks and bridge to a world.

    :param river: A FlowFile whose source is a River, placed in the world.
    """
    parameters = river.source.parameters  # type: ignore[attr-defined]
    width, length = float(parameters['width']), float(parameters['length'])
    (x, y), (ahead_x, ahead_y) = _to_world(river, 0.0, 0.0), _to_world(river, 1.0, 0.0)
    here = (x, y, 0.0, 0.0, 0.0, math.atan2(ahead_y - y, ahead_x - x))
    add_water(world, here, (length, width))
    for name, side in (('left_bank', 1.0), ('right_bank', -1.0)):
        place = (0.0, side * 0.5 * (width + BANK_WIDTH), 0.5 * (BANK_HEIGHT - BANK_DEPTH))
        _add_solid(static_model(world, name, here), 'ground', 'box', GREEN, place,
                   size=(length, BANK_WIDTH, BANK_HEIGHT + BANK_DEPTH))
    _add_bridge(world, here, width, length)


def add_water(world: Element, pose: tuple[float, ...], size: tuple[float, float]) -> None:
    """Add a surface of water, to see, not to run into: its pose, m and rad, its length and width, m."""
    surface = static_model(world, 'water', pose)
    paint(add_shape(surface, 'visual', 'surface', 'plane', normal=(0.0, 0.0, 1.0), size=size), BLUE)


def _add_solid(link: Element, name: str, shape: str, colour: Colour, place: tuple[float, ...], **measures: Any) -> None:
    """Add a shape to see and to run into; SDF wants the names of the two to differ."""
    add_shape(link, 'collision', f'{name}_body', shape, place, **measures)
    paint(add_shape(link, 'visual', name, shape, place, **measures), colour)


def _add_bridge(world: Element, here: tuple[float, ...], width: float, length: float) -> None:
    bridge = static_model(world, 'bridge', here)
    at = (BRIDGE_AT - 0.5) * length
    span = width + 2.0 * BANK_WIDTH
    deck = CLEARANCE + 0.5 * DECK_THICKNESS
    _add_solid(bridge, 'deck', 'box', CONCRETE, (at, 0.0, deck), size=(DECK_WIDTH, span, DECK_THICKNESS))
    for number, row in enumerate(PILLAR_ROWS):
        for side in (-1, 1):
            _add_solid(bridge, f'pillar_{number}_{"upstream" if side < 0 else "downstream"}', 'cylinder', CONCRETE,
                       (at + side * 0.3 * DECK_WIDTH, row * width, 0.5 * (CLEARANCE - BANK_DEPTH)),
                       radius=PILLAR_RADIUS, length=CLEARANCE + BANK_DEPTH)
    for side in (-1, 1):
        paint(add_shape(bridge, 'visual', f'parapet_{"left" if side > 0 else "right"}', 'box', size=(0.2, span, 1.0),
                        place=(at + side * 0.48 * DECK_WIDTH, 0.0, CLEARANCE + DECK_THICKNESS + 0.5)), CONCRETE)


def _to_world(river: FlowFile, along: float, aside: float) -> tuple[float, float]:
    """Return the place in the world of a point of the river, m downstream and to the left of its middle."""
    parameters = river.source.parameters  # type: ignore[attr-defined]
    angle = math.radians(parameters['direction_deg'])
    cosine, sine = math.cos(angle), math.sin(angle)
    x, y = river.transform.to_world(np.array([parameters['x'] + along * cosine - aside * sine]),
                                    np.array([parameters['y'] + along * sine + aside * cosine]))
    return float(x[0]), float(y[0])
