"""The SDF worlds: start, steps and currents of their scenario, banks where the river ends, committed copies fresh."""

import math
import shutil
import subprocess
from itertools import pairwise

import numpy as np
import pytest
from sdf_reading import numbers, parse, plugins

from usv_energy.cli import main
from usv_energy.files.errors import InputError
from usv_energy.files.locate import SOURCE_ROOT
from usv_energy.flow.flow_file import read_flow
from usv_energy.gazebo.river import BANK_WIDTH, PILLAR_RADIUS, pillars
from usv_energy.gazebo.world import boat_placements, checked_step, world_text
from usv_energy.gazebo.xml import document, number, text_of
from usv_energy.sim.scenario import read_scenario

MODELS = sorted(path.parent.name for path in (SOURCE_ROOT / 'models').glob('*/model.sdf'))
WORLDS = {'open_water': ['--scenario', '1'],
          'river': ['--scenario', 'river/upstream_middle', '--world', 'river']}
COMMITTED = [*(f'models/{name}/model.sdf' for name in MODELS), *(f'worlds/{name}.sdf' for name in WORLDS)]


def world_of(scenario='1', kind='open_water', boats=1, pace=1.0, river=None, step=None):
    scenario = read_scenario(scenario)
    return parse(world_text(scenario, kind, boat_placements(scenario, boats), pace, 'test', river=river,
                            step=step)).find('world')


def model(world, name):
    return next(one for one in world.findall('model') if one.get('name') == name)


# --- Committed copies


@pytest.mark.parametrize('name', MODELS)
def test_the_committed_models_are_fresh(name, tmp_path, capsys):
    """Stale? usv-energy gazebo model --boat NAME --out models/NAME"""
    assert main(['gazebo', 'model', '--boat', name, '--out', str(tmp_path)]) == 0
    for file in ('model.sdf', 'model.config'):
        assert (tmp_path / file).read_text() == (SOURCE_ROOT / 'models' / name / file).read_text()


@pytest.mark.parametrize('name', WORLDS)
def test_the_committed_worlds_are_fresh(name, tmp_path, capsys):
    """Stale? usv-energy gazebo world, with the arguments above and --out worlds/NAME.sdf"""
    assert main(['gazebo', 'world', *WORLDS[name], '--out', str(tmp_path / 'world.sdf')]) == 0
    assert (tmp_path / 'world.sdf').read_text() == (SOURCE_ROOT / 'worlds' / f'{name}.sdf').read_text()


def test_every_boat_of_the_thesis_has_its_model():
    assert {'lutra_prop', 'lutra_prop_eq57', 'lutra_prop_usvsim'} <= set(MODELS)


@pytest.mark.parametrize('path', COMMITTED)
def test_sdformat_finds_nothing_wrong(path):
    """Debian: apt install ignition-tools sdformat-sdf; Harmonic has `gz sdf`."""
    command = next(([one, 'sdf', '--check'] for one in ('gz', 'ign') if shutil.which(one)), None)
    if command is None:
        pytest.skip('neither gz sdf nor ign sdf is installed')
    done = subprocess.run([*command, str(SOURCE_ROOT / path)], capture_output=True, text=True, timeout=60.0)
    if 'I cannot find any available' in done.stdout + done.stderr:
        pytest.skip('gz or ign is installed without its sdf command')
    assert 'Valid.' in done.stdout and 'Warning' not in done.stderr + done.stdout and 'Error' not in done.stderr


# --- Start, step, current


@pytest.mark.parametrize('scenario', ['1', '7', 'river/crossing_both'])
def test_the_boat_starts_where_the_scenario_does(scenario):
    x, y, yaw = read_scenario(scenario).start
    pose = numbers(model(world_of(scenario), 'diffboat'), 'pose')
    assert pose == pytest.approx([x, y, 0.0, 0.0, 0.0, yaw], abs=1e-9)


def test_several_boats_start_side_by_side_to_port_with_names_of_their_own():
    world = world_of('7', boats=3)
    poses = {one.get('name'): numbers(one, 'pose') for one in world.findall('model') if 'boat' in one.get('name')}
    assert list(poses) == ['diffboat', 'diffboat_2', 'diffboat_3']
    # Heading west, port is south; three lengths of 1.06 m between them.
    for number_, pose in enumerate(poses.values()):
        assert pose[:2] == pytest.approx([270.0, 95.0 - number_ * 3.18], abs=1e-6)
    spaces = [plugins(model(world, name), 'Hydrodynamics')[0].findtext('namespace') for name in poses]
    assert spaces == list(poses), 'each boat listens to a current of its own'
    assert 'boat' not in ' '.join(one.get('name') for one in world_of('7', boats=0).findall('model'))


def test_a_uniform_current_flows_from_the_start_and_none_is_written_for_still_water():
    current = plugins(model(world_of('3'), 'diffboat'), 'Hydrodynamics')[0].findtext('default_current')
    assert np.array(current.split(), float) == pytest.approx([0.4 * math.cos(math.pi / 4)] * 2 + [0.0], rel=1e-9)
    assert plugins(model(world_of('1'), 'diffboat'), 'Hydrodynamics')[0].find('default_current') is None


def test_the_odometrys_period_is_whole_steps():
    world = world_of()
    step = float(world.findtext('physics/max_step_size'))
    frequency = float(plugins(model(world, 'diffboat'), 'OdometryPublisher')[0].findtext('odom_publish_frequency'))
    assert (step, frequency) == (0.004, 50.0)
    assert checked_step(read_scenario('1'), 0.002) == 0.002
    for wrong in (0.003, 0.04, 0.0, -0.004):
        with pytest.raises(InputError, match=r'a whole number of steps must make the odometry\'s period, 0\.02 s'):
            checked_step(read_scenario('1'), wrong)


