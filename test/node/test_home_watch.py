"""The way home on the graph: closed forms of a boat with linear drag and a hotel load, homes by service, and faults."""

import math
import time
from contextlib import ExitStack

import pytest
import yaml
from geometry_msgs.msg import Point, Vector3, Vector3Stamped
from harness import DEADLINE, hear, steps
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile
from served_folder import served_folder
from std_msgs.msg import Bool, Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log
from usv_energy.nodes.home_watch import HomeWatch
from usv_energy.nodes.recorder import Recorder
from usv_energy.physics.batteries.cell import rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import graph_of, parser
from usv_energy.ros.graph.graph import FlowOptions, checked_energy_nodes
from usv_energy.ros.graph.graph_options import EnergyOptions
from usv_energy.ros.graph.monitor import MonitorSession
from usv_energy.ros.messages import convert
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.analyze.report_page import report_html
from usv_energy.studies.runs.monitor_view import frame
from usv_energy_msgs.msg import BatteryEstimate, BoatState, EnergyStamped, HomeMargin
from usv_energy_msgs.srv import SetHome

D11, HOTEL, CAPACITY = 16.296, 6.0, 148.0 * 3600.0
SURE = {'confidence': 0.5, 'reserve': 0.0, 'charge_std': 0.0, 'current_std': 0.0, 'wind_std': 0.0, 'period': 0.0}
# Where ring, home and boat are, by one look, once the map has gone to where the whole ring is seen.
SEEN = """() => {
  const box = one => document.querySelector(one)?.getBoundingClientRect();
  const map = box('.leaflet-container'), boxes = ['path.ring', 'path.home', 'path.cursor'].map(box), ring = boxes[0];
  return boxes.every(Boolean) && map && ring.width > 100 && ring.left > map.left && ring.right < map.right
    && ring.bottom < map.bottom && boxes.map(({x, y, width, height}) => ({x, y, width, height}));
}"""
STILL_AIR = {'frontal_area': 0.0, 'lateral_area': 0.0}


@pytest.fixture
def boat(tmp_path):
    """Return a function that writes a boat without windage, with a hotel load and a charge."""
    def write(charge=1.0):
        path = tmp_path / 'boat.yaml'
        path.write_text(yaml.safe_dump({
            'base': 'lutra_prop', 'name': 'with_hotel', 'static_load': HOTEL, 'windage': STILL_AIR,
            'battery': {'capacity_wh': 148.0, 'nominal_voltage': 14.8, 'initial_state_of_charge': charge}}))
        return str(path)
    return write


@pytest.fixture
def watched(graph, attach, boat):
    """Return a function that makes a graph with a HomeWatch; and what is heard of it."""
    def make(charge=1.0, current=None, without=(), **parameters):
        path = boat(charge)
        one = graph(boat=path, current=current, without=without)
        one.watch = attach(one.composition, HomeWatch, boat=path, **{**SURE, **parameters})
        one.margins = hear(one, HomeMargin, 'home_margin')
        return one
    return make


def answer_to(one, stamp, **motion):
    """Tell one odometry, and return the margin at that stamp."""
    one.tell(stamp, **motion)
    wanted = round(stamp * convert.NANOSECONDS)
    one.until(lambda: any(convert.nanoseconds(msg.header.stamp) == wanted for msg in one.margins))
    return one.margins[-1]


def test_homes_and_sea_in_parts_are_those_of_the_texts(ros, attach, boat):
    def given(**parameters):
        node = HomeWatch('home_watch', namespace='/boat', parameter_overrides=[
            Parameter(name, value=value) for name, value in {'boat': 'otter_parts', **parameters}.items()])
        try:
            node.configure(ExitStack())
            return node._homes, node._boat.vessel.sea
        finally:
            node.destroy_node()

    texts = given(homes=['pier:0,0', 'slip:120,-40.5'], sea='0.3,2.5,180')
    assert given(home_names=['pier', 'slip'], home_x=[0, 120], home_y=[0.0, -40.5], sea_height=0.3, sea_period=2.5,
                 sea_direction_deg=180.0) == texts and len(texts[0]) == 2 and texts[1] is not None
    for wrong, words in (({'home_names': ['a'], 'home_x': [1.0, 2.0]}, 'have 1, 2 and 1 entries'),
                         ({'home_names': ['a'], 'homes': ['b:1,2']}, 'homes and home_names are both'),
                         ({'sea': '0.3,2.5,180', 'sea_height': 0.3}, 'sea_height 0.3: both are given')):
        with pytest.raises(InputError, match=words):
            given(**wrong)


