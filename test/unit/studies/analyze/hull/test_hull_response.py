"""What a block shows by drag, current, wind and compass, against closed forms of a boat of linear drag."""

import math

import numpy as np
import pytest
from hull_cruises import BLUEBOAT, _balance

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.power import power_rep103
from usv_energy.studies.analyze.hull.hull_response import (
    CURRENT,
    DRAG,
    TURNED,
    WIND,
    CruiseBlock,
    linear_response,
    stretch_response,
    tells_sway,
)

LUTRA = read_boat('lutra_prop').vessel
D11, D22, AHEAD, ASIDE = 16.296, 10.193, 0.5 * 1.184 * 0.08 * 0.68, 0.5 * 1.184 * 0.18 * 1.11


def block(yaw=0.0, u=1.0, v=0.0, wind=None, u_dot=0.0):
    """Return a block in still water, with the air going along with the boat where no wind is given."""
    over = (u * math.cos(yaw) - v * math.sin(yaw), u * math.sin(yaw) + v * math.cos(yaw))
    return CruiseBlock(0.0, yaw, u, v, 0.0, 0.0, *(wind or over), 20.0, 0.0, u_dot)


def states(*rows):
    out = np.zeros((len(rows), 6))
    for row, change in zip(out, rows):
        for place, value in change.items():
            row[place] = value
    return out


def test_power_grows_with_the_drag_and_with_the_square_of_the_speed_through_the_water():
    found = stretch_response(block(), states({}, {DRAG: 0.2}, {1: -0.1}, {2: 0.3}), LUTRA, False)[:, 0]
    assert found[:2] == pytest.approx([math.log(D11), math.log(D11) + 0.2])
    assert found[2] == pytest.approx(math.log(D11 * 1.1 ** 2), abs=1e-9)
    assert found[3] == pytest.approx(found[0]), 'a current from abeam takes no thrust ahead'


def test_acceleration_takes_its_share_of_the_thrust():
    found = stretch_response(block(u_dot=0.05), states({}), LUTRA, False)[0, 0]
    assert math.exp(found) == pytest.approx(D11 + 9.75 * 0.05)


def test_sway_is_what_current_and_wind_leave_of_it():
    wind = (3.0, 4.0)
    sideways = ASIDE * (wind[1] - 0.15) * math.hypot(wind[0] - 1.0, wind[1] - 0.15) / D22
    plain, current = stretch_response(block(v=0.15, wind=wind), states({}, {2: 0.1}), LUTRA, True)[:, 1]
    assert plain == pytest.approx(0.15 - sideways, rel=0.15)
    # More wind over the ground is felt by the hull through its own motion, too: a little more than the current alone.
    assert current - plain == pytest.approx(-0.1, rel=0.1)


def test_quadratic_side_drag_is_in_balance_where_the_twin_has_it():
    vessel = read_boat('blueboat_start').vessel
    aside = 4.0
    sideways = _balance(BLUEBOAT, aside)
    # Seen from the boat the air comes straight from abeam.
    found = stretch_response(block(u=1.5, v=sideways, wind=(1.5, sideways + aside)), states({}), vessel, True)[0, 1]
    assert found == pytest.approx(0.0, abs=1e-6)


def test_derivatives_are_those_of_a_current_a_wind_and_a_compass():
    means = states({}, {DRAG: 0.1})
    expected, slopes = linear_response(block(yaw=0.5, wind=(1.0, 0.0)), 1.0, means, LUTRA, True)
    assert expected == pytest.approx(stretch_response(block(yaw=0.5, wind=(1.0, 0.0)), means, LUTRA, True))
    along = slopes[0, 0, CURRENT] @ (math.cos(0.5), math.sin(0.5))
    assert along == pytest.approx(-2.0, rel=0.01)
    assert slopes[:, 0, DRAG] == pytest.approx(1.0, rel=0.01)
    assert np.all(slopes[:, 0, WIND] @ (math.cos(0.5), math.sin(0.5)) < 0.0), 'wind from behind saves'
    assert slopes[0, 1, TURNED] == pytest.approx(1.0, rel=0.2), 'a compass askew shows a sway that is none'


