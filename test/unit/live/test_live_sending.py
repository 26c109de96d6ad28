"""What a live session sends: values, texts, requests, and the one command that it may give."""

import select
import socket
from collections import Counter

import pytest
from autopilot_twin import ARDUPILOT, BOAT, PX4, RTL, AutopilotTwin, Boat
from pymavlink.dialects.v20 import ardupilotmega as mavlink

from usv_energy.files.errors import InputError
from usv_energy.live.announcer import LONGEST_TEXT, VALUES, Announcer, Said, statustext
from usv_energy.live.return_order import OrderState, Requests, mode_numbers

NEEDS = ('pymavlink',)
GONE = {'boat': 'blueboat', 'charge': 0.1}  # No more charge than the reserve.
COPTER = 2  # MAV_TYPE
COMMANDS = {511, 512}  # MAV_CMD: message intervals and messages, which move nothing


def test_values_arrive_in_a_second_client(rig):
    one = rig('blueboat')
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as station:
        station.bind(('127.0.0.1', 0))
        station.setblocking(False)
        one.twin.client = station.getsockname()
        one.run(12.0)
        values, ears = {}, mavlink.MAVLink(None)
        counts = Counter()
        while True:
            try:
                data = station.recv(65_535)
            except BlockingIOError:
                break
            for message in ears.parse_buffer(data) or []:
                if message.get_type() == 'NAMED_VALUE_FLOAT':
                    values[message.name] = message.value
                    counts[message.name] += 1
                    assert (message.get_srcSystem(), message.get_srcComponent()) == (1, 191)
    assert set(values) == set(VALUES) and all(len(name) <= 10 for name in VALUES)
    assert max(counts.values()) <= 2 * 12
    figures = one.figures
    for name, (key, factor) in VALUES.items():
        assert values[name] == pytest.approx(factor * figures[key], rel=0.1), name


def test_nothing_is_commanded_unless_it_may_be(rig):
    one = rig(**GONE)
    one.run(10.0)
    assert one.figures['return_home'] and one.twin.commands() == []
    assert {message.command for message in one.twin.heard if message.get_type() == 'COMMAND_LONG'} <= COMMANDS
    assert sum('return now' in text for text in one.twin.texts()) == 1


def test_the_boat_is_sent_home_once_and_seen_in_the_mode(rig):
    one = rig(mode='RTL', **GONE)
    one.run(10.0)
    [command] = one.twin.commands()
    assert (command.target_system, command.param1, command.param2) == (1, 1.0, RTL)
    assert one.one.order.state is OrderState.DONE and one.twin.mode == RTL
    assert 'energy: the boat is in RTL' in one.twin.texts()
    one.twin.mode = 0  # The operator takes it back, and is not fought.
    one.run(10.0)
    assert len(one.twin.commands()) == 1


def test_a_refusal_is_told_and_not_repeated(rig):
    one = rig(mode='RTL', **GONE)
    one.twin.answers = 2
    one.run(15.0)
    assert len(one.twin.commands()) == 1
    assert one.one.order.state is OrderState.REFUSED and one.session.refused_command
    assert 'energy: RTL denied: steer it home' in one.twin.texts()


@pytest.mark.parametrize('answer, words', [(4, 'failed'), (1, 'not now')])
def test_a_refusal_for_now_is_asked_again_until_the_boat_obeys(rig, answer, words):
    """ArduPilot fails to enter RTL until its estimator has a position; a failsafe that gives up then is none."""
    one = rig(mode='RTL', **GONE)
    one.twin.answers = answer
    one.run(28.0)
    assert [command.confirmation for command in one.twin.commands()] == [0, 0, 0], 'one in 10 s'
    assert one.one.order.state is OrderState.DELAYED and one.session.refused_command
    assert one.twin.texts().count(f'energy: RTL {words}, asked again') == 1
    one.twin.answers = 0
    one.run(11.0)
    assert one.twin.mode == RTL and one.one.order.state is OrderState.DONE and len(one.twin.commands()) == 4
    assert 'energy: the boat is in RTL' in one.twin.texts() and not one.session.refused_command


def test_a_command_without_an_answer_is_sent_again_three_times_in_all(rig):
    one = rig(mode='RTL', **GONE)
    one.twin.answers = None
    one.run(20.0)
    assert [command.confirmation for command in one.twin.commands()] == [0, 1, 2]
    assert one.one.order.state is OrderState.UNANSWERED


