import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.studies.identify.trials.coast_down import Glide, coast_down, coast_down_boat, gliding_speed

TIME = np.arange(0.0, 12.0, 0.1)


def test_the_written_boat_glides_as_the_glides_did(tmp_path):
    """Air and payload stand in the file by themselves; drag and mass of the whole boat are those that were found."""
    boat = read_boat('lutra_airboat', payload=2.0)
    rng = np.random.default_rng(3)
    glides = [Glide('glide', 0.0, TIME, gliding_speed(TIME, 0.7, 1.0 / mass, 6.0 / mass) + rng.normal(0.0, 0.003, 120),
                    mass - 13.0) for mass in (13.0, 16.0)]
    found = coast_down(glides, boat)
    written = write_boat(coast_down_boat(found, boat, 'mine', {'date': 'today'}), tmp_path / 'mine.yaml')
    assert written.hull.payload == 2.0 and found.mass_found
    assert written.vessel.inertia.m11 == pytest.approx(found.mass.value, rel=1e-5)
    assert written.vessel.damping.d11 == pytest.approx(found.linear.value, rel=1e-5)
    air = 0.5 * 1.184 * 0.08 * 0.68
    assert written.vessel.damping.d11_q == pytest.approx(found.quadratic.value - air, rel=1e-5)
    assert written.vessel.damping.d22_q == boat.vessel.damping.d22_q
    assert "'today'" in repr(coast_down_boat(found, boat, 'mine', {'date': 'today'})['identification'])


def test_without_a_second_mass_the_base_s_is_kept(tmp_path):
    boat = read_boat('lutra_airboat')
    found = coast_down([Glide('glide', 0.0, TIME, gliding_speed(TIME, 0.7, 0.0, 0.6), 0.0)], boat)
    written = write_boat(coast_down_boat(found, boat, 'mine', {}), tmp_path / 'mine.yaml')
    assert written.vessel.inertia == boat.vessel.inertia
    assert written.vessel.damping.d11_q == pytest.approx(0.6 * 12.05 - 0.5 * 1.184 * 0.08 * 0.68, rel=1e-4)
