"""Loads in a mission's estimate: by leg, hold, speed and duty cycle, by closed forms; by name they sum to the total."""

import json
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.load import Duty, Load, LoadRule, LoadTopic, SpeedSwitch, rules_with_names
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.powering.energy import CAUSES
from usv_energy.sim.runner import run_scenario
from usv_energy.studies.mission.mission_estimate import legs_estimate
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import mission_study
from usv_energy.studies.mission.mission_study_text import mission_study_figures, mission_study_text

LOADS = {
    LoadRule('sonar', ('survey',)): Load(6.0, share=0.0), LoadRule('winch', ('hold',)): Load(100.0, share=0.0),
    LoadRule('camera'): Load(20.0, Duty(0.1, 10.0)), LoadRule('pump'): Load(12.0, speed=SpeedSwitch(below=0.3)),
    LoadRule('modem', None, LoadTopic('modem/on', 'bool', 0.25)): Load(8.0, share=0.25),
    LoadRule('lamp', ('3',)): Load(1.0, share=0.0)}


def boat_of(name, loads):
    own = read_boat(name)
    return replace(own, vessel=own.vessel._replace(loads=tuple(loads.values())), load_rules=tuple(loads))


def mission(name='lutra_prop', loads=LOADS, hold=30.0):
    """Return a mission of three ways of 60 m at 0.6 m/s; the second is called survey, and there the boat stays."""
    way = (Waypoint(LocalPlace(60.0, 0.0), 1), Waypoint(LocalPlace(120.0, 0.0), 2, name='survey', hold=hold),
           Waypoint(LocalPlace(180.0, 0.0), 3))
    return mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, way), boat_of(name, loads), UniformFlow(),
                            UniformFlow(), 0.6)


def test_each_load_on_each_leg_is_its_closed_form():
    """A boat that is known by its watts has no corners: legs of 100 s, and a stay of 30 s after the second."""
    sonar, winch, camera, pump, modem, lamp = legs_estimate(mission('blueboat_watts_only').scenario).by_load
    assert sonar == pytest.approx([0.0, 6.0 * 130.0, 0.0])
    assert winch == pytest.approx([0.0, 3000.0, 0.0])
    assert camera == pytest.approx([200.0, 260.0, 200.0])  # All times are whole cycles of 10 s.
    assert pump == pytest.approx([0.0, 360.0, 0.0])
    assert modem == pytest.approx([200.0, 260.0, 200.0])
    assert lamp == pytest.approx([0.0, 0.0, 100.0])


@pytest.mark.parametrize('name', ['lutra_prop', 'blueboat_watts_only'])
def test_the_names_sum_to_the_cause_and_the_causes_to_the_total(name):
    scenario = mission(name).scenario
    legs, by_cause = legs_estimate(scenario), dict(zip(CAUSES, legs_estimate(scenario).energy))
    np.testing.assert_allclose(legs.by_load.sum(axis=0), by_cause['loads'], rtol=1e-9)
    parts = [by_cause[name] for name in ('thrust', 'unrecovered', 'losses', 'allocation', 'static_load', 'loads')]
    np.testing.assert_allclose(sum(parts), legs.total, rtol=1e-9)
    plain = legs_estimate(mission(name, {}).scenario)
    np.testing.assert_allclose(legs.total - by_cause['loads'], plain.total, rtol=1e-9)
    np.testing.assert_array_equal(legs.end, plain.end)


def test_a_hold_s_part_has_its_loads():
    held, plain = (legs_estimate(mission('blueboat_watts_only', loads).scenario).of_hold for loads in (LOADS, {}))
    assert held - plain == pytest.approx([0.0, 30.0 * (6.0 + 100.0 + 2.0 + 12.0 + 2.0), 0.0])


def test_a_duty_cycle_of_a_tenth_of_20_w_over_an_hour_is_2_wh():
    scenario = mission('blueboat_watts_only', {LoadRule('camera'): Load(20.0, Duty(0.1, 8.0))}, hold=3300.0).scenario
    legs = legs_estimate(scenario)
    assert legs.end[-1] == pytest.approx(3600.0)
    assert legs.by_load.sum() / 3600.0 == pytest.approx(2.0, rel=1e-12)


def test_the_simulator_s_loads_are_those_of_the_estimate():
    loads = {rule: load for rule, load in LOADS.items() if rule.name != 'pump'}  # Which starts and stops add to.
    scenario = mission(loads=loads).scenario
    legs, run = legs_estimate(scenario), run_scenario(scenario)
    assert run.energy.loads == pytest.approx(legs.by_load.sum(), rel=0.03)
    assert run.by_load == pytest.approx(legs.by_load.sum(axis=1), rel=0.03)


def test_figures_and_text_name_the_loads():
    study = mission_study(mission())
    figures = json.loads(json.dumps(mission_study_figures(study)))
    by_load = figures['energy_by_load_j']
    assert list(by_load) == [rule.name for rule in LOADS]
    assert sum(by_load.values()) == pytest.approx(figures['energy_by_cause_j']['loads'], rel=1e-9)
    for name, value in by_load.items():
        assert sum(leg['energy_by_load_j'][name] for leg in figures['legs']) == pytest.approx(value, rel=1e-9)
    assert '- winch' in mission_study_text(study)
    assert 'energy_by_load_j' not in mission_study_figures(mission_study(mission(loads={})))


def test_a_leg_with_a_name_is_called_by_its_number_too_and_one_that_is_not_there_is_said():
    """The second leg, called survey, of 100 s and a stay of 30 s; its run, and the log of that, cost the same."""
    loads = {LoadRule('lamp', ('2',)): Load(10.0, share=0.0), LoadRule('spot', ('7',)): Load(10.0, share=0.0)}
    placed = mission('blueboat_watts_only', loads)
    lamp, spot = legs_estimate(placed.scenario).by_load
    assert lamp == pytest.approx([0.0, 1300.0, 0.0]) and not spot.any()
    assert "the load spot is on on the leg '7', and no leg has this name or number" in mission_study_text(
        mission_study(placed))
    moving = mission('lutra_prop', loads)
    run = run_scenario(moving.scenario)
    stretch = sum(leg.of('duration') for leg in run.legs if leg.name.endswith('survey'))
    assert stretch > 100.0 and run.by_load == pytest.approx((10.0 * stretch, 0.0), rel=1e-6)


def test_a_leg_that_is_called_by_another_s_number_keeps_it():
    rules = rules_with_names((LoadRule('lamp', ('2',)),), ('2', 'survey', ''))
    assert rules[0].legs == ('2',)
