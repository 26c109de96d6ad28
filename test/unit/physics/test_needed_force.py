"""What a hull needs in waves that move the water about it, against closed forms of the drag."""

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.needed_force import WaveAction, needed_of
from usv_energy.physics.power import Relative

CALM_AIR = read_boat('lutra_prop').vessel
CALM_AIR = CALM_AIR._replace(windage=CALM_AIR.windage._replace(air_density=0.0))
STEADY = (0.0, 0.0, 0.0)
DIAGONAL = CALM_AIR.damping._replace(d23=0.0, d32=0.0, d11_q=0.0, d22_q=0.0, d33_q=0.0)


def test_a_hull_that_moves_as_the_waves_move_the_water_has_no_drag():
    at = Relative(0.4, -0.3, 0.2, 0.0, 0.0)
    with_them = needed_of(at, STEADY, CALM_AIR, WaveAction(0.0, 0.0, 0.0, at.u_r, at.v_r, at.r))
    assert with_them.damping == pytest.approx(0.0, abs=1e-12)
    assert needed_of(at, STEADY, CALM_AIR).damping > 1.0


@pytest.mark.parametrize(('axis', 'name'), [(0, 'd11'), (1, 'd22'), (2, 'd33')])
def test_water_that_waves_move_against_a_hull_adds_to_its_drag(axis, name):
    """Linear: d (v + w) v for a hull at v in water that waves move by w against it; the force is that of calm water."""
    speed, against = 0.4, 0.1
    motion, moved = [0.0] * 3, [0.0] * 3
    motion[axis], moved[axis] = speed, -against
    vessel = CALM_AIR._replace(damping=DIAGONAL)
    drag = getattr(DIAGONAL, name)
    found = needed_of(Relative(*motion, 0.0, 0.0), STEADY, vessel, WaveAction(0.0, 0.0, 0.0, *moved))
    assert found.damping == pytest.approx(drag * (speed + against) * speed, rel=1e-12)
    assert found.force[axis] == pytest.approx(drag * speed, rel=1e-12)
    # Thrusters work at the water's own speed: what they give beyond the drag goes into the waves, or comes from them.
    given = found.force[axis] * (speed + against)
    assert found.damping + found.waves == pytest.approx(given, rel=1e-12)
