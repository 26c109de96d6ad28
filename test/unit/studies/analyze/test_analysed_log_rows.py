"""What each row of an analysed log is marked with, and what is summed over them: by hand."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from analyze_files import BOAT, STILL_AIR, straight

from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.log import INFO, WARNING, Note
from usv_energy.physics.batteries.cell import Battery
from usv_energy.physics.motion import Flow
from usv_energy.studies.analyze import analysed_log as module
from usv_energy.studies.analyze.analysed_log import (
    DEFAULT,
    _accelerations,
    _counts,
    analysed_log,
    mean_or_nan,
    thruster_power,
)
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.current.unknown_flow import Explanation

RECORDED = AnalysisOptions(motion='recorded')
PLAIN = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR))


def test_rows_are_marked_that_begin_a_step_or_lack_something_bit_by_bit():
    """No acceleration 1, invalid 2, current stale 16 (held back, too), wind 64, as PowerStamped.msg has them."""
    k = np.arange(400)
    broken = {'u': 50, 'v': 60, 'r': 70, 'yaw': 80}
    known = {name: np.where(k == row, math.nan, 0.7 if name == 'yaw' else 0.1) for name, row in broken.items()}
    log = straight(**known, current_x=np.where((k < 10) | (k > 380), math.nan, 0.1), current_y=np.full(400, 0.1),
                   wind_x=np.where((k < 20) | (k > 390), math.nan, 1.0), wind_y=np.full(400, 1.0))
    wanted = np.zeros(400, dtype=int)
    wanted[:10], wanted[10:20], wanted[0] = 16 | 64, 64, 1 | 16 | 64
    for row in broken.values():
        wanted[row] = 3  # A step goes on over it.
    wanted[381:] |= 16
    wanted[391:] |= 64
    analysed = analysed_log(log, PLAIN, RECORDED)
    np.testing.assert_array_equal(analysed.status, wanted)
    assert np.array_equal(np.isnan(analysed.power.total), (wanted & (1 | 2)) > 0)


def test_distances_are_over_ground_and_through_the_water():
    """0.8 m/s ahead and 0.6 to port are 1 m/s; in a current of 0.3 m/s ahead and 0.6 to port 0.5 m/s are left."""
    n = 400
    log = straight(n, heading=0.0, u=np.full(n, 0.8), v=np.full(n, 0.6))
    options = RECORDED._replace(current=UniformFlow(0.3, 0.6), wind=UniformFlow())
    energy = analysed_log(log, PLAIN, options).energy
    assert energy.distance_over_ground == pytest.approx(19.95, rel=1e-12)
    assert energy.distance_through_water == pytest.approx(0.5 * 19.95, rel=1e-12)
    aside = analysed_log(log, PLAIN, options._replace(current=UniformFlow(0.8, 0.2))).energy
    assert aside.distance_through_water == pytest.approx(0.4 * 19.95, rel=1e-12)


def test_the_share_of_a_battery_is_the_energy_over_its_capacity():
    charged = replace(PLAIN, battery=Battery(10.0, 16.0, 0.9))
    analysed = analysed_log(straight(), charged, RECORDED)
    assert analysed.state_of_charge_used == pytest.approx(analysed.energy.total / 36000.0, rel=1e-9)
    assert analysed.state_of_charge_used > 0.005
    assert math.isnan(replace(analysed, boat=replace(PLAIN, battery=None)).state_of_charge_used)
    assert math.isnan(analysed.battery_empty_at)


def test_a_log_that_took_more_than_the_battery_held_says_when_it_was_empty():
    """At a steady speed the power is steady: half of the energy is taken at half of the time."""
    whole = analysed_log(straight(), PLAIN, RECORDED)
    small = replace(PLAIN, battery=Battery(whole.energy.total / 3600.0, 16.0, 0.5))
    analysed = replace(whole, boat=small)
    assert analysed.state_of_charge_used == 0.5
    assert analysed.battery_empty_at == pytest.approx(0.5 * whole.log.duration, rel=1e-6)


def test_what_is_given_is_thrust_and_what_is_not_recovered():
    """A boat that brakes hard: thrusters give no energy back, and the two together are never negative."""
    u = 1.0 + 0.8 * np.sin(4.0 * 0.05 * np.arange(400))
    analysed = analysed_log(straight(u=u), PLAIN, RECORDED)
    np.testing.assert_allclose(analysed.given[1:], np.maximum(analysed.power.thrust[1:], 0.0), atol=1e-9)
    assert np.nanmin(analysed.power.thrust) < -5.0 and np.nanmax(analysed.power.unrecovered) > 5.0


@pytest.mark.parametrize(('actuators', 'changed', 'counts'), [
    ('told', {}, True), (None, {}, False), ('told', {'actuators': 'allocated'}, False),
    ('told', {'convention': 'as_published'}, False)])
def test_what_a_log_tells_of_actuators_counts_where_it_does_and_is_wanted(actuators, changed, counts):
    options = AnalysisOptions(**changed)
    assert _counts(actuators, options) is counts
    for tells in (True, False):
        told = None if actuators is None else SimpleNamespace(tells_thrusts=tells)
        analysed = replace(analysed_log(straight(10), PLAIN, RECORDED), actuators=told, options=options)
        assert analysed.by_thrusts is (counts and tells)
        assert tells or thruster_power(analysed) is None


def test_warnings_are_the_notes_that_ask_for_a_look():
    analysed = analysed_log(straight(10), PLAIN, RECORDED)
    notes = Note(INFO, 'one', 'text'), Note(WARNING, 'two', 'text')
    assert replace(analysed, notes=notes).warnings == [notes[1]]


def test_a_recorded_motion_is_not_estimated_and_an_estimated_one_says_so(rng):
    log = straight(u=1.0 + 0.05 * rng.standard_normal(400))
    plain, found = analysed_log(log, PLAIN, RECORDED), analysed_log(log, PLAIN)
    assert plain.estimate is None and plain.log.u is log.u and found.estimate is not None
    assert 'motion_estimated' in {note.code for note in found.notes} - {note.code for note in plain.notes}
    assert np.std(found.log.u) < 0.02


def test_places_that_stand_in_for_a_heading_are_not_estimated_twice_and_were_no_rest():
    """A course to the north east at 1 m/s, in a current that carries the boat half of that way."""
    time = 0.2 * np.arange(200)
    log = replace(straight(200, period=0.2), x=0.6 * time, y=0.8 * time, yaw=np.full(200, math.nan),
                  u=np.full(200, math.nan), v=np.full(200, math.nan), r=np.full(200, math.nan),
                  notes=(Note(WARNING, 'at_rest', 'text'), Note(WARNING, 'other', 'text')))
    analysed = analysed_log(log, PLAIN, AnalysisOptions(current=UniformFlow(0.6, 0.4), wind=UniformFlow()))
    codes = {note.code for note in analysed.notes}
    assert 'at_rest' not in codes and {'other', 'motion_from_places'} <= codes and analysed.estimate is None
    np.testing.assert_allclose(analysed.log.yaw, 0.5 * math.pi, atol=1e-5)
    np.testing.assert_allclose(analysed.log.u, 0.8, atol=1e-5)
    np.testing.assert_allclose(analysed.log.v, -0.6, atol=1e-5)
    damping = BOAT.vessel.damping
    assert analysed.energy.total == pytest.approx(damping.d11 * 0.4 ** 2 * 39.8, rel=1e-4)


def found_flow(monkeypatch, options=DEFAULT, notes=(), waves=None):
    """Return what is asked for flows from the sway of a log, () where nothing is."""
    asked = []

    def flows(time, motion, estimate, flow, max_gap, vessel, unknown):
        asked.append(tuple(unknown))
        return []

    monkeypatch.setattr(module, 'flows_from_sway', flows)
    analysed = analysed_log(straight(10), PLAIN, RECORDED)
    assert asked.pop() == ('current', 'wind')
    along = module.flow_along_log(analysed.log, RECORDED)
    module._in_found_flow(replace(analysed, options=options, notes=notes, waves=waves), along)
    return asked


def test_a_flow_is_looked_for_where_it_may_be_and_the_sway_is_the_boat_s(monkeypatch):
    assert found_flow(monkeypatch) == [('current', 'wind')]
    assert found_flow(monkeypatch, AnalysisOptions(find_flow=False)) == []
    assert found_flow(monkeypatch, AnalysisOptions(convention='as_published')) == []
    assert found_flow(monkeypatch, notes=(Note(WARNING, 'straight_ahead', 'text'),)) == []
    assert found_flow(monkeypatch, notes=(Note(WARNING, 'other', 'text'),)) == [('current', 'wind')]
    assert found_flow(monkeypatch, waves='seen') == []


def test_the_energy_in_each_flow_that_may_have_been_is_told(monkeypatch):
    """In water that comes towards the boat at 0.1, 0.2 and 0.3 m/s a boat at 1 m/s over ground has 1.1 to 1.3 of it."""
    found = [Explanation('current', Flow(-speed, 0.0, 0.0, 0.0), np.eye(2), 0.0, 0.0, True)
             for speed in (0.1, 0.2, 0.3)]
    analysed = analysed_log(straight(heading=0.0), PLAIN, RECORDED)
    monkeypatch.setattr(module, 'flows_from_sway', lambda *rest: found)
    best = module._in_found_flow(replace(analysed, options=DEFAULT), module.flow_along_log(analysed.log, RECORDED))
    work = [BOAT.vessel.damping.d11 * speed * speed * 19.95 for speed in (1.1, 1.2, 1.3)]
    note, = (note for note in best.notes if note.code == 'flow_from_side_force')
    assert [note.figures[f'energy_{name}_j'] for name in ('with', 'most')] == pytest.approx(work[::2], rel=1e-6)
    assert best.energy.total == note.figures['energy_with_j']
    assert best.flow_sources == {'current': 'found from the side force', 'wind': 'assumed still'}


def test_accelerations_are_the_log_s_own_where_it_has_them_all():
    own = {name: np.full(400, value) for name, value in (('u_dot', 0.1), ('v_dot', 0.2), ('r_dot', 0.3))}
    assert [one[5] for one in _accelerations(straight(**own))] == [0.1, 0.2, 0.3]
    u = 0.05 * np.arange(400) * 0.4
    assert _accelerations(straight(u=u, u_dot=own['u_dot']))[0][5] == pytest.approx(0.4)


def test_a_mean_is_of_what_is_known():
    assert mean_or_nan(np.array([1.0, math.nan, 4.0])) == 2.5 and math.isnan(mean_or_nan(np.array([math.inf])))
