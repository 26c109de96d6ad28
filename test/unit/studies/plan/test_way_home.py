"""The way home and the point of no return, held to closed forms of linear drag with a hotel load."""

import math
from dataclasses import replace

import numpy as np
import pytest
from home_missions import BOAT, D11, HOTEL, told_missions
from windy_missions import TrueBoat, boat_file, true_power, windy_missions

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import STILL, Flow
from usv_energy.studies.plan.steady_motion import steady_state, top_speed
from usv_energy.studies.plan.way_home import (
    HomeCosts,
    HomeDoubt,
    HomePlace,
    earth_velocity,
    home_margin,
    reach_of_home,
    ring_about,
)

HOME = [HomePlace('home', 0.0, 0.0)]
EVEN = HomeDoubt(confidence=0.5)


@pytest.fixture(scope='module')
def costs():
    return HomeCosts(BOAT)


def closed_form(against):
    """Cheapest speed over ground, m/s, and energy, J/m, of d w^2 + h against a current: v^2 = c^2 + h / d."""
    speed = math.sqrt(against * against + HOTEL / D11)
    return speed, 2.0 * D11 * (speed + against)


@pytest.mark.parametrize('against', [-0.4, -0.2, 0.0, 0.3, 0.45])
def test_the_way_home_in_a_current_along_it(costs, against):
    flow = Flow(against, 0.0, against, 0.0)   # Towards the east; home lies to the west. The air goes with the water.
    costs.refresh(flow)
    found = home_margin(costs, (500.0, 0.0), (0.0, 0.0), 0.0, 60e3, 5e3, HOME, flow, EVEN)
    speed, energy = closed_form(against)
    assert found.way.speed == pytest.approx(speed, rel=0.05)     # Flat at its least.
    assert found.way.energy == pytest.approx(500.0 * energy, rel=3e-3)
    assert found.way.energy_upper == pytest.approx(found.way.energy)
    assert found.margin == pytest.approx(55e3 - found.way.energy)
    assert found.way.duration == pytest.approx(500.0 / found.way.speed)


@pytest.mark.parametrize('ordered', [0.5, 1.1])
def test_the_way_home_at_an_ordered_speed(ordered):
    """Then a metre takes (d w^2 + h) / v, w through the water; a speed that cannot be held is the fastest that can."""
    costs, flow = HomeCosts(BOAT), Flow(0.2, 0.0, 0.2, 0.0)
    costs.refresh(flow)
    costs.order_speed(ordered)
    assert not costs.is_complete
    costs.refresh(flow)
    way = home_margin(costs, (500.0, 0.0), (0.0, 0.0), 0.0, 60e3, 5e3, HOME, flow, EVEN).way
    assert way.speed == pytest.approx(ordered)
    assert way.energy == pytest.approx(500.0 * (D11 * (ordered + 0.2) ** 2 + HOTEL) / ordered, rel=3e-3)
    costs.order_speed(100.0)
    costs.refresh(flow)
    fastest = home_margin(costs, (500.0, 0.0), (0.0, 0.0), 0.0, 60e3, 5e3, HOME, flow, EVEN).way.speed
    top = float(top_speed(BOAT.vessel))
    assert top - 0.2 - (top + 0.2) / 20.0 < fastest < top - 0.2 + 1e-3
    costs.order_speed(None)
    costs.refresh(flow)
    assert home_margin(costs, (500.0, 0.0), (0.0, 0.0), 0.0, 60e3, 5e3, HOME, flow, EVEN).way.energy < way.energy


@pytest.mark.parametrize('doubt', [EVEN, HomeDoubt(0.993, 2e3, 0.05, 0.5), HomeDoubt(0.993, 2e3, 0.0, 0.0)])
def test_on_the_ring_about_home_the_margin_is_nought(costs, doubt):
    flow = Flow(0.25, 0.1, 2.0, -1.0)
    costs.refresh(flow, doubt=doubt)
    distances = reach_of_home(costs, 60e3, 5e3, flow, doubt)
    margins = [home_margin(costs, place, (0.0, 0.0), 0.0, 60e3, 5e3, HOME, flow, doubt).margin
               for place in zip(*ring_about(*HOME[0][1:], distances))]
    np.testing.assert_allclose(margins, 0.0, atol=1e-6)
    assert min(distances) > 100.0
    assert not reach_of_home(costs, 5e3 + 1.0, 5e3 + 2.0, flow, doubt).any()


