"""A foil's force as Hydrodynamics gives it: 1 % of the boat file's at any angle, and what a boat lives by exactly."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.foils.foil import curve_of_table
from usv_energy.foils.foil_force import foil_force
from usv_energy.gazebo.hull import TURNS, foil_fit

RUDDER = read_boat('lutra_rudder').vessel.foils[0]._replace(x=0.0, y=0.0, aft=0.0, steer=None)
SECTIONS = {'USVsim rudder': (1.5, 1.0, 0.0), 'USVsim sail': (8.0, 4.0, 0.0), 'aspect 3': (1.9, 0.85, 0.01),
            'plate': (1.0, 1.0, 0.02)}


def fitted(fit, u, v):
    """Return the force, N, of the three links at a velocity through the fluid along and across the chord, m/s."""
    total = np.zeros(2)
    for turn, link in zip(TURNS, fit.links):
        c, s = math.cos(turn), math.sin(turn)
        own = {'U': c * u + s * v, 'V': c * v - s * u}
        force = {axis: sum(value * own[name[1]] * abs(own[name[-1]]) for name, value in link.items()
                           if name[0] == axis) for axis in 'xy'}
        total += [c * force['x'] - s * force['y'], s * force['x'] + c * force['y']]
    return total


def largest(foil):
    angles = np.linspace(0.0, math.pi, 361)
    return np.max(np.hypot(*foil_force(np.cos(angles), np.sin(angles), 0.0 * angles, None, foil)[:2]))


@pytest.mark.parametrize('section', SECTIONS)
def test_the_force_is_within_one_percent_of_the_largest_at_any_angle(section, rng):
    """And 2.5 % of itself, from all sides: what the fit says of itself is true, but for the steps that it looks at."""
    foil = RUDDER._replace(**dict(zip(('lift', 'drag', 'drag0'), SECTIONS[section])))
    fit, most = foil_fit(foil), largest(foil)
    for angle, speed in zip(rng.uniform(-math.pi, math.pi, 300), rng.uniform(0.1, 3.0, 300)):
        u, v = speed * math.cos(angle), speed * math.sin(angle)
        wanted = np.array(foil_force(u, v, 0.0, None, foil)[:2])
        off = np.linalg.norm(fitted(fit, u, v) - wanted)
        assert off <= 1.02 * fit.error * most * speed * speed
        assert off <= 0.025 * np.linalg.norm(wanted) + 1e-5 * most * speed * speed
    assert fit.error < 0.0125


@pytest.mark.parametrize('section', SECTIONS)
def test_along_the_chord_drag_and_both_slopes_are_the_foils(section):
    """A keel meets the water at a degree or two: 1 % of its largest force would be a third of the hull's drag."""
    foil = RUDDER._replace(**dict(zip(('lift', 'drag', 'drag0'), SECTIONS[section])))
    fit, most, little = foil_fit(foil), largest(foil), 1e-3
    for side in (1.0, -1.0):
        for ahead in (1.0, -1.0):
            wanted = foil_force(ahead * math.cos(little), side * math.sin(little), 0.0, None, foil)[:2]
            assert fitted(fit, ahead * math.cos(little), side * math.sin(little)) == pytest.approx(
                wanted, rel=2e-3, abs=1e-5 * most)


def test_it_grows_with_area_and_density_and_knows_no_place():
    larger = RUDDER._replace(area=3.0 * RUDDER.area, density=2.0 * RUDDER.density, x=9.0)
    one, other = foil_fit(RUDDER), foil_fit(larger)
    for mine, its in zip(one.links, other.links):
        assert mine.keys() == its.keys()
        assert [its[name] / mine[name] for name in mine] == pytest.approx([6.0] * len(mine), rel=1e-4)
    assert one.error == pytest.approx(other.error)


def test_a_sharp_stall_is_met_badly_and_the_fit_says_how_badly():
    """NACA 0015 or the like: C_L falls by a third between 14 and 18 degrees, which no three links can follow."""
    table = [[0, 0, 0.007], [5, 0.5, 0.01], [10, 0.95, 0.015], [14, 1.2, 0.02], [18, 0.85, 0.2], [27, 0.82, 0.4],
             [45, 1.05, 1.1], [60, 0.9, 1.6], [90, 0, 1.95]]
    foil = RUDDER._replace(curve=curve_of_table(table, 'test'))
    fit, angles = foil_fit(foil), np.radians(np.arange(0.0, 181.0, 0.5))
    wanted = np.array(foil_force(np.cos(angles), np.sin(angles), 0.0 * angles, None, foil)[:2]).T
    off = [np.linalg.norm(fitted(fit, math.cos(a), math.sin(a)) - force) for a, force in zip(angles, wanted)]
    assert fit.error == pytest.approx(max(off) / largest(foil), rel=1e-3) and 0.05 < fit.error < 0.3