def test_a_command_into_a_dead_link_is_given_again_when_it_is_back(rig):
    """The link dies in both directions just then, for 12 s: nobody has read of the command, and nobody obeyed."""
    one = rig(mode='RTL', **GONE)
    for _ in range(100):
        one.twin.step()
        one.session.step(0.0)
        if one.session.boats and one.one.order.sent:
            break
        one.twin.listen()
    one.pass_silently(12.0)
    assert one.one.order.sent <= 2 and one.one.order.state is OrderState.LOST and one.session.refused_command
    while one.twin.socket in select.select([one.twin.socket], [], [], 0.0)[0]:
        one.twin.socket.recv(65_535)  # What was sent into it is lost.
    one.run(6.0)
    assert one.twin.mode == RTL and one.one.order.state is OrderState.DONE and not one.session.refused_command
    assert one.twin.texts().count('energy: RTL commanded, margin gone') == 1
    assert not any('no answer' in text for text in one.one.said)


@pytest.mark.parametrize('target, component, is_taken', [
    (255, 190, False), (1, 190, False), (1, 191, True), (0, 0, True)])
def test_an_answer_to_another_ground_station_is_not_taken(rig, target, component, is_taken):
    one = rig(mode='RTL', **GONE)
    one.twin.answers = None
    for _ in range(100):
        if not one.twin.commands():
            one.run(0.1)
    one.twin.put('COMMAND_ACK', 176, 2, 0, 0, target, component)
    one.run(0.2)
    assert (one.one.order.state is OrderState.REFUSED) == is_taken


def test_a_home_of_zeros_is_none(rig):
    one = rig(mode='RTL', charge=0.9, boat='blueboat')
    one.twin.home = 0.0, 0.0
    one.run(10.0)
    assert one.one.vehicle.home is None and one.twin.commands() == []


def test_who_says_system_0_is_no_boat(rig):
    """A command to system 0 is one to every vehicle on the link."""
    one = rig(mode='RTL', system=0, **GONE)
    one.run(8.0)
    assert one.session.boats == {} and one.twin.heard == []


def test_an_answer_without_the_mode_is_told(rig):
    one = rig(mode='RTL', **GONE)
    one.twin.obeys = False
    one.run(15.0)
    assert len(one.twin.commands()) == 1
    assert 'energy: RTL accepted but not in it: look' in one.twin.texts()


@pytest.mark.parametrize('parts, armed', [({'charge': 0.9, 'boat': 'blueboat'}, True), (GONE, False)])
def test_a_boat_with_a_margin_or_disarmed_is_left_alone(rig, parts, armed):
    one = rig(mode='RTL', **parts)
    one.twin.armed = armed
    one.run(10.0)
    assert one.twin.commands() == []


@pytest.mark.parametrize('kind, mode, words', [
    (COPTER, 'RTL', 'a quadrotor is never commanded'), (BOAT, 'LAND', "'LAND'; must be one of ACRO")])
def test_a_mode_that_the_vehicle_does_not_have_is_never_commanded(rig, kind, mode, words):
    """A copter's mode 11 is no RTL; PX4 has LAND, and a boat of ArduPilot has none."""
    one = rig(mode=mode, kind=kind, **GONE)
    del one.twin.parameters['FRAME_CLASS']
    one.session._options = one.session._options._replace(any_vehicle=True)
    one.run(10.0)
    assert one.figures['return_home'] and one.twin.commands() == []
    assert any(words in text for text in one.one.said)
    is_missing = mode == 'LAND'
    assert one.twin.texts().count('energy: no mode LAND: nothing is commanded') == is_missing
    assert one.session.refused_command == is_missing


def test_modes_are_those_of_the_autopilot():
    assert mode_numbers('RTL', False) == (11, 11, 0)
    assert mode_numbers('RTL', True) == (4 << 16 | 5 << 24, 4, 5)  # PX4: AUTO, RTL
    with pytest.raises(InputError, match="--may-command is 'FLY'; must be one of ACRO, AUTO"):
        mode_numbers('FLY', False)


