"""A live boat on a bad link: packets lost, double, out of order, noise, another sender, silence, a restart."""

import math
import random
from types import SimpleNamespace

import pytest
from autopilot_twin import LATITUDE, LONGITUDE, AutopilotTwin, Boat

from usv_energy.flow.analytic import UniformFlow
from usv_energy.live.boat_account import LiveTerms
from usv_energy.live.session import LiveOptions, LiveSession

NEEDS = ('pymavlink',)
QUADROTOR, ROVER, SUBMARINE = 2, 10, 12


@pytest.fixture(scope='module')
def clean(rig_of_module):
    """Return the figures of a run on a good link."""
    one = rig_of_module()
    one.run(25.0).end()
    return one.figures


def test_lost_double_and_reordered_packets_cost_little(rig, clean):
    """A tenth of each: the motion is estimated from the rest, so the energy stays within 2 %."""
    one = rig()
    one.twin.lost = one.twin.doubled = one.twin.swapped = 0.1
    one.run(25.0).end()
    assert one.figures['energy_total_j'] == pytest.approx(clean['energy_total_j'], rel=0.02)
    assert one.figures['gaps'] == 0 and not one.figures['return_home'] and not one.figures['second_vehicle']


@pytest.mark.parametrize('delay, ways', [(1.5, 1), (2.0, 2)])
def test_one_boat_by_two_ways_is_one_boat(rig, clean, delay, ways):
    """All packets come again, by a slower way, from the same address (a router) or from another one."""
    one, late = rig(boot=60.0), []
    flush, other = one.twin.flush, AutopilotTwin(one.port)

    def flush_twice():
        late.extend((one.twin.boat.t + delay, packet) for packet in one.twin.waiting)
        flush()
        while late and late[0][0] <= one.twin.boat.t:
            (one.twin if ways == 1 else other).send_raw(late.pop(0)[1])

    one.twin.flush = flush_twice
    one.run(25.0).end()
    other.close()
    assert one.figures['energy_total_j'] == pytest.approx(clean['energy_total_j'], rel=1e-3)
    assert not one.figures['second_vehicle'] and one.figures['gaps'] == 0
    assert one.figures['left_out'].keys() == {'copies of messages'}


def test_noise_is_counted_and_changes_nothing(rig, clean):
    one, noise = rig(), random.Random(3)
    for _ in range(250):
        for _ in range(40):
            one.twin.send_raw(noise.randbytes(noise.randrange(1, 40)))
        one.run(0.1)
    one.session.end()
    assert one.figures['bytes_of_no_packet'] > 100_000
    assert one.figures['energy_total_j'] == pytest.approx(clean['energy_total_j'], rel=1e-9)


def test_a_second_vehicle_with_the_same_id_is_told_and_left_out(rig, clean):
    one = rig()
    one.run(5.0)
    one.others = [AutopilotTwin(one.port, boot=5000.0, boat=Boat(speed=2.0))]
    one.run(20.0).end()
    assert one.figures['energy_total_j'] == pytest.approx(clean['energy_total_j'], rel=1e-9)
    assert 'two vehicles send as system 1: only the first one counts' in one.one.said
    assert one.figures['left_out']['messages too late, or of another clock'] > 100
    assert any('two vehicles' in words for words in one.figures['problems'])  # whose readings of a battery mix


def test_a_step_of_the_estimator_is_taken_out_and_told(rig, clean):
    """Its place jumps by 10 m; the velocities do not know of it."""
    one = rig()
    one.run(12.0)
    one.twin.shift = 10.0
    one.run(13.0).end()
    assert one.figures['energy_total_j'] == pytest.approx(clean['energy_total_j'], rel=0.01)
    assert one.figures['left_out']['position steps'] == 1
    assert any('a step of the position by' in words for words in one.one.said)
    assert not one.figures['second_vehicle'] and 'places or headings that stood alone' not in one.figures['left_out']


def test_a_dead_link_is_told_and_counts_as_a_gap(rig):
    one = rig()
    one.run(10.0)
    one.pass_silently(60.0)
    assert one.figures['problems'][0] == 'nothing heard for 60 s'
    one.twin.put('HEARTBEAT', 11, 3, 129, 10, 4, 3)  # Which is heard before the first place.
    one.twin.flush()
    one.pass_silently(0.1)
    one.run(10.0).end()
    assert one.figures['gaps'] == 1
    assert one.figures['gap_duration_s'] == pytest.approx(60.1, abs=0.15)
    assert one.figures['duration_s'] == pytest.approx(20.0, abs=0.5)
    assert not any('return' in text or 'two' in text or 'no position' in text for text in one.twin.texts())


