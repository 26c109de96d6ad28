"""The autopilot's own mission: read over the link, what is left of it, and whether the boat makes it."""

import math
import struct
from itertools import pairwise

import pytest
from autopilot_twin import mavlink

from usv_energy.earth import Place
from usv_energy.live.link import Heard, MessageReader
from usv_energy.live.onboard_mission import MissionDownload, what_is_left
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission import CHANGE_SPEED, JUMP, RETURN_TO_LAUNCH, WAYPOINT, Mission, MissionItem

NEEDS = ('pymavlink',)
PLACES = [(100.0, 0.0), (100.0, 200.0), (0.0, 200.0)]  # m north and east


def way_from(boat, places):
    points = [(boat.north, boat.east), *places]
    return sum(math.dist(one, other) for one, other in pairwise(points))


def test_the_mission_is_read_over_a_lossy_link_and_answered(rig):
    one = rig('blueboat')
    one.twin.set_mission(PLACES)
    one.twin.item, one.twin.lost = 2, 0.2
    one.run(20.0)
    mission = one.figures['mission']
    assert (mission['verdict'], mission['item']) == ('go', 2)
    assert mission['length_m'] == pytest.approx(way_from(one.twin.boat, PLACES[1:]), abs=25.0)  # It goes on meanwhile.
    assert 0.0 < mission['state_of_charge_at_end'] < one.figures['state_of_charge']
    assert one.one.download.version == 1


def test_a_new_item_and_a_new_mission_are_answered_anew(rig):
    one = rig('blueboat')
    one.twin.set_mission(PLACES)
    one.twin.item = 1
    one.run(4.0)
    first = one.figures['mission']['energy_j']
    one.twin.item = 3
    one.run(4.0)
    assert one.figures['mission']['item'] == 3 and one.figures['mission']['energy_j'] < first
    one.twin.set_mission([*PLACES[:2], (-60_000.0, 200.0)])
    one.twin.put('MISSION_ACK', 255, 0, 0, 0)  # The ground station has given it another one.
    one.run(4.0)
    assert one.figures['mission']['verdict'] == 'no_go'
    assert one.figures['mission']['reason'].startswith('the battery is empty on leg ')


def test_where_the_boat_should_turn_back_is_said(rig):
    """It makes the 12 km and keeps the reserve, but would not get home from there; from 2 km it would."""
    one = rig('blueboat', charge=0.9)
    one.twin.set_mission([(2000.0, 0.0), (12_000.0, 0.0)])
    one.twin.item = 1
    one.run(12.0)
    mission = one.figures['mission']
    assert (mission['verdict'], mission['turn_back_before_item']) == ('go', 2)
    assert 'energy: mission: turn back before item 2' in one.twin.texts()
    one.twin.set_mission([(2000.0, 0.0), (0.0, 0.0)])
    one.twin.put('MISSION_ACK', 255, 0, 0, 0)
    one.run(6.0)
    assert one.figures['mission']['turn_back_before_item'] is None


def test_another_number_of_items_is_read_at_once_and_a_cleared_mission_goes(rig):
    """Nobody says MISSION_ACK: the total of MISSION_CURRENT, at 1 Hz, tells."""
    one = rig('blueboat')
    one.twin.set_mission(PLACES)
    one.twin.item = 1
    one.run(4.0)
    assert one.figures['mission']['verdict'] == 'go'
    one.twin.set_mission([*PLACES, (-60_000.0, 200.0)])
    one.run(3.0)
    assert one.figures['mission']['verdict'] == 'no_go'
    one.twin.set_mission([])
    one.twin.mission = []
    one.run(3.0)
    assert one.figures['mission'] is None and one.one.turn_back is None
    assert one.one.download.version == 3


