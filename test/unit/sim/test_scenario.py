
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from fuzz import assert_survives
from places import ROOT
from vessel_numbers import vessel_numbers

from usv_energy.boats.boat_file import boat_from, read_boat
from usv_energy.boats.vessel import Losses
from usv_energy.files.errors import InputError
from usv_energy.files.locate import share_folder
from usv_energy.sim.scenario import checked_convention, read_scenario, scenario_from, scenario_names
from usv_energy.sim.scenario_values import checked_values, parameter_paths, scenario_with

# Thesis, tables 1.1 and 6.1 (scenario 2's energy from section 6.3.2): from x, to x, speed, current, wind, time, energy.
THESIS = {
    '1': (240.0, 270.0, None, (0.0, 0.0), (0.0, 0.0), 21.0, 607.87),
    '2': (240.0, 270.0, None, (0.40, 0.0), (0.0, 0.0), 16.5, 461.81),
    '3': (240.0, 270.0, None, (0.40, 45.0), (0.0, 0.0), 18.5, 573.78),
    '4': (270.0, 240.0, None, (0.40, 45.0), (0.0, 0.0), 29.0, 825.49),
    '5': (240.0, 270.0, 1.0, (0.0, 0.0), (0.0, 0.0), 30.5, 460.47),
    '6': (240.0, 270.0, 1.0, (0.30, 45.0), (0.20, 30.0), 32.5, 305.73),
    '7': (270.0, 240.0, 1.0, (0.30, 45.0), (0.20, 30.0), 33.5, 898.44),
}


@pytest.fixture
def scenario_file(tmp_path):
    """Return a function that writes a scenario file over scenario 1 and returns its path."""
    def write(text: str, base: str = '1') -> Path:
        path = tmp_path / 'mine.yaml'
        path.write_text(f'base: {base}\n{text}\n')
        return path
    return write


def polar(flow):
    return flow.speed, math.degrees(math.atan2(flow.y, flow.x))


def test_there_are_the_seven():
    assert scenario_names() == sorted(THESIS)


@pytest.mark.parametrize('name', THESIS)
def test_a_shipped_scenario_is_the_thesis_one(name):
    scenario = read_scenario(name)
    begin, end, speed, current, wind, duration, energy = THESIS[name]
    assert scenario.name == name and scenario.boat.name == scenario.plant.name == 'lutra_prop'
    assert scenario.start == (begin, 95.0, 0.0 if end > begin else math.pi)
    assert scenario.waypoints == ((end, 95.0),)
    assert scenario.speed == speed and scenario.convention == 'rep103'
    assert polar(scenario.current) == pytest.approx(current) and polar(scenario.wind) == pytest.approx(wind)
    assert (scenario.published.duration, scenario.published.energy) == (duration, energy)
    assert scenario.published.source.startswith('[T] section 6.3.')
    flow = scenario.flow_at()(12.3, 250.0, 90.0)
    assert flow == (scenario.current.x, scenario.current.y, scenario.wind.x, scenario.wind.y)


@pytest.mark.parametrize('name', THESIS)
def test_no_scenario_sets_anything_of_its_own(name):
    """One declared configuration: what steers, stops and steps the boat is the same file for all seven."""
    document = yaml.safe_load((share_folder() / 'config' / 'scenarios' / f'{name}.yaml').read_text())
    assert document.pop('base') == '_thesis'
    assert set(document) <= {'title', 'start', 'waypoints', 'speed', 'current', 'wind', 'published'}
    first, this = read_scenario('1'), read_scenario(name)
    for field in ('gains', 'lookahead', 'radius', 'timeout', 'step', 'period', 'convention'):
        assert getattr(this, field) == getattr(first, field)
    assert this.boat.path == this.plant.path == first.boat.path


def test_every_quantity_of_the_declared_configuration_that_was_chosen_has_its_source():
    document = yaml.safe_load((share_folder() / 'config' / 'scenarios' / '_thesis.yaml').read_text())
    heading, speed = document['controller']['heading'], document['controller']['speed']
    for quantity in (*heading.values(), *speed.values(), document['stop']['radius'], document['guidance']['lookahead']):
        assert set(quantity) == {'value', 'unit', 'source'}