@pytest.mark.parametrize('boat', ['lutra_prop', 'lutra_rudder_t200'])
def test_what_a_dead_link_costs_is_taken_off_the_charge_and_widens_it(rig, boat):
    """A straight way at one speed, without readings of the battery: what is drawn unheard is power times time."""
    one = rig(boat, charge=0.5, terms=LiveTerms(UniformFlow(0.0, 0.0), UniformFlow(0.0, 0.0), charge_std=0.02))
    one.twin.boat, one.twin.volts = Boat(change=0.0, turn=0.0), 0.0
    one.run(10.0)
    before = one.figures
    one.twin.boat.step(900.0)
    one.session.step(0.0)
    one.run(10.0).end()
    after, unheard = one.figures, one.figures['unheard_energy_j']
    assert before['unheard_energy_j'] == 0.0
    assert unheard == pytest.approx(after['gap_duration_s'] * after['power_total_w'], rel=0.02)
    assert after['energy_total_j'] == pytest.approx(2.0 * before['energy_total_j'], rel=0.3)
    share = unheard / (one.one.account.boat.battery.capacity_wh * 3600.0)
    assert before['state_of_charge'] - after['state_of_charge'] == pytest.approx(share, rel=0.1)
    assert after['state_of_charge_std'] == pytest.approx(0.02 + 0.5 * share, abs=0.02)


def test_a_fix_in_a_burst_after_a_stall_is_no_sign_of_a_silent_estimator(rig, clean):
    """What is heard late says when it was sent, but for the GPS: dated by its receipt, it put 4 s out of order."""
    one = rig()
    one.run(10.0)
    one.twin.put('GPS_RAW_INT', 0, 3, round(1e7 * LATITUDE), round(1e7 * LONGITUDE), 0, 100, 100, 0, 0, 9)
    for _ in range(40):
        one.twin.step()
    one.run(11.0).end()
    assert 'messages out of order' not in one.figures['left_out'] and one.figures['gaps'] == 0
    assert one.figures['energy_total_j'] == pytest.approx(clean['energy_total_j'], rel=0.01)


def test_a_restart_of_the_autopilot_is_a_gap_and_no_second_vehicle(rig):
    one = rig()
    one.run(10.0)
    one.pass_silently(8.0)
    one.twin.boot = -one.twin.boat.t
    one.run(10.0).end()
    assert one.figures['left_out'] == {'restarts of the autopilot': 1}
    assert one.figures['gaps'] == 1 and one.figures['segments'] == 1
    assert one.figures['duration_s'] == pytest.approx(19.0, abs=1.5)


@pytest.mark.parametrize('kind, words', [(QUADROTOR, 'a quadrotor'), (SUBMARINE, 'a submarine')])
def test_what_is_no_boat_is_refused_unless_asked(rig, kind, words):
    one = rig(kind=kind)
    del one.twin.parameters['FRAME_CLASS']
    one.run(2.0)
    assert one.session.boats == {}
    assert words in next(iter(one.session.refused.values()))


def test_a_boat_falls_silent_while_another_vehicle_goes_on(rig):
    """A copter, which is left alone, sends all the time; that the boat does not is told all the same."""
    one = rig()
    one.others = [AutopilotTwin(one.port, system=9, kind=QUADROTOR)]
    one.run(5.0)
    one.twin.flush = one.twin.waiting.clear
    one.run(12.0)
    assert 'energy: no data from the boat for 10 s' in one.twin.texts()


@pytest.mark.parametrize('goes_on', ['no', 'beside', 'on one way'])
def test_a_copter_that_is_heard_first_with_the_boats_id_keeps_nobody_from_the_boat(rig, clean, goes_on):
    one = rig()
    copter = AutopilotTwin(one.port, kind=QUADROTOR, boot=5000.0, boat=Boat(speed=9.0))
    one.others = [copter]
    for _ in range(20):
        copter.step()
        one.session.step(0.0)
    assert one.session.boats == {} and next(iter(one.session.refused.values())).startswith('system 1 is a quadrotor')
    if goes_on == 'no':
        one.others = []
    if goes_on == 'on one way':     # As behind a router.
        copter.close()
        copter.socket = one.twin.socket
    one.run(25.0).end()
    copter.close()
    assert one.figures['vehicle'] == 'a boat' and len(one.session.refused) == 1
    begins_anew = goes_on == 'on one way'  # with the second heartbeat of each
    assert one.figures['energy_total_j'] == pytest.approx(clean['energy_total_j'], rel=0.06 if begins_anew else 1e-9)