def test_cells_give_until_their_cutoff_at_the_higher_of_both_powers(graph, attach, tmp_path):
    """Out with the current at little power, home against it at more: what is left is what cells give at that."""
    path = tmp_path / 'cells.yaml'
    path.write_text(yaml.safe_dump({
        'base': 'lutra_prop', 'name': 'weak_cells', 'static_load': HOTEL, 'windage': STILL_AIR, 'battery': {
            'chemistry': 'nmc', 'series': 4, 'capacity_ah': 5.0, 'internal_resistance': 0.8, 'capacity_wh': None,
            'initial_state_of_charge': 0.6}}))
    one = graph(boat=str(path), current=FlowOptions('global', 0.5, 0.0))
    one.watch = attach(one.composition, HomeWatch, boat=str(path), homes=['pier:0,0'], **SURE)
    one.margins = hear(one, HomeMargin, 'home_margin')
    for stamp in steps(0.0, 5.0, 0.5):
        msg = answer_to(one, stamp, u=0.6, x=200.0 + 0.6 * stamp)
    pack = read_boat(str(path)).pack
    charge = one.heard['energy'][-1].state_of_charge
    home, slow = (float(energy_left(rested(charge, 298.15), watts, 298.15, pack).energy)
                  for watts in (msg.energy_home / msg.duration, D11 * 0.1 ** 2 + HOTEL))
    assert msg.energy_left == pytest.approx(home, rel=0.02) and msg.energy_left < 0.95 * slow
    assert msg.margin == pytest.approx(msg.energy_left - msg.energy_home, rel=1e-9)


def test_margin_and_point_of_no_return_are_the_closed_form(watched):
    """A metre of the way home costs 2 d11 (v + c), at v^2 = c^2 + h / d11, against the current."""
    one = watched(current=FlowOptions('global', 0.3, 0.0), homes=['pier:0,0'])
    for stamp in steps(0.0, 5.0, 0.5):
        msg = answer_to(one, stamp, u=0.9, x=200.0 + 0.9 * stamp)
    power, metre = D11 * 0.6 ** 2 + HOTEL, 2.0 * D11 * (math.sqrt(0.09 + HOTEL / D11) + 0.3)
    left = CAPACITY - one.heard['energy'][-1].total
    assert (msg.home, msg.status, msg.message) == ('pier', HomeMargin.OK, '')
    assert msg.distance == pytest.approx(204.5)
    assert msg.energy_left == pytest.approx(left, abs=12.0)     # As of the energy heard by then: a sample before.
    assert msg.energy_home == pytest.approx(204.5 * metre, rel=3e-3) == msg.energy_home_upper
    assert msg.margin == pytest.approx(msg.energy_left - msg.energy_home, rel=1e-9)
    assert (msg.home_x, msg.home_y, msg.reach[0]) == (0.0, 0.0, pytest.approx(msg.energy_left / metre, rel=3e-3))
    assert msg.reach[36] / msg.reach[0] == pytest.approx(metre / (metre - 4.0 * D11 * 0.3), rel=6e-3)   # From the west.
    assert msg.no_return_duration == pytest.approx((left - 204.5 * metre) / (power + 0.9 * metre), rel=0.01)
    assert msg.no_return_distance == pytest.approx(0.9 * msg.no_return_duration, rel=1e-6)
    assert not msg.return_home