def test_a_warning_is_said_once_and_again_after_it_has_passed():
    announcer = Announcer()

    def said(charge, now=0.0):
        return [one.text for one in announcer.changes({'state_of_charge': charge}, now)]

    assert said(0.3) == []
    assert said(0.19) == ['energy: battery at 19 %']
    assert said(0.18) == said(0.22) == said(0.19) == []  # It must recover first.
    assert said(None) == []
    assert said(0.3) == [] and said(0.1, 9.0) == []  # It must have recovered for a while.
    assert said(0.3, 10.0) == said(0.3, 21.0) == [] and said(0.1, 22.0) == ['energy: battery at 10 %']


def test_a_silent_boat_is_said_once_and_its_old_values_are_not_sent(rig):
    one = rig()
    one.run(10.0)
    one.pass_silently(12.0)
    one.twin.listen()
    values = one.twin.count('NAMED_VALUE_FLOAT')
    one.pass_silently(30.0)
    one.twin.listen()
    assert one.twin.count('NAMED_VALUE_FLOAT') == values > 0
    assert one.twin.texts().count('energy: no data from the boat for 10 s') == 1
    assert sum('no data' in text for text in one.twin.texts()) == 1


def test_no_value_is_sent_before_the_first_position(rig):
    one = rig()
    one.twin._put_place = lambda *_: None
    one.run(5.0)
    assert one.twin.count('HEARTBEAT') > 2 and one.twin.count('NAMED_VALUE_FLOAT') == 0


def test_the_margin_is_of_the_mean_wind(rig):
    """The wind of the way home is a mean over 30 s; that of the power now is the last one."""
    one = rig('blueboat')
    for number in range(40):
        one.twin.wind = 0.0, 6.0 + 4.0 * (-1) ** number
        one.run(1.0)
    assert one.one.account.wind_now.velocity(0.0, 0.0, 0.0)[1] == pytest.approx(-6.0, abs=0.3)
    assert abs(one.figures['wind']['y_m_s']) in (pytest.approx(2.0), pytest.approx(10.0))


@pytest.mark.parametrize('rival_mode', [RTL, 0])
def test_a_second_vehicle_in_the_mode_is_not_taken_for_the_boat(rig, rival_mode):
    """The rival is in RTL already, or would answer for the boat: the boat is commanded, and the operator told."""
    one = rig(mode='RTL', **GONE)
    one.twin.armed = False
    one.run(3.0)
    rival = AutopilotTwin(one.port, boot=5000.0, boat=Boat(speed=2.0))
    rival.mode = rival_mode
    for _ in range(7):
        rival.put('VFR_HUD', 1.0, 1.0, 90, 50, 0.0, 0.0)
    one.others = [rival]
    one.run(6.0)
    assert one.one.order.sent == 0, 'the armed one is the rival'
    one.twin.armed = True
    one.run(8.0)
    assert one.one.order.sent >= 1 and one.twin.mode == RTL and one.one.order.state is OrderState.DONE
    assert 'energy: two vehicles have one system id' in one.twin.texts()
    assert one.figures['left_out']['messages of a second vehicle'] >= 5


def test_a_boat_that_is_in_the_mode_already_is_not_commanded(rig):
    one = rig(mode='RTL', **GONE)
    one.twin.mode = RTL
    one.run(10.0)
    assert one.one.order.sent == 0 and one.one.order.state is OrderState.DONE


def test_no_return_and_fouling_are_said_once():
    announcer = Announcer()
    far = {'home_status': 0, 'no_return_duration_s': 900.0, 'home_margin_j': 36e3, 'hull_state': 'healthy'}
    assert announcer.changes(far) == []
    near = {**far, 'no_return_duration_s': 250.0, 'hull_state': 'more drag', 'drag_ratio': 1.3}
    assert [(one.severity, one.text) for one in announcer.changes(near)] == [
        (4, 'energy: no return in 250 s, margin 10.0 Wh'), (4, 'energy: drag 1.30 of the boat file: fouled?')]
    assert announcer.changes(near) == announcer.changes({**near, 'home_status': 4}) == []  # 4: no state, unknown
    back = {**near, 'return_home': True, 'home_margin_j': -3600.0, 'home_energy_j': 7200.0}
    assert [one.text for one in announcer.changes(back)] == ['energy: return now, home 2.0, margin -1.0 Wh']
    assert announcer.changes(back) == []