def test_boat_plant_and_convention_can_be_changed(scenario_file):
    scenario = read_scenario('3').with_options(boat='lutra_prop_eq57', convention='as_published')
    assert scenario.boat.name == scenario.plant.name == 'lutra_prop_eq57' and scenario.convention == 'as_published'
    scenario = read_scenario('3').with_options(plant='lutra_prop_usvsim')
    assert scenario.boat.name == 'lutra_prop' and scenario.plant.name == 'lutra_prop_usvsim'
    scenario = read_scenario(str(scenario_file('plant: lutra_prop_usvsim\nconvention: as_published')))
    assert (scenario.boat.name, scenario.plant.name) == ('lutra_prop', 'lutra_prop_usvsim')
    assert scenario.convention == 'as_published' and scenario.name == 'mine'


def test_own_scenarios_may_stand_on_a_shipped_one_or_on_the_shared_configuration(scenario_file):
    own = read_scenario(str(scenario_file('speed: {mode: over_ground, target: 0.7}')))
    assert own.speed == 0.7 and own.gains == read_scenario('1').gains and own.waypoints == ((270.0, 95.0),)
    own = read_scenario(str(scenario_file('speed: {mode: full_thrust}', base='_thesis')))
    assert own.title == 'mine' and math.isnan(own.published.duration) and math.isnan(own.published.energy)


def test_a_boat_file_beside_the_scenario_is_found(scenario_file, tmp_path):
    (tmp_path / 'heavy.yaml').write_text('base: lutra_prop\nname: heavy\ninertia: {m11: 20.0}\n')
    scenario = read_scenario(str(scenario_file('boat: heavy.yaml')))
    assert scenario.boat.name == scenario.plant.name == 'heavy' and scenario.boat.vessel.inertia.m11 == 20.0


def test_goal_guidance_needs_no_lookahead(scenario_file):
    assert read_scenario(str(scenario_file('guidance: {mode: goal}'))).lookahead is None
    assert read_scenario(str(scenario_file(''))).lookahead == 2.12


def test_steps_per_period(scenario_file):
    assert read_scenario('1').steps_per_period == 1
    assert read_scenario(str(scenario_file('simulation: {step: 0.01, period: 0.07}'))).steps_per_period == 7


@pytest.mark.parametrize('text, parts', [
    ('speed: {mode: fast}', ['speed.mode', "'fast'", 'full_thrust, over_ground']),
    ('speed: {mode: over_ground}', ['speed.mode', "'over_ground'", 'speed.target (m/s)']),
    ('speed: {target: 1.0}', ['speed.mode', "'full_thrust'", 'speed.target (m/s)']),
    ('speed: {mode: over_ground, target: 0.0}', ['speed.target', '0.0', 'greater than 0']),
    ('convention: rep105', ['convention', "'rep105'", 'rep103, as_published']),
    ('boat: lutra_porp', ['boat: ', "'lutra_porp'", "Did you mean 'lutra_prop'?", 'lutra_prop_usvsim']),
    ('plant: lutra_porp', ['plant: ', "'lutra_porp'"]),
    ('boat: none.yaml', ['boat: ', 'none.yaml', 'no such file']),
    ('current: {speed: -0.4, direction_deg: 0}', ['current.speed', '-0.4', 'at least 0']),
    ('current: {speed: {value: 1, unit: knot}, direction_deg: 0}', ['current.speed.unit', "'knot'", "'m/s'"]),
    ('current: {speed: 0.4}', ['current', "'direction_deg'", 'speed, direction_deg']),
    ('wind: {speed: 1, direction: 0, direction_deg: 0}', ["'direction'", 'in wind', "did you mean 'direction_deg'"]),
    ('simulation: {step: 0.02, period: 0.05}', ['simulation.period', '0.05', 'whole number of steps of 0.02 s']),
    ('simulation: {step: 0.02, period: 0.002}', ['simulation.period', '0.002', 'whole number']),
    ('simulation: {step: 0.02, period: 2.0}', ['simulation.period', '2.0', 'at most 1.0 s']),
    ('guidance: {mode: road}', ['guidance.mode', "'road'", 'goal, path']),
    ('waypoints: []', ['waypoints', 'at least 1']),
    ('waypoints: [{x: 1.0, y: north}]', ['waypoints.0.y', "'north'", 'must be a number']),
    ('waypoints: [{x: 1.0, y: 2.0, z: 3.0}]', ["'z'", 'waypoints.0', 'x, y']),
    ('stop: {radius: -1.0}', ['stop.radius', '-1.0', 'greater than 0']),
    ('stop: {timeout: .inf}', ['stop.timeout', 'inf', 'finite']),
    ('controler: {}', ["'controler'", "did you mean 'controller'"]),
    ('published: {energy: 3.0, source: 7}', ['published.source', '7', 'must be a text']),
])
def test_a_fault_is_named_with_file_key_value_and_what_is_allowed(scenario_file, text, parts):
    path = scenario_file(text)
    with pytest.raises(InputError) as caught:
        read_scenario(str(path))
    message = str(caught.value)
    assert message.startswith(f'{path}: ')
    assert [part for part in parts if part not in message] == []