def test_it_is_time_to_go_back_before_the_point_of_no_return(watched, capfd):
    """2 % of the charge, at 1 m/s away from home: said once, a late reader hears it, the margin goes on below zero."""
    one = watched(charge=0.02, homes=['pier:0,0'], lead=10.0)
    told = [answer_to(one, float(stamp), u=1.0, x=440.0 + stamp) for stamp in range(60)]
    turned = next(n for n, msg in enumerate(told) if msg.return_home)
    assert 0 < turned < len(told) - 11 and not told[turned].status
    assert told[turned].no_return_duration <= 10.0 < told[turned - 1].no_return_duration
    over = next(n for n, msg in enumerate(told) if msg.status == HomeMargin.BEYOND_RETURN)
    assert over - turned in (9, 10, 11)
    assert told[over].no_return_duration == 0.0 and 'Wh more than there is' in told[over].message
    late = []
    one.probe.create_subscription(Bool, 'return_home', late.append,
                                  QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    one.until(lambda: late)
    assert late[-1].data
    assert capfd.readouterr().err.count('time to go back to pier') == 1


def test_gusts_are_no_wind_of_the_way_home_and_a_margin_about_zero_is_one_alarm(watched, capfd):
    """As `live` has it: a mean over 30 s, and an alarm that lasts until there was a margin for 10 s."""
    one = watched(homes=['pier:0,0'], without=('wind_client', 'energy_accumulator'), lead=0.0)
    wind = one.probe.create_publisher(Vector3Stamped, 'wind', qos.STREAM)
    energy = one.probe.create_publisher(EnergyStamped, 'energy', qos.LATCHED_STREAM)
    one.until(lambda: wind.get_subscription_count() and energy.get_subscription_count())

    def told(number):
        """Return the margin of a second; the charge is too low at every other one of the 11th to the 39th."""
        header = Header(stamp=convert.stamp_of(number * convert.NANOSECONDS))
        wind.publish(Vector3Stamped(header=header, vector=Vector3(x=3.0 + 2.0 * (-1.0) ** number)))
        energy.publish(EnergyStamped(header=header, state_of_charge=0.002 if 10 < number < 40 and number % 2 else 0.1))
        one.until(lambda: 'wind' in one.watch._flows and one.watch._flows['wind'][0] == number * convert.NANOSECONDS
                  and one.watch._energy is not None and one.watch._energy.header.stamp == header.stamp)
        return answer_to(one, float(number), until='boat_state', x=100.0)

    heard = [told(number) for number in range(60)]
    assert one.watch._flow(59 * convert.NANOSECONDS).wind_x == pytest.approx(3.0, abs=2.0 / 31.0 + 1e-9)
    assert [msg.return_home for msg in heard] == [11 <= number < 50 for number in range(60)]
    assert {msg.margin < 0.0 for msg in heard[11:40]} == {True, False}
    assert capfd.readouterr().err.count('time to go back to pier') == 1


def call(one, **request):
    client = one.probe.create_client(SetHome, 'set_home')
    one.until(client.service_is_ready)
    future = client.call_async(SetHome.Request(**request))
    one.until(future.done)
    return future.result()


def test_homes_by_service(watched):
    one = watched()
    answer_to(one, 0.0, x=10.0, y=20.0)
    msg = answer_to(one, 0.5, x=10.0, y=20.0)
    assert msg.status == HomeMargin.NO_HOME and 'call set_home' in msg.message and math.isnan(msg.margin)
    assert math.isnan(msg.home_x) and not msg.reach
    assert call(one, reserve=math.nan).success
    msg = answer_to(one, 1.0, x=10.0, y=50.0)
    assert (msg.home, msg.distance, msg.reserve) == ('home', 30.0, 0.0)
    assert call(one, names=['a', 'b'], places=[Point(x=0.0, y=50.0), Point(x=500.0)], reserve=1000.0).success
    msg = answer_to(one, 2.0, x=10.0, y=50.0)
    assert (msg.home, msg.distance, msg.reserve) == ('a', 10.0, 1000.0)
    for wrong, words in ((dict(names=['a'], places=[Point(), Point()]), '1 names for 2 places'),
                         (dict(places=[Point(x=math.nan)]), 'home_1 lies at nan'),
                         (dict(places=[Point(x=1e308)]), 'home_1 lies at 1e+308, 0; must be numbers, m, at most 1e+09'),
                         (dict(names=['a', 'a'], places=[Point(), Point(x=1.0)]), 'a name is there twice among a, a'),
                         (dict(places=[Point()], reserve=1e300), 'reserve is 1e+300 J; must be from 0 to 1e+14'),
                         (dict(places=[Point()], reserve=-1.0), 'reserve is -1 J')):
        answer = call(one, **{'reserve': math.nan, **wrong})
        assert not answer.success and words in answer.message
    assert answer_to(one, 3.0, x=10.0, y=50.0).home == 'a'
    assert call(one, names=[''], places=[Point(x=10.0)], reserve=0.0).success
    assert answer_to(one, 4.0, x=10.0, y=50.0).home == 'home_1'


def test_a_new_home_is_answered_at_once_so_that_no_late_reader_gets_the_old_one(watched):
    """No state comes after the call; the latched margin is the way to the new place from the last one."""
    one = watched(homes=['0,0'])
    for stamp in (0.0, 0.5):
        msg = answer_to(one, stamp, x=300.0)
    assert msg.distance == 300.0
    assert call(one, names=['pier\x1b[2J'], places=[Point(x=290.0)], reserve=math.nan).success
    late = []
    one.probe.create_subscription(HomeMargin, 'home_margin', late.append, qos.LATCHED)
    one.until(lambda: late)
    assert (late[-1].home, late[-1].distance) == ('pier\\x1b[2J', 10.0)
    many = call(one, places=[Point()] * 101, reserve=math.nan)
    assert not many.success and '101 places; must be at most 100' in many.message


def test_what_is_not_known_is_said(watched):
    one = watched(without=('current_client', 'energy_accumulator'), homes=['0,0'])
    one.tell(0.0, until='boat_state', x=5.0)
    one.until(lambda: one.margins)
    assert one.margins[-1].status == HomeMargin.NO_STATE | HomeMargin.NO_BATTERY
    assert 'water current' in one.margins[-1].message and 'no energy was heard' in one.margins[-1].message
    assert not one.margins[-1].return_home


def test_no_headway_home_is_a_reason_to_go_back_and_says_why(watched):
    one = watched(current=FlowOptions('global', 2.0, 0.0), homes=['0,0'])
    for stamp in (0.0, 1.0):
        msg = answer_to(one, stamp, u=0.5, x=50.0)
    assert msg.status == HomeMargin.UNREACHABLE and msg.return_home and msg.energy_home == math.inf


def test_nan_and_time_that_jumps_back_do_not_end_it(watched):
    one = watched(homes=['0,0'])
    answer_to(one, 5.0, u=0.5, x=10.0)
    msg = answer_to(one, 6.0, u=0.5, x=math.nan)
    assert msg.status == HomeMargin.NO_STATE
    msg = answer_to(one, 1.0, u=0.5, x=20.0)
    assert msg.status == HomeMargin.OK and msg.distance == 20.0


def estimate_at(stamp, std, status=BatteryEstimate.OK):
    return BatteryEstimate(header=Header(stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS))),
                           state_of_charge=1.0, state_of_charge_std=std, status=status)