def test_the_ring_ends_at_home_where_a_current_lets_no_boat_back(costs):
    """It flows to the east faster than the boat goes: from there it comes back on no course, from the west it does."""
    flow = Flow(3.0, 0.0, 0.0, 0.0)
    costs.refresh(flow)
    x, y = ring_about(0.0, 0.0, reach_of_home(costs, 60e3, 5e3, flow, EVEN))
    assert x.max() == np.abs(y[x >= 0.0]).max() == 0.0 and x.min() < -1000.0


def test_a_boat_without_a_hotel_load_has_a_bounded_way_home_before_the_wind():
    """Drifting there costs nothing, and is sure to get nowhere: a speed whose bound is finite is taken instead."""
    costs, flow = HomeCosts(read_boat('lutra_prop')), Flow(0.0, 0.0, -1.4, -3.8)
    doubt = HomeDoubt(0.993, 0.0, 0.03, 1.0)
    for _ in range(2):
        costs.refresh(flow, doubt=doubt)
        found = home_margin(costs, (100.0, 300.0), (0.0, 0.0), 0.0, 60e3, 0.0, HOME, flow, doubt)
        assert 0.0 < found.way.energy <= found.way.energy_upper < math.inf
        assert reach_of_home(costs, 60e3, 0.0, flow, doubt).min() > 0.0


@pytest.mark.parametrize('along', [-0.3, 0.0, 0.3])
def test_the_point_of_no_return_out_and_back(costs, along):
    """E = P t + e v t, where e is what a metre of the way back costs."""
    flow = Flow(along, 0.0, along, 0.0)
    costs.refresh(flow)
    velocity, power = 0.9, D11 * (0.9 - along) ** 2 + HOTEL
    found = home_margin(costs, (0.0, 0.0), (velocity, 0.0), power, 50e3, 0.0, HOME, flow, EVEN)
    duration = 50e3 / (power + closed_form(along)[1] * velocity)
    assert found.no_return_duration == pytest.approx(duration, rel=0.01)
    assert found.no_return_distance == pytest.approx(duration * velocity, rel=0.01)


def test_a_boat_that_lies_still_uses_up_its_margin_by_waiting(costs):
    costs.refresh(STILL)
    found = home_margin(costs, (100.0, 0.0), (0.0, 0.0), HOTEL, 20e3, 0.0, HOME, STILL, EVEN)
    assert found.no_return_duration == pytest.approx(found.margin / HOTEL, rel=1e-3)
    assert found.no_return_distance == 0.0


def test_past_the_point_of_no_return_and_no_headway(costs):
    costs.refresh(STILL)
    found = home_margin(costs, (2000.0, 0.0), (1.0, 0.0), 20.0, 1e3, 0.0, HOME, STILL, EVEN)
    assert found.margin < 0.0 and found.no_return_duration == 0.0 and found.no_return_distance == 0.0
    strong = Flow(3.0, 0.0, 3.0, 0.0)
    costs.refresh(strong)
    found = home_margin(costs, (50.0, 0.0), (1.0, 0.0), 20.0, 1e6, 0.0, HOME, strong, EVEN)
    assert found.margin == -math.inf and found.way.energy == math.inf


def test_the_home_that_costs_least_is_not_the_nearest(costs):
    """Against 0.4 m/s a metre costs ten times as much as with it."""
    flow = Flow(0.4, 0.0, 0.4, 0.0)
    costs.refresh(flow)
    homes = [HomePlace('up', -100.0, 0.0), HomePlace('down', 200.0, 0.0)]
    assert home_margin(costs, (0.0, 0.0), (0.0, 0.0), 1.0, 1e5, 0.0, homes, flow, EVEN).way.place.name == 'down'


