"""How fast a boat may go before its drag is no longer what its file describes: waves, planing, shallow water."""

import math

from usv_energy.boats.boat_file import Boat
from usv_energy.physics.hull_resistance import GRAVITY

WAVES = 0.35    # (-), Froude number from which a hull's waves count, if its drag is linear and quadratic.
PLANING = 1.0   # (-), Froude number from which hulls plane or are about to, which no drag here describes.
SHALLOW = 0.7   # (-), speed over that of waves in shallow water from which the bottom adds to the drag.
TOO_LOW = '26 to 57 %'  # By how much powers near hull speed were too low, of two boats with public tables.


def speed_of_froude(boat: Boat, froude: float) -> float:
    """Return the speed at a Froude number, (-), m/s, with the length over all for the waterline; NaN if not known."""
    return math.nan if boat.hull.length is None else froude * math.sqrt(GRAVITY * boat.hull.length)


def wave_note(boat: Boat, fastest: float) -> str:
    """
    Return what a boat's file does not know of its drag up to a speed, as a sentence; empty if it knows it.

    :param fastest: Through the water, m/s; NaN if not known.
    """
    if boat.power_curve is not None or not fastest > 0.0:
        return ''
    wave, waves, planes = boat.vessel.damping.wave, speed_of_froude(boat, WAVES), speed_of_froude(boat, PLANING)
    if fastest > planes:
        return (f'Above {planes:.2f} m/s (Froude {PLANING:g}) a hull of {boat.hull.length:g} m planes, or is about to: '
                'no drag in a boat file describes that, so nothing here holds')
    if wave is None:
        return (f'Above {waves:.2f} m/s (Froude {WAVES:g}) a hull of {boat.hull.length:g} m makes waves, which its '
                'file leaves out (no damping.wave). If its drag was measured at lower speeds, the power above is too '
                f'low, for two boats by {TOO_LOW} near hull speed; if it was measured above, the power at lower '
                'speeds is too high') if fastest > waves else ''
    if fastest > wave.speed[-1]:
        return (f'Above {wave.speed[-1]:g} m/s, the end of its damping.wave, the resistance of the waves that the hull '
                'makes is taken to grow with the square of the speed')
    return ''


def shallow_depth(speed: float) -> float:
    """
    Return the depth, m, below which the bottom adds to the drag at a speed through the water, m/s.

    Source: at 0.7 of the speed of long waves, sqrt(g h), the wave resistance begins to differ from that of deep water
        (Schlichting, 1934; Lackenby, 1963).
    """
    return (speed / SHALLOW) ** 2 / GRAVITY