@pytest.mark.usefixtures('without_numbers')
def test_what_no_boat_has_is_not_used_of_another_publisher_and_named(watched):
    """A second energy of 1e30 J, one of another clock, a state and an estimate: the margin stays as it was."""
    one = watched(homes=['pier:0,0'])
    first = [answer_to(one, stamp, x=100.0) for stamp in steps(100.0, 101.0)][-1]
    before = one.watch._samples._useless
    header = Header(stamp=convert.stamp_of(round(101.0 * convert.NANOSECONDS)))
    far = Header(stamp=convert.stamp_of(2 ** 31 * convert.NANOSECONDS - 1))
    wrong = [EnergyStamped(header=header, total=1e30), EnergyStamped(header=header, state_of_charge=5.0),
             EnergyStamped(header=far, state_of_charge=0.1), BatteryEstimate(header=header, state_of_charge_std=0.99),
             BoatState(header=header, yaw=1e30)]
    topics = {EnergyStamped: 'energy', BatteryEstimate: 'battery_estimate', BoatState: 'boat_state'}
    publishers = {kind: one.probe.create_publisher(kind, topic, qos.LATCHED_STREAM) for kind, topic in topics.items()}
    one.until(lambda: all(publisher.get_subscription_count() for publisher in publishers.values()))
    for msg in wrong:
        publishers[type(msg)].publish(msg)
    one.until(lambda: one.watch._samples._useless == before + 4)    # One waits for what follows.
    msg = answer_to(one, 101.05, x=100.0)
    assert msg.margin == pytest.approx(first.margin, abs=20.0)
    one.until(lambda: one.watch._samples._useless == before + 5)


