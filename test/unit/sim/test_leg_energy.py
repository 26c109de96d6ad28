import math

import pytest

from usv_energy.powering.energy import CAUSES, Energy
from usv_energy.sim.leg_energy import LegEnergies, LegTimes, WaypointOrder, leg_figures, leg_name
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

HOLDING = {'lutra_prop': 16.296 * 0.4**2, 'lutra_prop_usvsim': 11.28 * 0.4**3}  # W: d11 u^2, and d11_q u^3


def energy(total, duration):
    return Energy(damping=total, total=total, duration=duration, distance_over_ground=2.0 * duration)


def collected(*samples):
    """Return the legs of samples (name, total J, duration s), a second apart."""
    legs = LegEnergies()
    for time, (name, total, duration) in enumerate(samples):
        legs.add(name, float(time), energy(total, duration))
    return legs.legs()


def test_a_leg_is_named_by_its_waypoint_or_its_number():
    assert leg_name(WaypointOrder(), 3, False) == '3'
    assert leg_name(WaypointOrder(name='pier'), 3, False) == 'pier'
    assert leg_name(WaypointOrder(name='pier'), 3, True) == 'hold at pier'


def test_a_step_belongs_to_the_leg_of_the_sample_that_it_ends_with():
    legs = collected(('A', 0.0, 0.0), ('A', 3.0, 1.0), ('B', 5.0, 2.0), ('B', 6.0, 3.0), ('A', 10.0, 4.0))
    assert [(leg.name, leg.begin, leg.end, leg.of('total'), leg.of('distance_over_ground')) for leg in legs] == [
        ('A', 0.0, 1.0, 3.0, 2.0), ('B', 1.0, 3.0, 3.0, 4.0), ('A', 3.0, 4.0, 4.0, 2.0)]
    assert [leg.mean_power for leg in legs] == [3.0, 1.5, 4.0]


def test_what_nothing_was_integrated_over_is_no_leg():
    """As the first sample, whose leg may not have been heard yet."""
    assert [leg.name for leg in collected(('', 0.0, 0.0), ('A', 0.0, 0.0), ('A', 1.0, 1.0))] == ['A']
    assert collected(('', 0.0, 0.0), ('', 2.0, 1.0)) == ()
    assert math.isnan(collected(('A', 0.0, 0.0))[0].mean_power)


def test_a_reset_of_the_energy_begins_anew():
    legs = collected(('A', 0.0, 0.0), ('A', 3.0, 1.0), ('B', 5.0, 2.0), ('B', 0.5, 0.25))
    assert [(leg.name, leg.of('total')) for leg in legs] == [('B', 0.5)]


def test_figures_have_every_cause_and_add_up():
    figures = leg_figures(collected(('A', 0.0, 0.0), ('A', 3.0, 1.0))[0])
    assert {f'energy_{cause}_j' for cause in CAUSES if cause != 'total'} <= figures.keys()
    assert (figures['energy_j'], figures['energy_damping_j'], figures['mean_power_w']) == (3.0, 3.0, 3.0)


def test_a_stamp_belongs_to_the_leg_that_began_before_it():
    times = LegTimes()
    assert times.at(5) == ''
    times.begin(0, 'A')
    times.begin(20, 'B')
    assert [times.at(stamp) for stamp in (0, 10, 20, 21)] == ['A', 'A', 'A', 'B']
    times.begin(10, 'C')  # a clock that went back: what was to come later is no more
    assert [times.at(stamp) for stamp in (10, 20, 30)] == ['A', 'C', 'C']
    for number in range(300):
        times.begin(100 + number, str(number))
    assert times.at(1000) == '299'
    assert times.at(299) == '200'  # the first of the hundred that are kept


@pytest.mark.parametrize('boat', HOLDING)
def test_holding_against_a_current_costs_its_drag_as_a_leg_of_its_own(boat):
    """The drag at 0.40 m/s through the water; its speed settles within seconds, its place in a minute."""
    run = run_scenario(read_scenario('holding/current_040').with_options(boat=boat))
    assert [leg.name for leg in run.legs] == ['end', 'hold at end', 'hold at end once settled']
    assert [leg.of('duration') for leg in run.legs[1:]] == pytest.approx([100.0, 60.0], abs=1e-9)
    assert run.legs[2].mean_power == pytest.approx(HOLDING[boat], rel=0.01)
    assert run.legs[2].of('distance_over_ground') < 0.05  # the second stay goes on with the first: it moves nothing


@pytest.mark.parametrize('name', ['holding/current_040', '3', 'river/crossing_both'])
def test_legs_add_up_to_the_run(name):
    run = run_scenario(read_scenario(name))
    for quantity in (*CAUSES, 'duration', 'distance_over_ground', 'distance_through_water'):
        assert sum(leg.of(quantity) for leg in run.legs) == pytest.approx(getattr(run.energy, quantity), rel=1e-9,
                                                                            abs=1e-9), quantity
    assert run.legs[0].begin == 0.0
    assert run.legs[-1].end == run.duration
    assert all(one.end == other.begin for one, other in zip(run.legs, run.legs[1:]))