def test_path_guidance_needs_a_lookahead():
    document = yaml.safe_load((share_folder() / 'config' / 'scenarios' / '_thesis.yaml').read_text())
    document |= {'speed': {'mode': 'full_thrust'}, 'guidance': {'mode': 'path'}}
    with pytest.raises(InputError, match="guidance lacks the key 'lookahead'"):
        scenario_from(document, Path('mine.yaml'))


@pytest.mark.parametrize('thrusters, found', [
    ([(0.0, 11.5, 15.0)], 'no rudder'),
    ([(0.1, 11.5, 15.0)], 'no rudder'),                     # turns always the same way while it drives
    ([(0.0, 9.0, 0.0), (0.0, 9.0, 0.0)], 'no rudder')])     # no lever arm
def test_a_boat_that_the_controller_cannot_steer_is_refused(scenario_file, tmp_path, thrusters, found):
    rows = ', '.join(f'{{name: t{i}, x: 0, y: {y}, min_thrust: -1, max_thrust: {high}, tilt_deg: {tilt}}}'
                     for i, (y, high, tilt) in enumerate(thrusters))
    boat = tmp_path / 'odd.yaml'
    boat.write_text(f'base: lutra_prop\nname: odd\nthrusters: [{rows}]\n')
    assert len(read_boat(str(boat)).vessel.thrusters) == len(thrusters)
    path = scenario_file('boat: odd.yaml')
    with pytest.raises(InputError, match=f'{path}: .*odd.*{found}'):
        read_scenario(str(path))
    with pytest.raises(InputError, match=found):
        read_scenario('1').with_options(plant=str(boat))


def test_an_unknown_scenario_lists_what_there_is():
    with pytest.raises(InputError, match=r"no scenario named '8'.*1, 2, 3, 4, 5, 6, 7"):
        read_scenario('8')


def test_an_unknown_convention_lists_what_there_is():
    assert checked_convention('as_published') == 'as_published'
    with pytest.raises(InputError, match="no convention named 'ned'; there are: rep103, as_published"):
        read_scenario('1').with_options(convention='ned')


def test_wind_at_a_height_is_reduced_to_the_boat_and_anew_to_another(tmp_path):
    """ln(z / 2e-4) / ln(10 / 2e-4): Lutra's hull is 0.15 m high, wamv's 1.3 m, half of which is z."""
    def share(height):
        return math.log(height / 2e-4) / math.log(10.0 / 2e-4)

    path = tmp_path / 'windy.yaml'
    path.write_text('base: "1"\nwind: {speed: 8.0, direction_deg: 90.0, height: 10.0}\n')
    scenario = read_scenario(str(path))
    assert scenario.wind.y == pytest.approx(8.0 * share(0.075)) and scenario.wind_share == pytest.approx(share(0.075))
    larger = scenario.with_options(boat='wamv')
    assert larger.wind.y == pytest.approx(8.0 * share(0.65))
    assert larger.flow_at()(0.0, 0.0, 0.0).wind_y == larger.wind.y
    file = tmp_path / 'flow.yaml'
    file.write_text('medium: air\nheight: 10\nanalytic: {kind: uniform, speed: 8, direction_deg: 90}\n')
    path.write_text('base: "1"\nwind: {flow: flow.yaml}\n')
    from_file = read_scenario(str(path))
    assert from_file.flow_at()(0.0, 0.0, 0.0).wind_y == pytest.approx(8.0 * share(0.075))
    assert from_file.with_options(boat='wamv').flow_at()(0.0, 0.0, 0.0).wind_y == pytest.approx(8.0 * share(0.65))
    path.write_text('base: "1"\nboat: blueboat\nwind: {speed: 8.0, direction_deg: 90.0, height: 0.0}\n')
    with pytest.raises(InputError, match=r'wind\.height.*0\.01'):
        read_scenario(str(path))


def with_obstacles(tmp_path, *obstacles, **more):
    path = tmp_path / 'among.yaml'
    path.write_text(yaml.safe_dump({'base': '1', 'obstacles': list(obstacles), **more}))
    return path


