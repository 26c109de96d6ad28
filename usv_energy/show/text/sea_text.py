"""The sea that a boat is planned in, as text and as JSON; an estimate made for ships says so."""

from typing import Any

from ...physics.added_resistance import SeaAlong, WaveEstimate
from ..rounding import degrees

FOR_SHIPS = ('Added resistance is an estimate, STAWAVE-1 (ITTC 7.5-04-01-01.1), made for ships of over 100 m: waves '
             'from up to 45 degrees off the bow alone, all others counted as nothing. For a boat it is an order of '
             'magnitude')


def sea_line(sea: SeaAlong) -> str:
    """Return the sea and whose coefficients say what it does, as one line."""
    return f'Sea: {sea_words(sea)}'


def sea_words(sea: SeaAlong) -> str:
    """Return the same without its name."""
    said = ('the estimate STAWAVE-1, made for ships' if isinstance(sea.resistance, WaveEstimate)
            else "the boat file's coefficients")
    return (f'Hs {sea.height:g} m, Tp {sea.period:g} s, running to {degrees(sea.towards):.0f} deg; '
            f'added resistance by {said}')


def sea_notes(sea: SeaAlong | None) -> list[str]:
    """Return what is to be said of how the added resistance is known, as lines; none where the boat's own are used."""
    return [f'{FOR_SHIPS}.'] if sea is not None and isinstance(sea.resistance, WaveEstimate) else []


def sea_figures(sea: SeaAlong) -> dict[str, Any]:
    """Return the sea for JSON: units in the keys."""
    estimated = isinstance(sea.resistance, WaveEstimate)
    return {'significant_height_m': sea.height, 'peak_period_s': sea.period,
            'towards_deg': degrees(sea.towards),
            'added_resistance': 'stawave-1' if estimated else 'boat_file', 'made_for_ships': estimated}