def test_turned_with_its_current_everything_stays():
    found = []
    for turn in (0.0, 2.0 * math.pi * 17 / 72):   # By whole courses, so that nothing is interpolated anew.
        c, s = math.cos(turn), math.sin(turn)
        costs, flow = HomeCosts(BOAT), Flow(0.2 * c, 0.2 * s, 3.0 * c, 3.0 * s)
        costs.refresh(flow, doubt=HomeDoubt(0.5, wind_std=1.0))
        found.append(home_margin(costs, (300.0 * c, 300.0 * s), (0.5 * c, 0.5 * s), 20.0, 40e3, 1e3, HOME, flow,
                                 HomeDoubt(0.99, 500.0, 0.05, 1.0)))
    for one, other in zip(found[0][0][1:] + found[0][1:], found[1][0][1:] + found[1][1:]):
        assert one == pytest.approx(other, rel=1e-6)


def test_the_bound_knows_energy_current_and_boat():
    """One at a time: 2.326 deviations of the energy; a current that takes 2.326 x 0.05 m/s; a boat's scattered drag."""
    sure = 2.3263479
    costs = HomeCosts(BOAT)
    costs.refresh(STILL)

    def bound(**doubt):
        way = home_margin(costs, (400.0, 0.0), (0.0, 0.0), 1.0, 1e5, 0.0, HOME, STILL, HomeDoubt(0.99, **doubt)).way
        return way.energy, way.energy_upper

    energy, upper = bound(energy_std=100.0)
    assert upper - energy == pytest.approx(100.0 * sure, rel=1e-6)
    speed = float(costs.along(np.array([math.pi]))[1][0])
    energy, upper = bound(current_std=0.05)
    assert upper / energy == pytest.approx(speed / (speed - 0.05 * sure), rel=1e-6)
    doubtful = HomeCosts(BOAT, 400, {'damping.linear.d11': '20%'})
    doubtful.refresh(STILL)
    way = home_margin(doubtful, (400.0, 0.0), (0.0, 0.0), 1.0, 1e5, 0.0, HOME, STILL, HomeDoubt(0.99)).way
    # At the cheapest speed half of the power is drag, of which 20 % are a deviation.
    assert way.energy_upper / way.energy - 1.0 == pytest.approx(0.5 * 0.2 * sure, rel=0.1)


@pytest.mark.parametrize('speed, current_std, held', [(0.8, 0.05, 0.8), (1.2, 0.15, 0.96)])
def test_a_current_raises_the_power_of_a_speed_over_ground_that_is_ordered(speed, current_std, held):
    """
    (d w + k v^2) w + h, w through the water: v in still water, v + s against the current, if need be at a lower v.

    1.2 + 0.349 m/s is beyond the top speed; 0.80 x 1.2 is the first step of a twentieth below 1.35 - 0.349.
    """
    against, costs, air = current_std * 2.3263479, HomeCosts(BOAT), 0.5 * 1.184 * 0.08 * 0.68

    def energy(ground, through):
        return 400.0 / ground * ((D11 * through + air * ground ** 2) * through + HOTEL)

    doubt = HomeDoubt(0.99, current_std=current_std)
    costs.order_speed(speed)
    costs.refresh(STILL, doubt=doubt)
    way = home_margin(costs, (400.0, 0.0), (0.0, 0.0), 1.0, 1e5, 0.0, HOME, STILL, doubt).way
    assert way.energy == pytest.approx(energy(speed, speed), rel=1e-6)
    assert way.energy_upper == pytest.approx(energy(held, held + against), rel=1e-6)


@pytest.mark.parametrize('current_std', [0.03, 0.1])
def test_a_boat_without_a_hotel_load_has_the_least_bound_at_a_speed_that_beats_the_current(current_std):
    """
    A metre costs d v, and with a current that may be s stronger at most d v^2 / (v - s): least at 2 s, 4 d s.

    At the speed of the least energy, next to none, a current of 0.07 m/s might have stopped it: it was to return home
    from beside the pier with a full battery.
    """
    boat = replace(BOAT, vessel=BOAT.vessel._replace(static_load=0.0))
    doubt, slower = HomeDoubt(0.99, current_std=current_std), 2.3263479 * current_std
    costs = HomeCosts(boat)
    costs.refresh(STILL, doubt=doubt)
    found = home_margin(costs, (10.0, 0.0), (0.0, 0.0), 0.0, 1e6, 1e5, HOME, STILL, doubt)
    assert found.way.energy_upper == pytest.approx(10.0 * 4.0 * D11 * slower, rel=0.01)
    assert found.way.speed == pytest.approx(2.0 * slower, rel=0.1)     # Flat at its least.
    assert found.margin == pytest.approx(9e5 - found.way.energy_upper) and found.no_return_duration == math.inf


