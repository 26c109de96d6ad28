from usv_energy.boats.boat_file import boat_from, read_boat
from usv_energy.boats.numbers import BOAT_NUMBERS
from usv_energy.files.checked import read_with_base

LUTRA = read_boat('lutra_prop')


def test_what_a_file_leaves_out_has_the_value_of_its_row():
    """Cross terms of damping and inertia, the yaw moment of the wind: 0 where a file says nothing of them."""
    document = read_with_base('boats', LUTRA.path)
    given = {'m11', 'm22', 'm33', 'd11', 'd22', 'd33', 'd11_q', 'd22_q', 'd33_q'}
    vessel = boat_from(document, LUTRA.path).vessel
    for part in (vessel.inertia, vessel.damping):
        for name in set(part._fields) - given - {'wave'}:
            row = next(row for row in BOAT_NUMBERS.values() if row.fields[-1] == name)
            assert getattr(part, name) == row.default == 0.0


def test_what_most_boats_have_not_is_none():
    """Compiled code leaves it out by its type."""
    assert LUTRA.vessel.foils == () and (LUTRA.vessel.parts, LUTRA.vessel.sea, LUTRA.vessel.damping.wave) == (None,) * 3
    for thruster in LUTRA.vessel.thrusters:
        have = thruster.axis, thruster.sway_share, thruster.in_air, thruster.azimuth, thruster.propeller
        assert have == (None,) * 5