def test_a_measured_charge_is_as_sure_as_its_estimate_says(watched):
    """The way's bound at 99 % lies 2.326 deviations of the charge above what is expected; all else is sure."""
    one = watched(without=('energy_accumulator',), homes=['pier:0,0'], confidence=0.99, charge_std=0.02)
    energy = one.probe.create_publisher(EnergyStamped, 'energy', qos.LATCHED_STREAM)
    estimate = one.probe.create_publisher(BatteryEstimate, 'battery_estimate', qos.LATCHED_STREAM)
    heard = one.watch
    one.until(lambda: energy.get_subscription_count() and estimate.get_subscription_count())

    def width(stamp, said=None):
        """Return by which share of the capacity the bound lies above, where so much was said of the charge."""
        energy.publish(EnergyStamped(header=Header(stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS))),
                                     state_of_charge=0.5))
        if said is not None:
            estimate.publish(said)
            one.until(lambda: heard._estimate and heard._estimate.header.stamp == said.header.stamp)
        one.until(lambda: heard._energy is not None and heard._energy.header.stamp.sec == round(stamp))
        one.tell(stamp, until='boat_state', x=100.0)
        one.until(lambda: one.margins and one.margins[-1].header.stamp.sec == round(stamp))
        msg = one.margins[-1]
        assert msg.status == HomeMargin.OK
        return (msg.energy_home_upper - msg.energy_home) / CAPACITY / 2.3263479

    one.tell(0.0, until='wind', x=100.0)    # Current and wind are known from the next state on.
    assert width(1.0) == pytest.approx(0.02, rel=1e-5)
    assert width(2.0, estimate_at(2.0, 0.05)) == pytest.approx(0.05, rel=1e-5)
    assert width(3.0, estimate_at(3.0, 0.1, BatteryEstimate.NOT_MEASURED)) == pytest.approx(0.02, rel=1e-5)
    assert width(4.0, estimate_at(4.0, 0.01)) == pytest.approx(0.01, rel=1e-5)
    assert width(5.0, estimate_at(5.0, math.nan)) == pytest.approx(0.02, rel=1e-5)
    assert width(6.0, estimate_at(6.0, 0.04)) == pytest.approx(0.04, rel=1e-5)
    assert width(7.0, estimate_at(1.5, 0.06)) == pytest.approx(0.02, rel=1e-5), 'an estimate of 5.5 s ago is too old'


def test_the_monitor_shows_the_way_home(watched):
    one = watched(homes=['pier:0,0'])
    with MonitorSession('boat', 5.0) as watch:
        one.composition.executor.add_node(watch.monitor)
        one.until(lambda: watch.monitor.count_publishers('/boat/home_margin'))
        for stamp in steps(0.0, 2.0, 0.5):
            msg = answer_to(one, stamp, u=0.9, x=200.0)
        one.until(lambda: watch.monitor.state().get('home_margin_j') == msg.margin)
        state = watch.monitor.state()
        one.composition.executor.remove_node(watch.monitor)
    assert state['home_place'] == 'pier' and state['home_distance_m'] == 200.0 and state['return_home'] is False
    assert state['no_return_duration_s'] == msg.no_return_duration
    assert f'pier, 200.0 m: {msg.energy_home:.1f} J' in '\n'.join(frame(state, 92, False))


