"""The SDF worlds: start, steps and currents of their scenario, banks where the river ends, committed copies fresh."""

import math

import numpy as np
import pytest
from sdf_reading import model_in, numbers, plugins, world_of

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.gazebo.world import boat_placements, checked_step
from usv_energy.sim.plants.step_limit import longest_step
from usv_energy.sim.scenario import read_scenario


@pytest.mark.parametrize('scenario', ['1', '7', 'river/crossing_both'])
def test_the_boat_starts_where_the_scenario_does(scenario):
    x, y, yaw = read_scenario(scenario).start
    pose = numbers(model_in(world_of(scenario), 'diffboat'), 'pose')
    assert pose == pytest.approx([x, y, 0.0, 0.0, 0.0, yaw], abs=1e-9)


def test_several_boats_start_side_by_side_to_port_with_names_of_their_own():
    world = world_of('7', boats=3)
    poses = {one.get('name'): numbers(one, 'pose') for one in world.findall('model') if 'boat' in one.get('name')}
    assert list(poses) == ['diffboat', 'diffboat_2', 'diffboat_3']
    # Heading west, port is south; three lengths of 1.06 m between them.
    for number_, pose in enumerate(poses.values()):
        assert pose[:2] == pytest.approx([270.0, 95.0 - number_ * 3.18], abs=1e-6)
    spaces = [plugins(model_in(world, name), 'Hydrodynamics')[0].findtext('namespace') for name in poses]
    assert spaces == list(poses), 'each boat listens to a current of its own'
    assert 'boat' not in ' '.join(one.get('name') for one in world_of('7', boats=0).findall('model'))


def test_a_uniform_current_flows_from_the_start_and_none_is_written_for_still_water():
    current = plugins(model_in(world_of('3'), 'diffboat'), 'Hydrodynamics')[0].findtext('default_current')
    assert np.array(current.split(), float) == pytest.approx([0.4 * math.cos(math.pi / 4)] * 2 + [0.0], rel=1e-9)
    assert plugins(model_in(world_of('1'), 'diffboat'), 'Hydrodynamics')[0].find('default_current') is None


def test_the_odometrys_period_is_whole_steps():
    world = world_of()
    step = float(world.findtext('physics/max_step_size'))
    frequency = float(plugins(model_in(world, 'diffboat'), 'OdometryPublisher')[0].findtext('odom_publish_frequency'))
    assert (step, frequency) == (0.004, 50.0)
    assert checked_step(read_scenario('1'), 0.002) == 0.002
    for wrong in (0.003, 0.04, 0.0, -0.004):
        with pytest.raises(InputError, match=r'a whole number of steps must make the odometry\'s period, 0\.02 s'):
            checked_step(read_scenario('1'), wrong)


def test_pace_and_name_of_the_world():
    world = world_of(pace=0.0)
    assert (world.get('name'), world.findtext('physics/real_time_factor')) == ('open_water', '0')


def test_waypoints_are_marked_with_nothing_to_run_into():
    mark = model_in(world_of('1'), 'waypoint_1')
    assert numbers(mark, 'pose')[:2] == pytest.approx([270.0, 95.0])
    assert mark.find('link/collision') is None and mark.find('link/visual') is not None


def test_placements_keep_to_the_port_side():
    scenario = read_scenario('river/crossing_both')     # heading north: port is west
    first, second = boat_placements(scenario, 2)
    assert second.x < first.x and second.y == pytest.approx(first.y)


def test_a_keel_in_a_strong_wind_has_a_shorter_step(tmp_path):
    """Its side force dies away within milliseconds: 1e3 N m^2/s^2 x 8 / 56 kg at 5 m/s is 714 1/s, or so."""
    path = tmp_path / 'windy.yaml'
    path.write_text('base: 1\nboat: lutra_sail\nplant: lutra_sail\npublished: null\n'
                    'wind: {speed: 10.0, direction_deg: 0.0}\nsimulation: {step: 0.001}\n')
    scenario = read_scenario(str(path))
    step = checked_step(scenario, boats=[scenario.plant])
    assert step <= longest_step(scenario.plant.vessel, 10.0) < 0.0014
    assert 1e9 * step == pytest.approx(round(1e9 * step)), 'Gazebo counts nanoseconds'
    assert scenario.period / step == pytest.approx(round(scenario.period / step))
    medium = checked_step(read_scenario('sailing/upwind'), boats=[scenario.plant])
    assert medium == pytest.approx(0.0025), 'four m/s of wind allow 3.4 ms; six steps of 3.33 ms would be no period'
    with pytest.raises(InputError, match=r'must be at most 0\.0014 s for the foils of lutra_sail in a wind of 10 m/s'):
        checked_step(scenario, 0.004, [scenario.plant])
    assert checked_step(read_scenario('1'), None, [read_boat('lutra_rudder'), scenario.plant]) == 0.004
