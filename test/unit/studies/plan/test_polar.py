"""Polar diagrams: USVsim's published speeds under sail, closed forms, both tacks, and steadiness in the plant."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.checks import has_sail
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import Flow
from usv_energy.powering.actuators import Setting
from usv_energy.sim.plants.plant_step import PlantState, held_flow, rate_in_calm, rk4_step
from usv_energy.studies.plan.polar import polar_dataset, polar_of, polar_study

SAIL = read_boat('lutra_sail').vessel
CALM = SAIL.windage._replace(frontal_area=0.0, lateral_area=0.0)
# USVsim's public data (polar_diagram_2_1.txt of commit 61e8f4a5), wind of 2 m/s: degrees off the wind, speed ahead m/s,
# and the angle of its sail, the best of all in steps of 5 degrees, deg.
PUBLISHED = {20: (0.252, 0), 30: (0.349, 0), 60: (0.621, 10), 90: (0.756, 25), 110: (0.772, 40), 120: (0.760, 45),
             150: (0.685, 70), 180: (0.599, 90)}


def test_usvsims_speeds_at_half_the_wind_as_published():
    """Within 12 % at 20 degrees (a repeat there differs by as much) and 7 % from 30 up; 150 is not asked for: 9 %."""
    speed = dict(zip(PUBLISHED, polar_of(SAIL, [2.0], list(PUBLISHED)).speed[:, 0]))
    assert speed[20] == pytest.approx(0.252, rel=0.12)
    for angle in (30, 60, 90, 110, 120, 180):
        assert speed[angle] == pytest.approx(PUBLISHED[angle][0], rel=0.07), angle
    assert speed[150] == pytest.approx(0.685, rel=0.10)


def test_usvsims_own_way_of_measuring():
    """
    From rest, rudder amidships, each sail angle held for 3 s, the fastest taken: sail_polar_diagram.py, 7f3cb6d2.

    The boat luffs meanwhile, which is why its speeds downwind are above the steady ones. Nothing is fitted: within 5 %
    from 30 degrees up, and the best sail angles, of which neighbours hardly differ, within 10 degrees of its own.
    """
    sails = np.radians(np.arange(0.0, 91.0, 5.0))
    off_bow, sail = (grid.ravel() for grid in np.meshgrid(np.radians(list(PUBLISHED)), sails, indexing='ij'))
    still = 0.0 * sail
    flow = Flow(still, still, -2.0 * np.cos(off_bow), -2.0 * np.sin(off_bow))
    state, held = PlantState(*[still] * 7), Setting((), (), (sail, None, still))
    for _ in range(150):
        state = rk4_step(state, (None,) * 3, (held,) * 3, 0.0, 0.02, SAIL, held_flow, (flow,))
    speeds = state.u_r.reshape(len(PUBLISHED), sails.size)
    for (angle, (published, trim)), row in zip(PUBLISHED.items(), speeds):
        assert row.max() == pytest.approx(published, rel=0.05 if angle >= 30 else 0.12), angle
        assert np.degrees(sails[np.argmax(row)]) == pytest.approx(trim, abs=10.0), angle
        assert row.max() - row[round(trim / 5)] < 0.015


# USVsim's six runs in 4 m/s of wind (polar_diagram_4.txt, _4_1 and _4_2 of commit 3c085252, both tacks): mean speed
# ahead, m/s; and that of polar_diagram_2.txt in 2 m/s, by degrees off the wind.
IN_FOUR = {60: (1.083, 0.620), 70: (1.234, 0.689), 80: (1.360, 0.728), 90: (1.413, 0.758), 100: (1.483, 0.771),
           110: (1.543, 0.766), 120: (1.476, 0.748), 150: (1.400, 0.672), 180: (1.224, 0.584)}


def test_in_4_metres_of_wind_usvsims_boat_loses_what_no_planar_boat_does():
    """
    All forces of sail, keel, rudder and hull are quadratic, so twice the wind is twice the speed: exactly so here.

    USVsim's own speeds are 7 to 15 % below that from 60 to 90 degrees, where the side force is largest, and within 5 %
    from 100 up: its boat heels. So much is this boat too fast there, and no more.
    """
    angles = list(IN_FOUR)
    slow, fast = polar_of(SAIL, [2.0, 4.0], angles).speed.T
    np.testing.assert_allclose(fast, 2.0 * slow, rtol=1e-9)
    for angle, speed, (mean, half) in zip(angles, fast, IN_FOUR.values()):
        of_own_law = 2.0 * half / mean - 1.0
        assert (0.05 < of_own_law < 0.16) if angle <= 90 else abs(of_own_law) < 0.05, angle
        assert -0.11 < speed / mean - 1.0 < 0.15, angle
        assert speed < 2.0 * half * 1.01, 'no faster than USVsim by its own law'


def test_no_headway_straight_into_the_wind():
    polar = polar_of(SAIL, [2.0, 6.0], [0.0, 360.0, -40.0, 40.0])
    assert np.all(polar.speed[:2] == 0.0) and np.all(np.isnan(polar.leeway_deg[:2]))
    assert np.all(polar.made_good()[2:] > 0.15 * polar.wind_speeds)


def test_both_tacks_are_alike():
    angles = np.arange(10.0, 180.0, 10.0)
    port, starboard = (polar_of(SAIL, [3.0], sign * angles) for sign in (1.0, -1.0))
    np.testing.assert_allclose(port.speed, starboard.speed, rtol=1e-9)
    for name in ('leeway_deg', 'sail_deg', 'rudder_deg'):
        np.testing.assert_allclose(getattr(port, name), -getattr(starboard, name), rtol=1e-6, atol=1e-6)
    assert np.all(port.sail_deg > 0.0) and np.all(port.leeway_deg[:6] < 0.0), 'boom and drift to leeward, starboard'


def test_speeds_grow_with_the_wind_where_every_force_is_quadratic():
    polar = polar_of(SAIL, [1.0, 2.0, 5.0], [25.0, 70.0, 130.0])
    np.testing.assert_allclose(polar.speed / polar.wind_speeds, polar.speed[:, :1] @ np.ones((1, 3)), rtol=1e-9)


def test_dead_downwind_by_hand():
    """Sail square: 1/2 rho A 2 drag (W - u)^2 = d11 u^2, so u = W / (1 + sqrt(d11 / k)); boom amidships, calm hull."""
    sail, keel, rudder = SAIL.foils
    vessel = SAIL._replace(windage=CALM, foils=(sail._replace(aft=0.0), keel, rudder))
    k = 0.5 * sail.density * sail.area * 2.0 * sail.drag
    polar = polar_of(vessel, [4.0], [180.0])
    assert polar.speed[0, 0] == pytest.approx(4.0 / (1.0 + math.sqrt(60.0 / k)), rel=1e-9)
    assert abs(polar.sail_deg[0, 0]) == pytest.approx(90.0)
    assert polar.made_good()[0, 0] == pytest.approx(-polar.speed[0, 0])


@pytest.mark.parametrize('trim', ['half', 'drive'])
def test_the_plant_stays_in_the_motion_that_is_found(trim):
    polar = polar_of(SAIL, [2.5], [25.0, 60.0, -100.0, 150.0], trim)
    for angle, speed, leeway, sail, rudder in zip(
            np.radians(polar.angles_deg), polar.speed[:, 0], *(np.radians(part[:, 0]) for part in (
                polar.leeway_deg, polar.sail_deg, polar.rudder_deg))):
        state = PlantState(0.0, 0.0, 0.0, speed * math.cos(leeway), speed * math.sin(leeway), 0.0, 0.0)
        flow = Flow(0.0, 0.0, -2.5 * math.cos(angle), -2.5 * math.sin(angle))
        rate = rate_in_calm(state, Setting((), (), (sail, None, rudder)), flow, SAIL)
        assert rate[3:6] == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
        assert rate.work == 0.0


def test_trimming_for_drive_is_faster_than_half_the_wind():
    angles = np.arange(15.0, 181.0, 15.0)
    half, drive = (polar_of(SAIL, [3.0], angles, trim).speed for trim in ('half', 'drive'))
    assert np.all(drive >= half * (1.0 - 1e-4)) and drive[1, 0] > 1.1 * half[1, 0]


def test_a_heading_that_the_rudder_cannot_hold_is_no_steady_motion():
    sail, keel, rudder = SAIL.foils
    vessel = SAIL._replace(foils=(sail._replace(x=1.5), keel, rudder._replace(area=0.01)))
    assert np.isnan(polar_of(vessel, [3.0], [90.0]).speed[0, 0])


def test_full_thrust_against_and_with_the_wind_by_hand():
    """T = d11 u^2 + 1/2 rho A_F c_x (W + u) |W + u| with the quadratic hull."""
    vessel = read_boat('lutra_prop_usvsim').vessel
    assert not has_sail(vessel)
    polar = polar_of(vessel, [5.0], [0.0, 180.0, 70.0, -70.0])
    k = 0.5 * 1.184 * 0.08 * 0.68
    for (speed,), wind in zip(polar.speed[:2], (5.0, -5.0)):
        left = 11.28 * speed ** 2 + k * (wind + speed) * abs(wind + speed)
        assert left == pytest.approx(23.0 * math.cos(math.radians(15.0)), rel=1e-5)
    assert polar.speed[2] == pytest.approx(polar.speed[3], rel=1e-6)
    assert polar.leeway_deg[2, 0] < -1.0 and np.all(polar.power > 0.0) and polar.trim is None


def test_wind_must_be_above_0():
    with pytest.raises(InputError, match='wind of 0 m/s; must be greater than 0'):
        polar_study(read_boat('lutra_sail'), [2.0, 0.0], [90.0])


def test_dataset_has_units():
    pytest.importorskip('xarray')
    dataset = polar_dataset(polar_of(SAIL, [2.0, 3.0], [60.0, 90.0, 120.0]))
    assert dataset['speed'].dims == ('wind_angle', 'wind_speed')
    units = {'speed': 'm s-1', 'made_good': 'm s-1', 'sail_deg': 'degree', 'power': 'W', 'wind_angle': 'degree'}
    assert {name: dataset[name].attrs['units'] for name in units} == units