def test_pace_and_name_of_the_world():
    world = world_of(pace=0.0)
    assert (world.get('name'), world.findtext('physics/real_time_factor')) == ('open_water', '0')


def test_waypoints_are_marked_with_nothing_to_run_into():
    mark = model(world_of('1'), 'waypoint_1')
    assert numbers(mark, 'pose')[:2] == pytest.approx([270.0, 95.0])
    assert mark.find('link/collision') is None and mark.find('link/visual') is not None


# --- The river


def test_the_banks_begin_where_the_water_ends():
    """Half a metre inside the bank's edge the flow has a value, half a metre beyond it has none."""
    river = read_flow('river')
    world = world_of('river/upstream_middle', 'river', river=river)
    for name, side in (('left_bank', 1.0), ('right_bank', -1.0)):
        bank = model(world, name)
        east, north = numbers(bank, 'pose')[:2] + numbers(bank.find('link/collision'), 'pose')[:2]
        edge = north - side * 0.5 * BANK_WIDTH
        size = numbers(bank, 'link/collision/geometry/box/size')
        assert size[0] == river.source.parameters['length'] and east == pytest.approx(150.0)
        _, _, inside = river.velocity(0.0, np.array([200.0, 200.0]), np.array([edge - 0.5 * side, edge + 0.5 * side]))
        assert list(inside) == [True, False]


def test_pillars_stand_in_the_water_and_in_no_shipped_boats_way():
    river = read_flow('river')
    places = np.array(pillars(river))
    assert places.shape == (4, 2) and river.velocity(0.0, *places.T)[2].all()
    for name in ('river/upstream_middle', 'river/upstream_bank', 'river/crossing_both', '1', '7'):
        scenario = read_scenario(name)
        way = np.array([scenario.start[:2], *scenario.waypoints])
        for start, end in pairwise(way):
            share = np.clip(((places - start) @ (end - start)) / ((end - start) @ (end - start)), 0.0, 1.0)
            clear = np.linalg.norm(places - start - share[:, None] * (end - start), axis=1) - PILLAR_RADIUS
            assert clear.min() > 2.0


def test_a_river_that_is_turned_and_moved_has_its_banks_turned_and_moved(tmp_path):
    path = tmp_path / 'turned.yaml'
    path.write_text('medium: water\nanalytic: {kind: river, speed: 1.0, direction_deg: 30.0, width: 20.0, '
                    'length: 80.0, x: 5.0, y: 6.0}\ntransform: {x: 1.0, y: 2.0, rotation_deg: 90.0}\n')
    river = read_flow(str(path))
    bank = model(world_of('1', 'river', river=river), 'left_bank')
    x, y, _, _, _, yaw = numbers(bank, 'pose')
    vx, vy, inside = river.velocity(0.0, np.array([x]), np.array([y]))
    assert inside[0] and math.hypot(vx[0], vy[0]) == pytest.approx(1.0), 'its middle is the river\'s, where it is fast'
    assert (math.cos(yaw), math.sin(yaw)) == pytest.approx((vx[0], vy[0]))


def test_only_a_river_in_closed_form_has_banks():
    with pytest.raises(InputError, match=r'vortex\.yaml: the water of the world river must be an analytic flow'):
        world_of('1', 'river', river=read_flow('vortex'))


# --- XML


def test_numbers_are_written_in_one_way_only():
    assert [number(x) for x in (1.0, -0.0, 0.1 + 0.2, 1e-12, 1 / 3, 11.5, 6.63296e-06)] == [
        '1', '0', '0.3', '1e-12', '0.3333333333', '11.5', '6.63296e-06']
    assert text_of((1.0, -2.5, True)) == '1 -2.5 1' and text_of(True) == 'true'
    for wrong in (math.nan, math.inf):
        with pytest.raises(ValueError, match='has no place in an SDF file'):
            number(wrong)


def test_a_comment_survives_hyphens():
    root = parse('<sdf/>')
    assert parse(document(root, 'a --b ---')).tag == 'sdf'


# --- The command


def refused(capsys, *arguments):
    assert main(['gazebo', *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == '' and err.startswith('usv-energy: error: ') and err.count('\n') == 1
    return err


def test_what_is_written_is_what_is_printed(tmp_path, capsys):
    assert main(['gazebo', 'world', '--scenario', '3', '--boats', '2']) == 0
    printed = capsys.readouterr().out
    assert main(['gazebo', 'world', '--scenario', '3', '--boats', '2', '--out', str(tmp_path / 'w.sdf')]) == 0
    assert (tmp_path / 'w.sdf').read_text() == printed and capsys.readouterr().out.strip() == str(tmp_path / 'w.sdf')


def test_wrong_arguments_are_refused_before_anything_is_written(tmp_path, capsys):
    out = tmp_path / 'x'
    assert "no boat named 'lutra'" in refused(capsys, 'model', '--boat', 'lutra', '--out', str(out))
    assert "--name is 'a b'" in refused(capsys, 'model', '--name', 'a b', '--out', str(out))
    assert '--pace is -1.0' in refused(capsys, 'world', '--pace', '-1', '--out', str(out))
    assert 'the number of boats is -2' in refused(capsys, 'world', '--boats', '-2', '--out', str(out))
    assert 'the step is 0.003 s' in refused(capsys, 'world', '--step', '0.003', '--out', str(out))
    assert 'nowhere' in refused(capsys, 'world', '--out', str(tmp_path / 'nowhere' / 'w.sdf'))
    assert not out.exists()


def test_placements_keep_to_the_port_side():
    scenario = read_scenario('river/crossing_both')     # heading north: port is west
    first, second = boat_placements(scenario, 2)
    assert second.x < first.x and second.y == pytest.approx(first.y)
