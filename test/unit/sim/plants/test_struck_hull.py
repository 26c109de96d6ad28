import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.deck_load import DeckLoad, loaded_vessel
from usv_energy.physics.parted_hull import vector_to_earth
from usv_energy.sim.plants.floating import Afloat, struck, turn_of_hull, with_origin_of
from usv_energy.sim.plants.plant_step import PlantState


def test_another_origin_leaves_the_hull_where_it_is():
    """The keel below the boat's point stays and moves as before; P goes along the mast, velocities by w x r."""
    boat = read_boat('otter_parts')
    old, new = boat.vessel.parts, loaded_vessel(boat, DeckLoad(20.0, 0.3, 0.1, 0.8)).parts
    state = PlantState(4.0, -2.0, 0.7, 1.1, 0.2, 0.3, 5.0, Afloat(0.3, 0.1, -0.2, 0.4, 0.5, -0.6))

    def keel(one, hull):
        turn, arm = turn_of_hull(one.afloat, one.yaw), hull.columns[0].bottom
        place = vector_to_earth(0.0, 0.0, arm, turn)
        moving = (one.u_r + one.afloat.q * arm, one.v_r - one.afloat.p * arm, one.afloat.w)
        return (one.x + place[0], one.y + place[1], one.afloat.height + place[2], *moving)

    moved = with_origin_of(state, old, new)
    assert keel(moved, new) == pytest.approx(keel(state, old), rel=1e-12)
    assert moved.afloat.height > state.afloat.height  # The load lies above the centre of mass.
    back = with_origin_of(moved, new, old)
    assert (*back[:7], *back.afloat[:6]) == pytest.approx((*state[:7], *state.afloat[:6]), rel=1e-12)


def test_a_blow_keeps_momentum_and_angular_momentum():
    """About P: the momentum up is the impulse, its moments are the arms times it; off-centre mass included."""
    boat = read_boat('otter_parts')
    hull = loaded_vessel(boat, DeckLoad(10.0, 0.3, 0.2, 0.4)).parts
    still = Afloat(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    after = struck(still, -2.0, 0.5, 0.3, hull)
    up = hull.heave_mass * (after.w + hull.mass_y * after.p - hull.mass_x * after.q)
    assert up == pytest.approx(-2.0, rel=1e-12)
    assert hull.roll_inertia * after.p + hull.mass_y * up == pytest.approx(0.3 * -2.0, rel=1e-12)
    assert hull.pitch_inertia * after.q - hull.mass_x * up == pytest.approx(-0.5 * -2.0, rel=1e-12)