def test_obstacles_are_read_with_units_and_names(tmp_path):
    disc = {'name': 'buoy', 'x': {'value': 250, 'unit': 'm', 'source': 'chart'}, 'y': 95, 'radius': 0.5}
    corners = [{'x': 0, 'y': 0}, {'x': 1, 'y': 0}, {'x': 0, 'y': 1}]
    scenario = read_scenario(str(with_obstacles(tmp_path, disc, {'corners': corners})))
    assert [(found.name, found.radius, len(found.outline)) for found in scenario.obstacles] == [
        ('buoy', 0.5, 1), ('2', 0.0, 3)]
    assert scenario.hull == (1.06, 0.48)
    assert read_scenario('1').hull is None
    # What a source printed of the same motion holds among obstacles, which do not change it.
    assert scenario.published == read_scenario('1').published


@pytest.mark.parametrize(('obstacle', 'said'), [
    ({'x': 1, 'y': 2}, 'radius'), ({'x': 1, 'y': 2, 'radius': 0}, 'obstacles'),
    ({'x': 1, 'y': 2, 'radius': {'value': 3, 'unit': 'ft'}}, 'unit'),
    ({'corners': [{'x': 0, 'y': 0}, {'x': 1, 'y': 0}]}, 'corners'),
    ({'corners': [{'x': 0, 'y': 0}] * 3, 'radius': 1}, 'radius'),
    ({'corners': [{'x': 0, 'y': 0}, {'x': 1, 'y': 1}, {'x': 2, 'y': 2}]}, 'no area'),
    ({'x': 'here', 'y': 2, 'radius': 1}, 'here')])
def test_a_wrong_obstacle_is_refused_by_name(tmp_path, obstacle, said):
    path = with_obstacles(tmp_path, obstacle)
    with pytest.raises(InputError, match=said) as refused:
        read_scenario(str(path))
    assert str(refused.value).startswith(f'{path}: ') and 'obstacles.0' in str(refused.value)


def test_a_boat_whose_size_is_not_known_has_no_room_among_obstacles(tmp_path):
    boat = tmp_path / 'sizeless.yaml'
    boat.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'sizeless', 'hull': {'length': None}}))
    path = with_obstacles(tmp_path, {'x': 1, 'y': 2, 'radius': 1}, boat=str(boat))
    with pytest.raises(InputError, match=r'obstacles: the boat sizeless has no hull\.length, m, .* add it to'):
        read_scenario(str(path))


SIX = read_scenario('6')


def with_values(scenario, number, **overrides):
    """Return the scenario of the last of so many runs, its values checked."""
    values = checked_values(scenario, number, overrides, frozenset())
    return scenario_with(scenario, {path: float(value[-1]) for path, value in values.items()})


def test_every_parameter_that_is_listed_changes_the_scenario_and_it_alone():
    """None may be named, taken and lost."""
    for path, quantity in parameter_paths(SIX).items():
        value = 0.123 if quantity.limits.get('maximum') == 1 else 7.31
        changed = scenario_with(SIX, {path: value})
        assert changed != SIX, path
        assert scenario_with(changed, {path: value}) == changed, path


def test_a_boat_parameter_is_that_of_the_boats_file():
    """What an override gives is what the file with that number gives, derived numbers included."""
    from usv_energy.files import checked
    document = checked.read_with_base('boats', SIX.boat.path)
    document['thrusters'] = [{**t, 'y': y, 'tilt_deg': 10.0} for t, y in zip(document['thrusters'], (0.3, -0.3))]
    document['thrusters'][0]['max_thrust'] = 12.0
    document['damping']['quadratic']['d22'] = 3.0
    wanted = boat_from(document, SIX.boat.path).vessel
    given = with_values(SIX, 2, **{
        'boat.thrusters.0.y': 0.3, 'boat.thrusters.1.y': -0.3, 'boat.thrusters.*.tilt_deg': 10.0,
        'boat.thrusters.0.max_thrust': 12.0, 'boat.damping.quadratic.d22': 3.0})
    assert given.boat is given.plant
    np.testing.assert_allclose(vessel_numbers(given.boat.vessel), vessel_numbers(wanted), rtol=1e-14)


