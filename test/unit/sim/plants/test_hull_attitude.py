import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.sea import regular_sea
from usv_energy.physics.motion import Flow
from usv_energy.sim.plants.plant import Plant, hull_attitude
from usv_energy.sim.plants.water_around import Surroundings

STEP = 0.02


def test_a_boat_in_the_plane_has_none():
    assert hull_attitude(Plant(read_boat('otter').vessel, (0.0, 0.0, 0.0), lambda *_: Flow(0, 0, 0, 0), 0.1)) is None


def test_at_rest_it_is_the_current_and_nothing_else():
    plant = Plant(read_boat('otter_parts').vessel, (3.0, 4.0, math.pi / 2.0), lambda *_: Flow(0.2, 0.1, 0.0, 0.0), STEP)
    found = hull_attitude(plant)
    assert found[:6] == pytest.approx((3.0, 4.0, 0.0, 0.0, 0.0, math.pi / 2.0), abs=1e-12)
    assert found[6:] == pytest.approx((0.1, -0.2, 0.0, 0.0, 0.0, 0.0), abs=1e-12)


def test_its_velocities_are_the_rates_of_its_place_and_angles():
    """In waves from ahead: over a step the rates of x, z and pitch are those of u, w and q along the tilted axes."""
    plant = Plant(read_boat('otter_parts').vessel, (0.0, 0.0, 0.0), lambda *_: Flow(0.1, 0.0, 0.0, 0.0), STEP,
                  Surroundings(regular_sea(0.4, 3.0, math.pi)))
    seen = []
    for _ in range(600):
        plant.advance((40.0, 40.0))
        seen.append(hull_attitude(plant))
    x, z, pitch, u, w, q = (np.array([getattr(one, key) for one in seen]) for key in ('x', 'z', 'pitch', 'u', 'w', 'q'))
    middle = slice(301, 599)
    for place, rate in ((x, np.cos(pitch) * u + np.sin(pitch) * w), (z, -np.sin(pitch) * u + np.cos(pitch) * w),
                        (pitch, q)):
        np.testing.assert_allclose(np.gradient(place, STEP)[middle], rate[middle], atol=2e-3)
    assert np.ptp(z[middle]) == pytest.approx(0.4, rel=0.1)
