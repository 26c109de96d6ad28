"""gazebo.launch.py against a real server: a run is that of the embedded simulator, and faults are said and survived."""

import math
import os
import re
import signal
import threading
import time

import gz_world
import pytest
import yaml
from graph_drift import measured, scenario_of
from launched_gazebo import REASON, summary_in

from usv_energy.gazebo.world import boat_placements, world_text
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON or 'there is all')
# A short way: enough to turn into the current, to reach full speed and to stop.
SHORT = {'base': '3', 'published': None, 'waypoints': [{'x': 249.0, 'y': 95.0}]}


@pytest.fixture
def short(tmp_path):
    path = tmp_path / 'short.yaml'
    path.write_text(yaml.safe_dump(SHORT))
    return path


def assert_near(summary, plain, share=0.03):
    assert summary['outcome'] == 'reached'
    assert summary['duration_s'] == pytest.approx(plain.duration, rel=share)
    assert summary['energy_j'] == pytest.approx(plain.energy.total, rel=share)
    assert summary['invalid_samples'] <= 1 and summary['gaps'] == 0 and summary['segments'] == 1


@pytest.mark.parametrize('pace', ['lockstep', 'free'])
def test_a_run_in_gazebo_is_that_of_the_embedded_simulator(launched, short, tmp_path, pace):
    code, said = launched(scenario=short, pace=pace, real_time_factor='0' if pace == 'lockstep' else '2').result()
    assert code == 0, said
    assert 'the scenario is over' in said and 'nobody takes' not in said
    assert_near(summary_in(tmp_path / 'out/short_rep103'), run_scenario(read_scenario(str(short))))


@pytest.mark.parametrize('boat', ['lutra_airboat', 'lutra_rudder'])
def test_a_boat_that_steers_by_a_fan_or_a_rudder_runs_as_in_the_embedded_simulator(launched, tmp_path, boat):
    path = tmp_path / 'corner.yaml'
    path.write_text(yaml.safe_dump({'base': '1', 'boat': boat, 'published': None, 'stop': {'timeout': 300.0},
                                    'waypoints': [{'x': 255.0, 'y': 95.0}, {'x': 258.0, 'y': 105.0}]}))
    code, said = launched(scenario=path).result()
    assert code == 0, said
    assert_near(summary_in(tmp_path / 'out/corner_rep103'), run_scenario(read_scenario(str(path))))


def test_the_joints_tell_the_angle_of_a_rudder_and_the_power_model_takes_it(launched, tmp_path):
    """It turns as commanded, at its rate; the energy by measured angles is that of the embedded simulator."""
    from graph_listener import listening
    from sensor_msgs.msg import JointState
    from std_msgs.msg import Float64
    scenario, params = tmp_path / 'corner.yaml', tmp_path / 'auto.yaml'
    scenario.write_text(yaml.safe_dump({
        'base': '1', 'boat': 'lutra_rudder', 'published': None, 'stop': {'timeout': 300.0},
        'waypoints': [{'x': 255.0, 'y': 95.0}, {'x': 258.0, 'y': 105.0}]}))
    params.write_text(yaml.safe_dump({'/**': {'ros__parameters': {'actuators': 'auto'}}}))
    with listening(joints=(JointState, '/diffboat/actuator_states'),
                   wanted=(Float64, '/diffboat/cmd_angle/rudder')) as topics:
        code, said = launched(scenario=scenario, params_file=params).result()
    assert code == 0, said
    told = [dict(zip(msg.name, zip(msg.position, msg.velocity))) for msg in topics['joints']]
    assert len(told) > 100 and all(set(one) == {'fwd_propeller_joint', 'rudder_angle_joint'} for one in told)
    angles = [one['rudder_angle_joint'][0] for one in told]
    wanted = [msg.data for msg in topics['wanted']]
    assert max(map(abs, wanted)) > 0.3, 'the corner takes rudder'
    assert max(angles) == pytest.approx(max(wanted), abs=0.02) and min(angles) == pytest.approx(min(wanted), abs=0.02)
    assert_near(summary_in(tmp_path / 'out/corner_rep103'), run_scenario(read_scenario(str(scenario))))


def test_a_sailboat_tacks_to_a_mark_upwind(launched, tmp_path):
    """The wind drives its sail, and is said to push its hull; the way is that of the embedded simulator, within 5 %."""
    path = tmp_path / 'mark.yaml'
    path.write_text(yaml.safe_dump({'base': 'sailing/upwind', 'waypoints': [{'x': 262.0, 'y': 95.0}]}))
    code, said = launched(scenario=path).result()
    assert code == 0, said
    summary = summary_in(tmp_path / 'out/mark_rep103')
    assert summary['outcome'] == 'reached' and 'nobody takes' not in said
    assert summary['duration_s'] == pytest.approx(run_scenario(read_scenario(str(path))).duration, rel=0.05)


