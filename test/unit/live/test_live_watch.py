"""What a page shows of a live boat: the figures of `live`, where it is, the ring about its home, and what is wrong."""

import json
import math
import time
from dataclasses import replace

import pytest
from autopilot_twin import AutopilotTwin

from usv_energy.boats.boat_file import read_boat
from usv_energy.earth import Place, plane_about
from usv_energy.files.errors import InputError
from usv_energy.live.announcer import alarms_of
from usv_energy.live.boat_account import LiveTerms
from usv_energy.live.boat_follower import MOST_PLACES, home_on_map
from usv_energy.live.link import ReplayedLink
from usv_energy.live.session import LiveOptions, LiveSession, LiveWatch, loopback_connection
from usv_energy.studies.plan.home_guard import HomeAnswer

NEEDS = ('pymavlink',)


@pytest.fixture(scope='module')
def tape(tmp_path_factory):
    """Return the telemetry log of an autopilot that ran for 15 s."""
    twin = AutopilotTwin(9)
    for _ in range(150):
        twin.step()
    twin.close()
    return twin.write(tmp_path_factory.mktemp('tape') / 'boat.tlog')


def boat_with(charge):
    boat = read_boat('lutra_prop')
    return replace(boat, battery=boat.battery._replace(initial_state_of_charge=charge))


def watched(tape, charge=1.0, home=None):
    """Return the state at the end of a log that is read as fast as it can be."""
    with LiveWatch(ReplayedLink(tape), boat_with(charge), LiveOptions(LiveTerms(home=home))) as watch:
        while not watch.state()['ended']:
            time.sleep(0.02)
        return watch.state()


@pytest.fixture(scope='module')
def home(tape):
    """Return a place 60 m from where the boat ends."""
    latitude, longitude = watched(tape)['boats'][0]['map']['place_deg']
    return Place(latitude + 60.0 / 111_000.0, longitude)


@pytest.fixture(scope='module')
def by_charge(tape, home):
    """Return the last states of the boat with more and less charge."""
    return {charge: watched(tape, charge, home)['boats'][0] for charge in (1.0, 0.5, 0.12)}


def test_its_figures_are_those_of_live(tape):
    [boat] = watched(tape)['boats']
    session = LiveSession(ReplayedLink(tape), boat_with(1.0), LiveOptions(), threads=False)
    list(session.states(1.0, lambda: False))
    session.end()
    [wanted] = session.figures()
    changing = ('age_s', 'problems', 'mission')
    assert {key: value for key, value in boat.items() if key in wanted and key not in changing} == {
        key: value for key, value in wanted.items() if key not in changing}
    assert boat['map']['place_deg'] == pytest.approx([boat['latitude_deg'], boat['longitude_deg']])
    assert boat['track_deg'][-1] == tuple(boat['map']['place_deg'])
    json.dumps(boat, allow_nan=False)


def test_the_ring_shrinks_with_the_charge_to_where_the_margin_is_lost(by_charge, home):
    """The boat is inside of the ring as long as its margin is above 0, and outside once it is below."""
    plane, distances = plane_about(home), []
    for boat in by_charge.values():
        found = boat['map']
        assert found['home_deg'] == pytest.approx(list(home), abs=1e-7)
        corners = [math.hypot(*plane.projected(*corner)) for corner in found['ring_deg']]
        away = math.hypot(*plane.projected(*found['place_deg']))
        assert (min(corners) > away) == (boat['home_margin_j'] > 0.0)
        distances.append(min(corners))
    assert distances == sorted(distances, reverse=True) and distances[0] > distances[-1]


def test_a_ring_of_any_margin_lies_about_its_home_or_nowhere(home):
    """Margins come over a network, too: what is no place on the Earth is not shown."""
    plane = plane_about(home)
    found = home_on_map(HomeAnswer(home_x=100.0, home_y=-50.0, reach=(10.0, 20.0, 30.0, 40.0)), plane)
    assert plane.projected(*found['home_deg']) == pytest.approx((100.0, -50.0))
    corners = [(110.0, -50.0), (100.0, -30.0), (70.0, -50.0), (100.0, -90.0)]
    assert [plane.projected(*corner) for corner in found['ring_deg']] == [pytest.approx(one) for one in corners]
    for reach in ((), (1.0, math.inf), (1.0, math.nan), (1e300, 1.0)):
        found = home_on_map(HomeAnswer(home_x=0.0, home_y=0.0, reach=reach), plane)
        assert found == {'home_deg': pytest.approx(home), 'ring_deg': None}
    for x in (math.nan, math.inf, 1e300):
        assert home_on_map(HomeAnswer(home_x=x, home_y=0.0, reach=(1.0,)), plane) == home_on_map(None, plane)
    assert home_on_map(None, plane) == {'home_deg': None, 'ring_deg': None}


def test_what_asks_for_a_look_is_said(by_charge):
    full, empty = by_charge[1.0], by_charge[0.12]
    assert full['alarms'] == []
    assert empty['alarms'][0]['level'] == 'alarm' and 'energy: return now' in empty['alarms'][0]['text']
    assert any('energy: battery at' in one['text'] for one in empty['alarms'])


def test_a_mission_to_turn_back_from_is_an_alarm():
    assert [said.text for said in alarms_of({'mission': {'turn_back_before_item': 4}})] == [
        'energy: mission: turn back before item 4']
    assert alarms_of({'mission': None}) == []


def test_a_long_track_keeps_its_ends(tape, monkeypatch):
    monkeypatch.setattr('usv_energy.live.session.PERIOD', 0.0)
    monkeypatch.setattr('usv_energy.live.boat_follower.MOST_PLACES', 10)
    [boat] = watched(tape)['boats']
    assert 3 <= len(boat['track_deg']) <= 10
    assert boat['track_deg'][-1] == tuple(boat['map']['place_deg'])
    assert MOST_PLACES > 100


def test_leaving_ends_it(tape):
    with LiveWatch(ReplayedLink(tape, 1e-3), boat_with(1.0), LiveOptions()) as watch:
        assert not watch.state()['ended']
    assert watch.state()['ended'] and watch.state()['error'] == ''


@pytest.mark.parametrize('text', ['14551', ' 14551 ', 'udpin:127.0.0.1:14550', 'udpin:localhost:14550',
                                  'tcp:127.0.0.1:5777', 'udpin:[::1]:14550'])
def test_connections_of_this_machine_are_taken(text):
    assert loopback_connection(text) == text.strip()


@pytest.mark.parametrize('text', [
    '', '0', '70000', 'udpin:0.0.0.0:14550', 'udpout:192.0.2.1:14550', 'tcp:example.org:80', '/dev/ttyACM0',
    '/etc/passwd', 'a.tlog', 'udpin::14550', 'tcp:127.0.0.1.example.org:80', 'udpin:127.0.0.1:14550,/dev/ttyS0',
    'mcast:', 'tcp:127.0.0.1:80\nx', '١٤٥٥١'])
def test_no_page_opens_what_lies_elsewhere(text):
    with pytest.raises(InputError, match='must be a port of this machine'):
        loopback_connection(text)