def test_a_scenario_parameter_is_that_of_the_scenarios_file():
    changed = with_values(SIX, 1, **{
        'current.speed': 0.2, 'current.direction_deg': 90.0, 'start.heading_deg': 180.0, 'waypoints.0.y': 99.0,
        'controller.speed.ki': 3.0, 'guidance.lookahead': 5.0, 'stop.timeout': 9.0, 'speed.target': 0.7})
    assert (changed.current.x, changed.current.y) == pytest.approx((0.0, 0.2), abs=1e-16)
    assert changed.start[2] == math.pi and changed.waypoints == ((270.0, 99.0),)
    assert (changed.gains.speed_ki, changed.lookahead, changed.timeout, changed.speed) == (3.0, 5.0, 9.0, 0.7)
    only_direction = with_values(SIX, 1, **{'current.direction_deg': 0.0})
    assert (only_direction.current.x, only_direction.current.y) == pytest.approx((0.3, 0.0))
    assert with_values(read_scenario('1'), 1, **{'speed.target': 0.7}).speed == 0.7


@pytest.mark.parametrize('overrides, words', [
    ({'curent.speed': 0.1}, r"no parameter 'curent\.speed' to vary; did you mean current\.speed"),
    ({'boat.dampin.linear.d11': 1.0}, r'did you mean boat\.damping\.linear\.d11'),
    ({'plant.static_load': 1.0}, r'did you mean boat\.static_load'),
    ({'simulation.step': 0.1}, 'no parameter'),
    ({'speed.target': -1.0}, r'speed\.target goes from -1 to -1 m/s; must be greater than 0'),
    ({'boat.losses.efficiency': [0.5, 1.2]}, 'must be at most 1'),
    ({'speed.target': math.nan}, r'nan in run 0; must be a finite number'),
    ({'speed.target': [1.0, 1.0, 1.0]}, r'the shape \(3,\); must be \(2,\)'),
    ({'speed.target': 'fast'}, "'fast'; must be a number"),
    ({'boat.thrusters.0.y': [0.3, -0.3]}, 'no longer a pair in every run: the first must be to port of the other'),
    ({'boat.thrusters.*.max_thrust': -12.0},
     r'^boat\.thrusters\.0\.min_thrust is -11\.5; must be less than max_thrust, -12\.0'),
    ({'boat.inertia.m23': 9.0},
     r'^boat\.inertia\.m23 is 9\.0; its square must be less than m22 m33, 12\.00\d* \(run 0\)$'),
    ({'boat.damping.linear.d23': 90.0}, 'would drive the boat')])
def test_what_is_wrong_is_named(overrides, words):
    with pytest.raises(InputError, match=words):
        with_values(SIX, 2, **overrides)


def test_a_current_without_direction_cannot_get_a_speed_only():
    with pytest.raises(InputError, match=r'current\.speed varies, but .*1\.yaml has no current'):
        with_values(read_scenario('1'), 2, **{'current.speed': 0.1})
    with_values(read_scenario('1'), 2, **{'current.speed': 0.1, 'current.direction_deg': 0.0})


def test_a_plant_of_its_own_has_parameters_of_its_own():
    scenario = SIX.with_options(plant='lutra_prop_usvsim')
    changed = with_values(scenario, 1, **{'boat.inertia.m11': 20.0, 'plant.inertia.m11': 30.0})
    assert (changed.boat.vessel.inertia.m11, changed.plant.vessel.inertia.m11) == (20.0, 30.0)


def test_an_efficiency_does_not_go_with_a_map():
    boat = replace(SIX.boat, vessel=SIX.boat.vessel._replace(
        losses=Losses(1.0, 1.0, np.array([-20.0, 20.0]), np.array([0.0, 9.0]))))
    with pytest.raises(InputError, match=r'^boat\.losses\.efficiency is 0\.5 beside a map'):
        with_values(replace(SIX, boat=boat, plant=boat), 1, **{'boat.losses.efficiency': 0.5})


def test_a_wind_that_varies_is_the_one_at_its_height(tmp_path):
    path = tmp_path / 'windy.yaml'
    path.write_text('base: "1"\nwind: {speed: 8.0, direction_deg: 90.0, height: 10.0}\n')
    scenario = read_scenario(str(path))
    assert 'wind.speed' in parameter_paths(scenario) and 'wind.height' not in parameter_paths(scenario)
    changed = scenario_with(scenario, {'wind.speed': 4.0})
    assert changed.wind.y == pytest.approx(0.5 * scenario.wind.y, rel=1e-12)
    turned = scenario_with(scenario, {'wind.direction_deg': 0.0})
    assert turned.wind == pytest.approx((scenario.wind.y, 0.0), abs=1e-12)


def test_scenarios(tmp_path, fuzz_seeds):
    assert_survives(read_scenario, sorted((ROOT / 'config/scenarios').rglob('*.yaml')), tmp_path, fuzz_seeds)
