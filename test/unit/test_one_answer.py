"""
What once had two answers, by two ways of the product, has one: each test here failed at 0fa5c02.

bench/one_answer.py holds all ways side by side for every shipped boat; here are the contradictions that were found.
"""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.physics.elementwise import with_field
from usv_energy.physics.motion import Flow
from usv_energy.powering.actuators import Setting
from usv_energy.sim.runner import run_scenario
from usv_energy.studies.check.boat_check import at_full, boat_check
from usv_energy.studies.mission.mission_estimate import legs_estimate
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.plan.boat_in_sea import boat_in_sea
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.thrusters.voltage_curves import curves_of, vessel_at_voltage

CALM = Flow(0.0, 0.0, 0.0, 0.0)
SEA = 0.3, 3.0, math.pi     # m, s, rad: significant height, peak period, towards.


def straight(boat, speed, length):
    way = Itinerary('straight', LocalPlace(0.0, 0.0), True, (Waypoint(LocalPlace(length, 0.0), 0),))
    still = UniformFlow(0.0, 0.0)
    return mission_scenario(way, boat, still, still, speed).scenario


@pytest.mark.parametrize('name', ['kayak', 'blueboat', 'lutra_rudder_t200'])
def test_full_throttle_of_a_run_is_what_boat_check_says(name):
    """At 0fa5c02 a run was 12 to 29 % slower than `boat check`, with 37 to 66 % less power."""
    boat = read_boat(name)
    check = boat_check(boat)
    scenario = replace(straight(boat, check.top_ahead, 1e4), speed=None, orders=(), timeout=120.0)
    rows = run_scenario(scenario).rows
    late = rows[len(rows) * 2 // 3:]
    speed = (late[-1].x - late[0].x) / (late[-1].time - late[0].time)
    assert speed == pytest.approx(check.top_ahead, rel=5e-3)
    assert np.mean([row.power.total for row in late]) == pytest.approx(at_full(boat.vessel).power, rel=1e-2)


def test_a_mission_near_the_top_speed_costs_what_its_simulation_does():
    """At 0fa5c02 a BlueBoat at 2.6 m/s was simulated 15.5 % slower, for 46 % less energy."""
    boat = read_boat('blueboat')
    scenario = straight(boat, 2.6, 300.0)
    legs, run = legs_estimate(scenario), run_scenario(scenario)
    assert float(legs.end[-1]) == pytest.approx(run.duration, rel=0.03)
    assert float(legs.total.sum()) == pytest.approx(run.energy.total, rel=0.03)


def test_the_waves_are_still_there_when_a_voltage_is_heard(tmp_path):
    """At 0fa5c02 a copy by position lost the sea: 281 W became 41 W."""
    (tmp_path / 'rough.yaml').write_text(json.dumps({'base': 'lutra_rudder_t200', 'waves': {
        'source': 'made up', 'directions_deg': [0, 180], 'periods': [3.0], 'coefficients': [[200.0], [-60.0]]}}))
    boat = boat_in_sea(read_boat(str(tmp_path / 'rough.yaml')), SEA)
    heard = vessel_at_voltage(boat.vessel, 14.8, 1.0, curves_of(boat))
    for vessel in (boat.vessel, heard):
        calm, rough = (float(steady_state(one, 0.0, np.array([1.0]), CALM).power.total[0])
                       for one in (vessel._replace(sea=None), vessel))
        assert rough > 1.5 * calm


@pytest.mark.parametrize('record', [
    read_boat('lutra_prop').vessel, read_boat('lutra_prop').vessel.thrusters[0], Setting((1.0, 2.0), (None, 3.0), ())])
def test_a_copy_with_one_field_changed_keeps_every_other(record):
    """Each field has a value of its own, and is found again."""
    told = type(record)(*map(object.__new__, [object] * len(record)))
    for name in told._fields:
        found = with_field(told, name, 'changed')
        assert type(found) is type(told) and getattr(found, name) == 'changed'
        assert all(getattr(found, other) is getattr(told, other) for other in told._fields if other != name)