def test_costs_are_worked_out_anew_only_where_the_flow_has_changed():
    costs = HomeCosts(BOAT)
    assert not costs.is_complete
    # Where all speeds are tried, 40 for the 13 near the last one, so many courses fewer: it takes no longer.
    assert costs.refresh(STILL, most=10) == 72 - 3 and costs.refresh(STILL) == 0 and costs.is_complete
    nearly = Flow(0.01, 0.0, 0.1, 0.0)
    assert costs.refresh(nearly, most=0) == 0 and costs.refresh(Flow(0.1, 0.0, 0.0, 0.0), most=0) == 72


def test_costs_followed_through_a_changing_flow_are_those_of_a_fresh_look():
    """
    Near the last best speed fewer are tried: none is lost where that went away.

    A fresh look's steps are 8 %, of a least that is sharp where a current takes the boat along; a nearer look is finer.
    """
    boat, followed = read_boat('otter'), HomeCosts(read_boat('otter'))
    courses = 2.0 * np.pi * np.arange(72) / 72
    for step in range(12):
        flow = Flow(0.1 + 0.08 * step, -0.05 * step, 4.0 - 0.5 * step, 2.0)
        if step == 9:
            flow = Flow(-0.9, 0.5, -6.0, -3.0)   # At once: the last best speeds are of no use.
        for _ in range(72):
            if not followed.refresh(flow, 1.0, 6, HomeDoubt(0.5, wind_std=1.0)):
                break
        fresh = HomeCosts(boat)
        fresh.refresh(flow, doubt=HomeDoubt(0.5, wind_std=1.0))
        one, other = followed.along(courses)[0], fresh.along(courses)[0]
        assert np.array_equal(np.isfinite(one), np.isfinite(other)), step
        held = np.isfinite(one)
        assert np.all(one[held] <= 1.015 * other[held]) and np.all(one[held] >= 0.95 * other[held]), step


@pytest.mark.parametrize('wrong', [{'confidence': 1.0}, {'confidence': 0.2}, {'energy_std': -1.0},
                                   {'current_std': math.nan}, {'wind_std': math.inf}])
def test_doubts_that_cannot_be_are_refused(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        HomeDoubt(**wrong).checked()


def test_velocity_in_earth_axes():
    assert earth_velocity(1.0, 0.5, 0.5 * math.pi) == pytest.approx((-0.5, 1.0))


def test_told_by_the_margin_boats_come_home():
    """Closed-form boats, whose drag, current and charge differ from what is known: as the bench's 10 000 missions."""
    told = told_missions(200, seed=7)
    assert np.count_nonzero(told.stranded) <= 6       # 1 % are allowed; 7 or more of 200 then happen once in 300.
    assert np.median(told.wasted_share) <= 0.10


def test_in_wind_too_boats_come_home(tmp_path):
    """Boats that differ by their own covariance, in current and wind: as the bench's 10 000 with --windy."""
    told = windy_missions(200, 7, tmp_path)
    assert np.count_nonzero(told.stranded) <= 6       # As above.
    assert np.median(told.wasted_share) <= 0.10


def test_the_truth_of_the_missions_in_wind_is_the_steady_motion(tmp_path):
    """The balance of the missions' twin, which shares no code with it, and the steady model: to rounding."""
    vessel, rng = read_boat(boat_file(tmp_path)).vessel, np.random.default_rng(3)
    for _ in range(60):
        flow = Flow(*rng.uniform(-0.3, 0.3, 2), *rng.uniform(-5.0, 5.0, 2))
        course, speed = rng.uniform(-math.pi, math.pi), rng.uniform(0.1, 1.2)
        power = true_power(TrueBoat(), course, speed, flow[:2], flow[2:])
        motion = steady_state(vessel, course, speed, flow)
        assert bool(motion.feasible) == math.isfinite(power)
        if motion.feasible:
            assert power == pytest.approx(float(motion.power.total), rel=1e-12)
