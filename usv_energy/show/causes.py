"""The order, names and colours of the causes of power and energy in all outputs."""

from typing import NamedTuple

from usv_energy.show.figure import BLUE, BROWN, GREEN, INDIGO, OLIVE, ORANGE, PINK, PURPLE, SKY, TEAL, VERMILION, WINE


class Cause(NamedTuple):
    """A cause: its key in Power, Energy and JSON, its name in texts, its colours on white and on dark paper."""

    key: str
    name: str
    colour: str
    colour_on_dark: str


CAUSES = (
    Cause('damping', 'damping', BLUE, '#4aa8e0'),
    Cause('inertia', 'inertia', VERMILION, '#f08246'),
    Cause('wind', 'wind and air drag', GREEN, '#2cc399'),
    Cause('foils', 'foils', PINK, '#f2a7c3'),
    Cause('waves', 'waves', WINE, '#d977a8'),
    Cause('side_force', 'side force', BROWN, '#c49a7a'),
    Cause('residual', 'residual', OLIVE, '#c9c95e'),
    Cause('losses', 'losses', ORANGE, '#f0b429'),
    Cause('allocation', 'allocation', INDIGO, '#9d8ff0'),
    Cause('static_load', 'static load', SKY, '#8fd0f5'),
    Cause('loads', 'loads', TEAL, '#5fd3c8'),
    Cause('unrecovered', 'not recovered', PURPLE, '#e39cc3'),
)