@pytest.mark.parametrize('changed, most', [([0, 1, 2], 1.5), ([2], 2.5)])
def test_a_changed_mission_of_as_many_items_is_seen_item_by_item(rig, changed, most):
    """ArduPilot tells only who gave it: of n items one is read again each half second, until one is another."""
    one = rig('blueboat')
    one.twin.set_mission(PLACES)
    one.twin.item = 1
    one.run(4.0)
    read = one.twin.count('MISSION_REQUEST_LIST')
    one.twin.set_mission([(-60_000.0, 0.0) if number in changed else place for number, place in enumerate(PLACES)])
    one.run(most)
    assert one.figures['mission']['verdict'] == 'no_go'
    assert one.twin.count('MISSION_REQUEST_LIST') == read + 1 and one.one.download.version == 2


def test_an_autopilot_with_ids_of_missions_is_asked_for_no_item_twice():
    """As PX4 says them, in the bytes of MISSION_CURRENT that pymavlink's dialect does not have."""
    def heard(kind, *values):
        return Heard(0.0, None, kind, getattr(mavlink, f'MAVLink_{kind.lower()}_message')(*values))

    def current(number):
        payload = struct.pack('<HHBBI', 1, 1, 0, 0, number)
        packet = bytes([0xFD, len(payload), 0, 0, 0, 1, 1, 42, 0, 0]) + payload
        crc = mavlink.x25crc(packet[1:] + bytes([mavlink.MAVLink_mission_current_message.crc_extra])).crc
        return MessageReader(True).take(0.0, packet + struct.pack('<H', crc))[0]

    download = MissionDownload(1)
    download.take(current(70_000), 0.0, True)
    download.due(0.0)
    download.take(heard('MISSION_COUNT', 1, 191, 2, 0), 0.0, True)
    for number in range(2):
        download.take(heard('MISSION_ITEM_INT', 1, 191, number, 3, 16, 0, 1, 0.0, 0.0, 0.0, 0.0, 450_000_000 + number,
                            90_000_000, 0.0, 0), 0.0, True)
    assert download.version == 1
    assert [download.due(0.1 * step) for step in range(500)] == [[]] * 500
    download.take(current(70_001), 50.0, True)
    assert [message.get_type() for message in download.due(50.0)] == ['MISSION_REQUEST_LIST']


def test_a_patrol_is_answered_for_the_rest_of_its_round(rig):
    """Out and back without end: from item 2 on that is the way there, and item 3."""
    one = rig('blueboat')
    one.twin.set_mission(PLACES)
    one.twin.mission.append((255, 0, 4, 3, JUMP, 0, 1, 1.0, -1.0, 0.0, 0.0, 0, 0, 0.0, 0))
    one.twin.item = 2
    one.run(6.0)
    mission = one.figures['mission']
    assert mission['verdict'] == 'go'
    assert mission['length_m'] == pytest.approx(way_from(one.twin.boat, PLACES[1:]), abs=10.0)
    assert 'the mission goes round without end: the answer is for the rest of this round' in one.one.said


def test_an_empty_mission_is_none(rig):
    one = rig()
    one.run(4.0)
    assert one.figures['mission'] is None


def test_what_is_left_begins_where_the_boat_is_at_the_speed_ordered_before():
    def at(number, north, command=WAYPOINT, parameters=(0.0, None, None, None)):
        return MissionItem(command, number, parameters, 45.0 + north, 9.0, 0.0)

    mission = Mission('m', (
        at(1, 0.001), at(2, 0.0, CHANGE_SPEED, (1.0, 1.7, None, None)), at(3, 0.002), at(4, 0.003),
        at(5, 0.0, JUMP, (3.0, 1.0, None, None)), at(6, 0.0, RETURN_TO_LAUNCH)), home=Place(45.0, 9.0))
    left = itinerary_of(what_is_left(mission, 4, Place(45.0025, 9.0)))
    assert left.start == Place(45.0025, 9.0)
    places = [round(waypoint.place.latitude - 45.0, 6) for waypoint in left.waypoints]
    assert places == [0.0025, 0.003, 0.002, 0.003, 0.0]
    assert [waypoint.speed for waypoint in left.waypoints[1:]] == [1.7] * 4
