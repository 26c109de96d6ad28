"""A load on deck: mass and inertia in the plane; sinkage, heel and trim of a hull of parts, by hydrostatics."""

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.deck_load import DeckLoad, loaded_vessel

OTTER = read_boat('otter_parts')
LENGTH, WIDTH, ASIDE, DENSITY, MASS, HEIGHT = 2.0, 0.1875, 0.395, 1025.0, 55.0, 0.334


def test_nothing_on_deck_changes_nothing():
    assert loaded_vessel(OTTER, None) is OTTER.vessel


def test_in_the_plane_it_is_a_point_mass():
    boat = read_boat('lutra_prop')
    loaded = loaded_vessel(boat, DeckLoad(2.0, 0.3, 0.1, 0.5))
    bare = boat.vessel.inertia
    assert loaded.inertia.m11 == bare.m11 + 2.0 and loaded.inertia.m22 == bare.m22 + 2.0
    assert loaded.inertia.m33 == pytest.approx(bare.m33 + 2.0 * (0.09 + 0.01))
    assert loaded._replace(inertia=bare) == boat.vessel


def test_a_hull_of_parts_sinks_heels_and_trims_by_hydrostatics():
    """
    Sinkage m / (rho A); angle = moment over weight times metacentric height, GM = KB + I / volume - KG.

    A small load: the angle is 3 mrad, so that the waterline's change counts for less than a percent.
    """
    load = DeckLoad(1.0, 0.10, 0.05, 0.3)
    hull, bare = loaded_vessel(OTTER, load).parts, OTTER.vessel.parts
    area, mass = 2.0 * LENGTH * WIDTH, MASS + 1.0
    draught, volume = mass / (DENSITY * area), mass / DENSITY
    bare_draught = MASS / (DENSITY * area)
    kg = (MASS * HEIGHT + (0.3 + bare_draught)) / mass
    across = 2.0 * LENGTH * WIDTH * (ASIDE ** 2 + WIDTH ** 2 / 12.0) / volume
    along = 2.0 * WIDTH * LENGTH ** 3 / 12.0 / volume
    assert hull.draught - bare.draught == pytest.approx(1.0 / (DENSITY * area), rel=1e-3)
    roll, pitch = (arm / mass / (0.5 * draught + inertia - kg) for arm, inertia in ((0.05, across), (0.10, along)))
    assert hull.rest_roll == pytest.approx(-roll, rel=1e-2)   # To port: port side down.
    assert hull.rest_pitch == pytest.approx(pitch, rel=7e-2)  # Ahead: bow down; two columns have 6 % less moment.
    assert hull.mass == mass and hull.mass_y == pytest.approx(0.05 / mass)
    assert OTTER.hull_sheet.floating.thrust_height - hull.thrust_arm == pytest.approx(kg, rel=1e-6), 'over the keel'