def test_two_boats_in_one_world(launched, short, tmp_path):
    code, said = launched(boats='red,blue', scenario=short).result()
    assert code == 0, said
    plain = run_scenario(read_scenario(str(short)))
    for name, folder in (('red', 'short_rep103'), ('blue', 'short_blue_rep103')):
        assert_near(summary_in(tmp_path / 'out' / name / folder), plain)


def test_gazebo_killed_on_the_way_leaves_the_energy_until_then(launched, tmp_path):
    samples = tmp_path / 'out/1_rep103/samples.csv'

    def kill_when_under_way(one):
        def look():
            while one.process.poll() is None and not (samples.is_file() and samples.stat().st_size > 100_000):
                time.sleep(0.05)
            os.kill(one.pid_of('gazebo'), signal.SIGKILL)
        threading.Thread(target=look, daemon=True).start()

    code, said = launched(scenario='1', when=[('[gazebo_pacer', kill_when_under_way)]).result()
    assert code == 1 and 'Gazebo ended before the scenario, with exit code -9' in said
    summary = summary_in(tmp_path / 'out/1_rep103')
    assert summary['outcome'] == 'aborted' and summary['energy_j'] > 50.0
    assert len(samples.read_text().splitlines()) == 1 + summary['samples'] + summary['invalid_samples']


@pytest.mark.parametrize('window', [False, True])
@pytest.mark.parametrize(('send', 'number'), [
    (os.killpg, signal.SIGINT), (os.kill, signal.SIGINT), (os.kill, signal.SIGTERM)])
def test_a_signal_on_the_way_leaves_no_process_and_a_summary(launched, tmp_path, send, number, window):
    """Ctrl-C in a terminal goes to the whole group, a signal of a supervisor to launch alone."""
    def interrupt(one):
        send(one.process.pid, number)

    said = launched(scenario='1', pace='free', real_time_factor='1', headless=str(not window).lower(),
                    when=[('the world runs', interrupt)]).result()[1]
    assert number == signal.SIGTERM or 'Ctrl-C' in said or 'SIGINT' in said
    assert summary_in(tmp_path / 'out/1_rep103')['outcome'] == 'aborted'


def test_a_second_gazebo_of_the_same_world_is_refused(launched, tmp_path):
    scenario = read_scenario('1')
    text = world_text(scenario, 'open_water', boat_placements(scenario, 1), 0.0, 'test')
    with gz_world.running(text, ['diffboat'], tmp_path) as world:
        code, said = launched(scenario='1', partition=world.partition).result()
    assert code == 1 and "a Gazebo with the world 'open_water' is running already" in said
    assert 'gazebo-1' not in said, 'it was not started'


def test_a_world_without_current_is_complained_of(launched, short, tmp_path):
    scenario = read_scenario(str(short))
    text = world_text(scenario, 'open_water', boat_placements(scenario, 1), 0.0, 'no current')
    text = re.sub(r'(base_link</link_name>\s*)<namespace>diffboat<', r'\1<namespace>other<', text)
    text = re.sub(r'<default_current>.*?</default_current>', '', text)
    world, params = tmp_path / 'still.sdf', tmp_path / 'impatient.yaml'
    world.write_text(text)
    assert '<namespace>other<' in text
    params.write_text(yaml.safe_dump({'/**': {'ros__parameters': {'patience': 0.5}}}))
    code, said = launched(scenario=short, world=world, params_file=params).result()
    assert code == 0, said
    assert 'nobody takes /diffboat/gazebo/ocean_current' in said
    assert summary_in(tmp_path / 'out/short_rep103')['energy_j'] > 0.0


def test_a_bridge_that_dies_ends_the_run_with_its_name(launched, tmp_path):
    def kill(one):
        os.kill(one.pid_of('parameter_bridge'), signal.SIGKILL)

    code, said = launched(scenario='1', pace='free', real_time_factor='1', when=[('the world runs', kill)]).result()
    assert code == 1 and 'ended before the scenario' in said and 'parameter_bridge' in said


@pytest.mark.parametrize('direction', [0.0, 90.0])
def test_a_free_boat_drifts_with_the_wind_as_the_closed_form_says(launched, tmp_path, compiled, direction):
    scenario = scenario_of('lutra_prop', tmp_path)
    (_, wanted, got), = measured(scenario, 5.0, [direction], compiled)
    assert math.hypot(*got[:2]) == pytest.approx(math.hypot(*wanted), rel=0.02)