def test_the_page_live_shows_home_and_its_ring(watched, browser, tmp_path):
    """In still water and air the ring is a circle about home, from where the boat is shown by its own distance."""
    pytest.importorskip('nicegui')
    one = watched(charge=0.1, homes=['pier:100,50'])
    with served_folder(tmp_path) as (_, address):
        page = browser.new_context(viewport={'width': 1400, 'height': 900}).new_page()
        page.goto(f'{address}live')
        page.get_by_label('From', exact=True).click()
        page.get_by_role('option', name='a ROS 2 graph').click()
        page.get_by_label('Namespace').fill('boat')
        page.get_by_role('button', name='Watch').click()
        stamp, end = 0.0, time.monotonic() + DEADLINE
        while not (boxes := page.evaluate(SEEN)):
            assert time.monotonic() < end, 'no ring on the map'
            stamp += 0.5
            msg = answer_to(one, stamp, u=0.5, x=1500.0, y=50.0)
            page.wait_for_timeout(50)
        page.context.close()
    centres = [(box['x'] + 0.5 * box['width'], box['y'] + 0.5 * box['height']) for box in boxes]
    pixels = 0.5 * boxes[0]['width'] / msg.reach[0]     # For a metre.
    assert boxes[0]['width'] == pytest.approx(boxes[0]['height'], abs=4.0)
    assert msg.reach == pytest.approx([msg.reach[0]] * 72)
    assert centres[1] == pytest.approx(centres[0], abs=3.0)
    assert centres[2] == pytest.approx((centres[0][0] + 1400.0 * pixels, centres[0][1]), abs=3.0)


@pytest.mark.parametrize(('given', 'words'), [({'homes': ['pier']}, "homes: 'pier'; must be X,Y or NAME:X,Y"),
                                              ({'homes': ['a:1,2', 'a:3,4']}, 'a name is there twice among a, a'),
                                              ({'confidence': 1.0}, 'confidence is 1; must be 0.5 or more'),
                                              ({'reserve': -0.1}, 'parameter reserve is -0.1; must be 0 to 1'),
                                              ({'homes': ['a:1e308,2']}, "homes: 'a:1e308,2'; must be X,Y")])
def test_wrong_parameters(ros, boat, capfd, given, words):
    from rclpy.parameter import Parameter
    parameters = {'boat': boat(), **given}
    node = HomeWatch(namespace='/boat', parameter_overrides=[Parameter(name, value=value)
                                                             for name, value in parameters.items()])
    assert not node.bring_up()
    node.close()
    assert words in capfd.readouterr().err


def test_the_launch_files_graph_has_it_where_homes_are_given():
    assert not [one for one in checked_energy_nodes(EnergyOptions(boat='wamv')) if one.executable == 'home_watch']
    words = ['energy', '--boat=wamv', '--homes=pier:1,2;3,4']
    for specs in (checked_energy_nodes(EnergyOptions(boat='wamv', homes='pier:1,2;3,4')),
                  graph_of(parser().parse_args(words), words, params_file=False)):
        node, = (one for one in specs if one.executable == 'home_watch')
        assert node.parameters['homes'] == ['pier:1,2', '3,4'] and node.node_class() is HomeWatch


def test_the_recorder_keeps_what_was_said_and_analyze_draws_it(watched, attach, tmp_path):
    """In a table and in the bag, with the same numbers at the same times; the report's page has the picture."""
    one = watched(charge=0.02, homes=['pier:0,0'])
    recorder = attach(one.composition, Recorder, out=str(tmp_path / 'rec'), plots=False)
    for stamp in range(5, 45):
        answer_to(one, float(stamp), u=1.0, x=440.0 + stamp)
    one.until(lambda: recorder._home and recorder._home[-1][0] == 44 * convert.NANOSECONDS)
    recorder.trigger_deactivate()
    folder = tmp_path / 'rec'
    by_table, by_bag = read_log(folder), read_log(folder / 'bag')
    for log in (by_table, by_bag):
        assert log.home is not None and log.home.time.size >= 38
        assert log.home.time[-1] == pytest.approx(log.time[-1])
    last = one.margins[-1]
    for trace in (by_table.home, by_bag.home):
        assert (trace.margin[-1], trace.energy_left[-1], trace.no_return_duration[-1]) == (
            last.margin, last.energy_left, last.no_return_duration)
        assert trace.return_home[-1] == 1.0 and trace.return_home[1] == 0.0
    html = report_html(log_report(analysed_log(by_table, read_boat(one.watch.parameters.text('boat')))))
    assert 'The way home' in html and 'No return in, min' in html