def test_who_is_told_to_return_is_not_told_that_it_is_soon():
    """ArduPilot's operator read 'return now', and then 'no return in 0 s'."""
    announcer = Announcer()
    back = {'home_status': 0, 'no_return_duration_s': 0.0, 'return_home': True, 'home_margin_j': -3600.0}
    assert [one.text.split(',')[0] for one in announcer.changes(back)] == ['energy: return now']
    assert announcer.changes(back) == announcer.changes({**back, 'no_return_duration_s': 5.0}) == []


def test_the_main_alarm_is_whole_for_large_batteries():
    back = {'home_status': 0, 'return_home': True, 'home_margin_j': -43221.4 * 3600.0, 'home_energy_j': 342.9 * 3600.0}
    [said] = Announcer().changes(back)
    assert statustext(said).text == 'energy: return now, home 342.9, margin -43221 Wh'


def test_a_boat_without_a_position_or_a_home_is_said_to_be_unwatched(rig):
    one = rig('blueboat')
    one.twin.home = None
    one.run(5.0)
    put = one.twin._put_place
    one.twin._put_place = lambda ms, _: one.twin.put('GLOBAL_POSITION_INT', ms, 0, 0, 0, 0, 0, 0, 0, 0)
    one.run(12.0)
    one.twin._put_place = put
    one.run(50.0)
    texts = one.twin.texts()
    assert texts.count('energy: no position: the way home is unknown') == 1
    assert texts.count('energy: no home known: no way home is watched') == 1


def test_parameters_are_compared_whenever_they_change(rig):
    one = rig('blueboat')
    one.run(8.0)
    before = one.figures['parameter_differences']
    one.twin.put('PARAM_VALUE', b'CRUISE_SPEED', 9.0, 9, 1, 0)
    one.run(1.0)
    [added] = set(one.figures['parameter_differences']) - set(before)
    assert added.startswith('CRUISE_SPEED is 9 m/s')


def test_a_text_fits_its_message():
    assert len(statustext(Said(4, 'e' * 80)).text) == LONGEST_TEXT


def test_parameters_are_asked_for_until_they_come_and_home_once(rig):
    one = rig()
    one.twin.lost = 0.2
    one.run(20.0)
    assert one.one.vehicle.parameters == {name: pytest.approx(value) for name, value in one.twin.parameters.items()}
    asked = Counter(message.param_id for message in one.twin.heard if message.get_type() == 'PARAM_REQUEST_READ')
    assert max(asked.values()) <= 4
    assert one.figures['home_distance_m'] == pytest.approx(
        (one.twin.boat.north ** 2 + one.twin.boat.east ** 2) ** 0.5, abs=5.0)


def test_whole_numbers_of_px4_are_unpacked_and_its_mission_speed_is_that_of_the_way_home(rig):
    one = rig('blueboat', autopilot=PX4)
    one.twin.parameters = {'RO_SPEED_LIM': 1.1, 'PWM_MAIN_FUNC1': 101, 'PWM_MAIN_FUNC2': 102, 'PWM_AUX_FUNC1': 201,
                           'BAT1_CAPACITY': 18_000.0, 'CA_ROTOR_COUNT': 0, 'BAT1_N_CELLS': -1}
    one.run(20.0)
    assert one.one.vehicle.parameters == {name: pytest.approx(value) for name, value in one.twin.parameters.items()}
    said = [words.split(' ')[0] for words in one.figures['parameter_differences']]
    assert said == ['PWM_MAIN_FUNCn', 'BAT1_CAPACITY']
    figures = one.figures
    assert figures['home_distance_m'] / figures['home_duration_s'] == pytest.approx(1.1, rel=1e-3)


def test_a_number_of_rotors_beyond_all_is_limited():
    wanted = Requests(1).missing({'CA_ROTOR_COUNT': 2e9}, True)
    assert len([name for name in wanted if name.startswith('CA_ROTOR') and name.endswith('_PX')]) == 12


@pytest.mark.parametrize('autopilot, wind', [(ARDUPILOT, 168), (PX4, 231)])
def test_an_autopilot_is_asked_for_the_wind_that_it_has(rig, autopilot, wind):
    """ArduPilot tells its operator of each message that it does not have."""
    one = rig(autopilot=autopilot)
    one.run(2.0)
    asked = {int(message.param1) for message in one.twin.heard
             if message.get_type() == 'COMMAND_LONG' and message.command == 511}
    assert asked & {168, 231} == {wind} and 33 in asked
