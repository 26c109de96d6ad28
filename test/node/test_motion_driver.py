"""A boat that is driven by cmd_vel and path on a real graph, with what goes wrong."""

import math
import subprocess
import sys

import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from driven_boat import Drive, path_of, stamped, twist
from geometry_msgs.msg import Twist, TwistStamped
from harness import steady_power
from nav_msgs.msg import Odometry, Path

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.nodes.motion_driver import MotionDriver
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.graph import drive_nodes
from usv_energy.ros.graph.graph_options import DriveOptions
from usv_energy.ros.messages.messages import EnergyStamped, PowerStamped
from usv_energy.sim.control.motion_pilot import HOLDING, IDLE, PATH, STOPPED, VELOCITY

LATE = {'cmd_vel_timeout': 1e6}  # Where an order is said once.


@pytest.fixture
def drive(ros, tmp_path):
    made = []

    def make(*args, **options):
        made.append(Drive(tmp_path, *args, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize('boat, surge, sway, yaw_rate', [
    ('lutra_prop', 0.8, 0.0, 0.1), ('wamv', 1.0, 0.0, 0.1), ('lutra_airboat', 0.4, 0.0, 0.05),
    ('lutra_rudder', 0.8, 0.0, 0.05), ('milliampere', 0.8, 0.2, 0.1)])
def test_cmd_vel_is_driven_by_every_arrangement_within_two_percent(drive, boat, surge, sway, yaw_rate):
    one = drive(boat, driver=LATE)
    one.order(twist(surge, sway, yaw_rate), VELOCITY)
    one.drive(30.0)
    u, v, r = one.velocity()
    assert u == pytest.approx(surge, rel=0.02) and r == pytest.approx(yaw_rate, rel=0.02)
    assert sway == 0.0 or v == pytest.approx(sway, rel=0.02)


def test_the_energy_of_a_driven_boat_comes_out_by_cause_meanwhile(drive):
    """Straight ahead at a steady velocity: what the drag of water and air takes, by a closed form."""
    one = drive(driver=LATE)
    powers, energies = one.hear(PowerStamped, 'power'), one.hear(EnergyStamped, 'energy')
    one.order(twist(0.8), VELOCITY)
    one.drive(10.0)
    begin = one.plant.time
    one.drive(10.0)
    one.until(lambda: energies and energies[-1].header.stamp.sec > begin + 9.0)
    expected = steady_power(0.8, read_boat('lutra_prop'))
    assert powers[-1].thrust == pytest.approx(expected, rel=1e-3)
    first, last = next(msg for msg in energies if msg.header.stamp.sec > begin), energies[-1]
    for cause in ('total', 'thrust'):
        watts = (getattr(last, cause) - getattr(first, cause)) / (last.duration - first.duration)
        assert watts == pytest.approx(expected, rel=1e-3)


def test_two_runs_in_lockstep_are_the_same_to_the_last_bit(drive, tmp_path):
    for number in '12':
        one = drive(pace='lockstep', driver={'speed': 0.8}, out=str(tmp_path / number), bag=False)
        # Before time begins: when a message of another process comes is nobody's to say.
        one.pilot.order_path([(5.0, 0.0), (5.0, 5.0)])
        one.until(lambda one=one: one.plant.time >= 21.0)
        one.close()
    first, second = ((tmp_path / number / 'samples.csv').read_text().split('\n')[:201] for number in '12')
    assert first == second
    assert first[1] != first[200]


def test_a_cmd_vel_that_ends_stops_the_boat_and_that_is_said(drive, capfd):
    one = drive()
    one.order(twist(0.8), VELOCITY)
    one.until(lambda: one.pilot.doing == STOPPED)
    assert one.pilot.timed_out
    one.drive(20.0)
    assert one.velocity() == pytest.approx((0.0, 0.0, 0.0), abs=1e-2)
    told = one.hear(DiagnosticArray, '/diagnostics')

    def status():
        mine = [state for msg in told for state in msg.status if state.name == 'boat/motion_driver: motion']
        return mine[-1] if mine else DiagnosticStatus()

    one.until(lambda: status().level == DiagnosticStatus.WARN)
    assert 'cmd_vel ended before it was zero' in status().message
    assert 'no cmd_vel for 1 s: the boat is told to stop' in ''.join(capfd.readouterr())
    one.order(twist(0.3), VELOCITY)


def test_a_cmd_vel_that_is_not_finite_is_refused_and_the_boat_goes_on(drive, capfd):
    one = drive(driver=LATE)
    one.order(twist(0.5), VELOCITY)
    for wrong in (twist(math.nan), twist(0.1, 0.0, math.inf)):
        one.say(wrong)
    refused = one.nodes['motion_driver']._refused
    one.until(lambda: refused['cmd_vel'] == 2)
    assert one.pilot.ordered == (0.5, 0.0, 0.0)
    assert 'cmd_vel is refused: linear.x is nan; must be a finite number' in ''.join(capfd.readouterr())


def test_sideways_is_left_out_where_the_boat_cannot_and_that_is_said(drive, capfd):
    one = drive(driver=LATE)
    one.order(twist(0.5, 0.5), VELOCITY)
    one.drive(10.0)
    assert one.velocity() == pytest.approx((0.5, 0.0, 0.0), abs=0.01)
    assert 'linear.y of cmd_vel is left out: lutra_prop cannot go sideways' in ''.join(capfd.readouterr())


def test_twist_and_twist_stamped_are_heard_whichever_is_published(drive, capfd):
    one = drive(driver=LATE)
    one.order(stamped(0.4), VELOCITY)
    assert one.nodes['motion_driver']._twists.kind == 'twist_stamped'
    one.person.destroy_publisher(one.publishers.pop(('cmd_vel', TwistStamped)))
    one.say(twist(0.6))
    one.until(lambda: one.pilot.ordered == (0.6, 0.0, 0.0))
    other = one.person.create_publisher(Twist, '/boat/other', 10)
    assert 'is published as Twist now: it is heard so' in ''.join(capfd.readouterr())
    one.person.destroy_publisher(other)


def test_the_type_is_changed_in_peace_where_a_timer_calls_twice_in_one_go(drive, capfd):
    """As the events executor has it on a busy machine, before it has let go of the subscription that was closed."""
    one = drive(driver=LATE)
    one.person.create_publisher(TwistStamped, 'cmd_vel', 10)
    driver = one.nodes['motion_driver']
    one.until(lambda: driver.get_publishers_info_by_topic('/boat/cmd_vel'))
    for _ in range(2):
        driver._twists._adapt()
    one.order(stamped(0.4), VELOCITY)
    assert 'cannot be heard' not in ''.join(capfd.readouterr())


def test_a_stamped_velocity_of_long_ago_or_of_the_earth_is_refused(drive):
    one = drive(driver={'cmd_vel_timeout': 2.0})
    one.order(stamped(0.4, 'base_link'), VELOCITY)
    one.drive(20.0)
    refused = one.nodes['motion_driver']._refused
    for number, wrong in enumerate((stamped(0.7, 'boat/odom'), stamped(0.7, 'map'), stamped(0.7, '', 0.001)), 1):
        one.say(wrong)
        one.until(lambda number=number: refused['cmd_vel'] == number)
    assert one.pilot.doing == STOPPED
    one.order(stamped(0.7, '', 1.8e9), VELOCITY)  # Of another clock than the odometry's.


def test_a_type_that_is_set_is_the_one_that_is_heard(drive):
    one = drive(driver={'cmd_vel_type': 'twist_stamped', **LATE})
    assert one.nodes['motion_driver']._twists.kind == 'twist_stamped'
    one.order(stamped(0.4), VELOCITY)


def test_a_path_is_followed_kept_and_ended(drive, capfd):
    one = drive(driver={'speed': 0.8})
    one.order(path_of((10.0, 0.0), (10.0, 10.0)), PATH, 'path')
    one.until(lambda: one.pilot.doing == HOLDING)
    one.drive(30.0)
    assert math.dist((one.plant.state.x, one.plant.state.y), (10.0, 10.0)) < 0.2
    one.order(path_of((0.0, 0.0)), PATH, 'path')
    assert one.nodes['motion_driver'].set_parameters([rclpy.Parameter('at_path_end', value='stop')])[0].successful
    one.until(lambda: one.pilot.doing == STOPPED)
    one.order(path_of((0.0, 30.0)), PATH, 'path')
    one.order(Path(), STOPPED, 'path')
    said = ''.join(capfd.readouterr())
    for words in ("a path of 2 poses to (10.00, 10.00) m, at 0.80 m/s; the poses' orientations are not used",
                  'the end of the path is reached, and kept',
                  'the end of the path is reached: the boat is told to stop',
                  'an empty path: the boat is told to stop'):
        assert words in said


def test_a_path_in_another_frame_is_refused_and_what_was_ordered_holds(drive, capfd):
    one = drive(driver=LATE)
    one.order(twist(0.5), VELOCITY)
    refused = one.nodes['motion_driver']._refused
    wrong = (path_of((1.0, 1.0), frame='map'), path_of((1.0, 1.0), frame=''), path_of((1.0, math.nan)))
    for number, path in enumerate(wrong, 1):
        one.say(path, 'path')
        one.until(lambda number=number: refused['path'] == number)
    assert one.pilot.ordered == (0.5, 0.0, 0.0)
    said = ''.join(capfd.readouterr())
    assert "pose 0 is in frame 'map'; must be in that of the odometry, 'boat/odom' or 'odom'" in said
    assert 'pose 0 lies at (1.0, nan); must be finite numbers' in said
    one.order(path_of((5.0, 0.0), frame='odom'), PATH, 'path')
    assert 'cmd_vel takes over' not in said
    one.order(twist(0.2), VELOCITY)
    assert 'cmd_vel takes over: the path is dropped' in ''.join(capfd.readouterr())


def test_frames_that_coincide_may_be_told(drive):
    one = drive(driver={'path_frames': ['map']})
    one.order(path_of((5.0, 0.0), frame='map'), PATH, 'path')


def test_a_driver_that_is_deactivated_leaves_the_thrusters_at_rest_and_begins_without_an_order(drive):
    one = drive(driver=LATE)
    one.order(twist(0.8), VELOCITY)
    one.drive(5.0)
    driver = one.nodes['motion_driver']
    driver.trigger_deactivate()
    one.until(lambda: one.plant.setting.commands == (0.0, 0.0))
    driver.trigger_activate()
    one.drive(1.0)
    assert one.pilot.doing == IDLE
    one.order(twist(0.5), VELOCITY)


def test_a_driver_that_comes_late_or_anew_is_waited_for(drive, attach):
    """Whatever the order of activation: the boat waits at its place for who drives it, and nothing moves meanwhile."""
    one = drive(without=('motion_driver',))
    odometries = one.hear(Odometry, 'odom')
    one.until(lambda: len(odometries) > 5)
    assert one.plant.time == 0.0
    driver = attach(one.composition, MotionDriver, boat='lutra_prop', **LATE)
    one.say(twist(0.6))
    one.until(lambda: driver._pilot.doing == VELOCITY)
    one.drive(5.0)
    one.composition.executor.remove_node(driver)
    driver.close()
    one.until(lambda: (at := one.plant.time) >= 0.0 and one.nodes['boat_simulator']._missing() == {'thruster_command'}
              and at == one.plant.time)
    stood = one.plant.time
    again = attach(one.composition, MotionDriver, boat='lutra_prop', **LATE)
    one.until(lambda: one.plant.time > stood + 1.0)
    assert again._pilot.doing == IDLE


def test_a_driver_that_is_killed_is_waited_for_and_a_new_one_goes_on_with_the_velocity(drive):
    """SIGKILL: no word of farewell. The boat stands still in simulated time until there is a driver again."""
    one = drive(pace='2.0', without=('motion_driver',))
    orders = one.person.create_publisher(Twist, 'cmd_vel', 10)
    one.person.create_timer(0.1, lambda: orders.publish(twist(0.6)))
    command = [sys.executable, '-m', 'usv_energy.nodes.motion_driver', '--ros-args', '-r', '__ns:=/boat', '-p',
               'autostart:=true', '-p', 'boat:=lutra_prop']
    for _ in range(2):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                begin = one.plant.time
                one.until(lambda begin=begin: one.plant.time > begin + 4.0 and one.velocity()[0] > 0.5)
            finally:
                process.kill()
        one.until(lambda: one.nodes['boat_simulator']._missing() == {'thruster_command'})


def test_silent_odometry_puts_the_thrusters_to_rest(graph, attach, capfd):
    from sensor_msgs.msg import JointState
    from std_msgs.msg import Float64
    one = graph()
    driver = attach(one.composition, MotionDriver, odom_timeout=0.3, **LATE)
    thrusts, commands = [], []
    one.probe.create_subscription(Float64, 'cmd_thrust/left', lambda msg: thrusts.append(msg.data), qos.STREAM)
    one.probe.create_subscription(JointState, 'thruster_command', commands.append, qos.STREAM)
    orders = one.probe.create_publisher(Twist, 'cmd_vel', 10)

    def told():
        one.say(0.1 * len(commands))
        orders.publish(twist(0.5))
        return thrusts and thrusts[-1] > 1.0

    one.until(told)
    one.until(lambda: thrusts[-1] == 0.0)
    assert driver._pilot.doing == VELOCITY
    assert 'no odometry for 0.3 s: the thrusters are told to rest until there is' in ''.join(capfd.readouterr())


def test_boats_that_cannot_be_driven_so_are_refused_by_name():
    for boat, why in (('lutra_sail', 'lutra_sail has no thruster'),
                      ('blueboat_watts_only', 'needs mass, drag and thrusters')):
        with pytest.raises(InputError, match=why):
            drive_nodes(DriveOptions(boat=boat))