@pytest.mark.parametrize('before, boats_lead, ways', [(2.0, 0.5, 1), (0.0, 0.0, 2), (0.0, 0.5, 2), (0.0, 0.5, 1)])
def test_nothing_counts_before_a_heartbeat_says_whose_it_is(rig, clean, before, boats_lead, ways):
    """A copter with the boat's id sends before it, or as `live` starts: telemetry of either comes before heartbeats."""
    one = rig()
    copter = AutopilotTwin(one.port, kind=QUADROTOR, boot=5000.0, boat=Boat(speed=9.0))
    if ways == 1:
        copter.close()
        copter.socket = one.twin.socket
    copter.link.seq = 100
    copter.boat.step(0.5 - boats_lead)
    one.others = [copter]
    for _ in range(round(before / 0.1)):
        copter.step()
        one.session.step(0.0)
    one.twin.boat.step(boats_lead)
    one.run(25.0).end()
    copter.close()
    assert one.figures['vehicle'] == 'a boat' and not one.figures['second_vehicle']
    assert one.figures['duration_s'] > clean['duration_s'] - 2.1
    assert one.figures['distance_over_ground_m'] / one.figures['duration_s'] == pytest.approx(
        clean['distance_over_ground_m'] / clean['duration_s'], rel=0.03)


def test_any_vehicle_is_taken_when_asked(rig):
    one = rig(kind=QUADROTOR)
    one.session = LiveSession(one.link, one.session._boat, LiveOptions(any_vehicle=True), threads=False)
    one.run(2.0)
    assert one.figures['vehicle'] == 'a quadrotor'


def test_a_rover_is_asked_whether_it_floats(rig):
    one = rig(kind=ROVER)
    one.twin.parameters['FRAME_CLASS'] = 1.0
    one.run(8.0)
    assert any('is it on the water?' in words for words in one.one.said)
    assert 'FRAME_CLASS is 1; boats have 2' in one.figures['parameter_differences']


def test_several_boats_are_told_apart_by_their_ids(rig):
    one = rig()
    one.others = [AutopilotTwin(one.port, system=7, boat=Boat(speed=0.6))]
    one.run(10.0).end()
    first, second = sorted(one.session.figures(), key=lambda figures: figures['namespace'])
    assert (first['namespace'], second['namespace']) == ('system 1', 'system 7')
    assert first['energy_total_j'] > 1.5 * second['energy_total_j'] > 0.0


@pytest.mark.parametrize('wind', [(math.inf, 3.0), (90.0, math.nan), (90.0, 1e30)])
def test_a_wind_that_is_none_is_left_out_and_counted(rig, clean, wind):
    one = rig()
    one.twin.wind = wind
    one.run(25.0).end()
    assert one.figures['left_out'] == {'messages with a number that is none': 25}
    assert one.figures['energy_total_j'] == pytest.approx(clean['energy_total_j'], rel=1e-9)


def test_a_heading_that_is_none_costs_no_energy(rig, clean):
    one = rig()
    one.run(10.0)
    one.twin.put('ATTITUDE', round(1e3 * one.twin.boat.t), 0.0, 0.0, math.nan, 0.0, 0.0, 0.0)
    one.run(15.0).end()
    assert one.figures['left_out'] == {'messages with a number that is none': 1}
    assert one.figures['energy_total_j'] == pytest.approx(clean['energy_total_j'], rel=0.01)


@pytest.mark.parametrize('kind, autopilot', [(26, 0), (18, 0), (6, 8), (0, 0)])
def test_a_device_is_no_boat(rig, kind, autopilot):
    """A gimbal, an onboard computer, a ground station, and what says nothing of itself."""
    one = rig(kind=kind, autopilot=autopilot)
    one.run(2.0)
    assert one.session.boats == {} and one.session.refused == {} and one.twin.heard == []


def test_a_place_that_is_none_is_not_taken():
    """GLOBAL_POSITION_INT and GPS_RAW_INT hold up to 214 degrees."""
    from usv_energy.live.live_vehicle import FIX, PLACE, _place_of
    for kind in (PLACE, FIX):
        assert _place_of(kind, SimpleNamespace(lat=2**31 - 1, lon=1, fix_type=3)) is None
        found = _place_of(kind, SimpleNamespace(lat=450_000_000, lon=90_000_000, fix_type=3))
        assert found == pytest.approx((45.0, 9.0))