def test_only_boats_that_push_ahead_tell_by_their_sway():
    slanted = LUTRA._replace(thrusters=tuple(one._replace(axis=(0.8, 0.6)) for one in LUTRA.thrusters))
    assert not tells_sway(slanted)
    assert tells_sway(LUTRA) and not tells_sway(read_boat('milliampere').vessel)
    for d22, d22_u, told in ((0.0, 0.0, False), (0.0, 1.0, True), (1.0, 0.0, True), (1.0, -1.0, False)):
        damping = LUTRA.damping._replace(d22=d22, d22_u=d22_u)
        assert tells_sway(LUTRA._replace(damping=damping)) is told


@pytest.mark.parametrize('name', ['wamv', 'milliampere', 'lutra_rudder', 'lutra_airboat', 'otter'])
def test_every_kind_of_boat_takes_more_with_more_drag(name):
    vessel = read_boat(name).vessel
    found = stretch_response(block(v=0.02, wind=(0.5, 0.2)), states({}, {DRAG: 0.2}), vessel, tells_sway(vessel))
    assert np.isfinite(found).all() and found[1, 0] > found[0, 0] + 0.1


@pytest.mark.parametrize('name', ['lutra_prop', 'wamv', 'lutra_rudder', 'otter'])
def test_what_is_not_known_of_a_block_is_what_another_block_would_say(name):
    """A current and a wind are added to the known ones, and a compass that shows too much turns heading and motion."""
    vessel, turned = read_boat(name).vessel, 0.02
    one = block(yaw=0.5, u=0.9, v=-0.2, wind=(2.0, -1.0), u_dot=0.03)._replace(current_x=0.1, current_y=-0.05)
    found = stretch_response(one, states({1: 0.07, 2: 0.11, 3: -0.6, 4: 0.4, TURNED: turned}), vessel, True)
    other = one._replace(yaw=0.5 - turned, u=0.9 + turned * 0.2, v=-0.2 + turned * 0.9, current_x=0.17, current_y=0.06,
                         wind_x=1.4, wind_y=-0.6)
    np.testing.assert_allclose(found, stretch_response(other, states({}), vessel, True), rtol=1e-12)


def test_what_always_runs_is_not_the_propulsions_and_a_boat_that_the_wind_drives_takes_a_thousandth():
    plain, loaded = (stretch_response(block(), states({}), LUTRA._replace(static_load=watts), False)
                     for watts in (0.0, 7.0))
    np.testing.assert_allclose(plain, loaded, rtol=1e-12)
    blown = stretch_response(block(wind=(60.0, 0.0)), states({}), LUTRA, False)[0, 0]
    assert blown == pytest.approx(math.log(1e-3 * 20.0), abs=1e-12)


@pytest.mark.parametrize('name', ['lutra_prop', 'blueboat_start', 'otter', 'lutra_rudder'])
def test_without_sway_beyond_the_balance_no_side_force_is_missing(name):
    """Found by halving; the side force is that of the power's own accounts."""
    vessel, low, high = read_boat(name).vessel, -2.0, 2.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        ahead = stretch_response(block(v=middle, wind=(1.0, 6.0)), states({}), vessel, True)[0, 1] > 0.0
        low, high = (low, middle) if ahead else (middle, high)
    one, slip = block(v=middle, wind=(1.0, 6.0)), 0.01
    missing = [float(power_rep103(Motion(0.0, 1.0, v, 0.0, 0.0, 0.0, 0.0), Flow(0.0, 0.0, one.wind_x, one.wind_y),
                                  vessel).side_force) for v in (middle, middle + slip)]
    assert abs(middle) > 1e-3 and abs(missing[0]) < 1e-6 * abs(missing[1])
