"""Parameters of all nodes: there from the start, refused with the reason, live where promised."""

import importlib
import math

import pytest
from harness import steady_power
from places import ROOT
from rcl_interfaces.msg import Parameter as ParameterMsg
from rcl_interfaces.msg import ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, SetParameters, SetParametersAtomically
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.parameter import Parameter

from usv_energy.boats.boat_file import read_boat
from usv_energy.nodes.current_client import CurrentClient
from usv_energy.nodes.energy_accumulator import EnergyAccumulator
from usv_energy.nodes.power_calculator import PowerCalculator
from usv_energy.nodes.recorder import Recorder
from usv_energy.nodes.scenario_driver import ScenarioDriver
from usv_energy.nodes.state_adapter import StateAdapter
from usv_energy.ros.graph.graph import FlowOptions

SUCCESS, FAILURE = TransitionCallbackReturn.SUCCESS, TransitionCallbackReturn.FAILURE
NODES = sorted(path.stem for path in (ROOT / 'usv_energy' / 'nodes').glob('*.py')
               if path.stem not in ('__init__', 'flow_client'))
OF_RCLPY = ('use_sim_time', 'start_type_description_service')


def class_of(name):
    return getattr(importlib.import_module(f'usv_energy.nodes.{name}'), ''.join(map(str.capitalize, name.split('_'))))


@pytest.fixture
def make(ros):
    """Return a function that makes a node with overrides; all are closed at the end."""
    made = []

    def one(kind, **given):
        made.append(kind(parameter_overrides=[Parameter(name, value=value) for name, value in given.items()]))
        return made[-1]

    yield one
    for node in made:
        node.close()


def tried(node, **values):
    """Set parameters atomically; return the reason of a refusal, empty where they were accepted."""
    result = node.set_parameters_atomically([Parameter(name, value=value) for name, value in values.items()])
    assert result.successful == (not result.reason)
    return result.reason


def value_of(node, name):
    return node.get_parameter(name).value


@pytest.mark.parametrize('name', NODES)
def test_an_unconfigured_node_has_all_its_parameters_typed_and_described(make, name):
    node = make(class_of(name))
    names = [key for key in node.list_parameters([], 0).names if key not in OF_RCLPY]
    assert set(names) == set(node.parameters._table)
    for key, one in node.parameters._table.items():
        descriptor = node.describe_parameter(key)
        assert descriptor.description and not descriptor.dynamic_typing
        assert descriptor.type == one.type_.value == node.get_parameter(key).type_.value
        assert one.checked(one.default) == one.default == value_of(node, key)
        assert all(text in descriptor.additional_constraints for text in getattr(one, 'allowed', ()))


def test_ranges_are_in_the_descriptors(make):
    node = make(CurrentClient)
    speed, age, direction = map(node.describe_parameter, ('speed', 'max_age', 'direction_deg'))
    assert [(r.from_value, r.to_value) for r in speed.floating_point_range] == [(0.0, 20.0)]
    assert (speed.additional_constraints, age.additional_constraints) == ('0 to 20', 'greater than 0')
    assert [(r.from_value, r.to_value) for one in (age, direction) for r in one.floating_point_range] == [
        (0.0, 1e9), (-720.0, 720.0)]
    points = make(class_of('flow_server')).describe_parameter('picture_points')
    assert (points.type, points.integer_range[0].from_value, points.integer_range[0].to_value) == (
        ParameterType.PARAMETER_INTEGER, 2, 1000)


WRONG = [
    (StateAdapter, 'acceleration_time_constant', -5, 'is -5; must be 0 or greater'),
    (StateAdapter, 'max_gap', -0.5, 'is -0.5; must be 0 or greater'),
    (StateAdapter, 'max_gap', math.nan, 'is nan; must be a finite number'),
    (StateAdapter, 'max_gap', 'foo', "is 'foo'; must be a number"),
    (StateAdapter, 'silence', 1e10, 'is 10000000000.0; must be at most 1e+09 in magnitude'),
    (PowerCalculator, 'flow_wait', 1e308, 'is 1e+308; must be at most 1e+09 in magnitude'),
    (StateAdapter, 'max_gap', True, 'is True; must be a number'),
    (StateAdapter, 'axes', 'foo', "is 'foo'; must be one of enu, ned"),
    (CurrentClient, 'speed', -0.1, 'is -0.1; must be 0 to 20'),
    (CurrentClient, 'speed', 20.5, 'is 20.5; must be 0 to 20'),
    (class_of('wind_client'), 'direction_deg', 1e308, 'is 1e+308; must be -720 to 720'),
    (CurrentClient, 'wait_for_answer', 1, 'is 1; must be true or false'),
    (PowerCalculator, 'boat', 'lutra_porp', "no boat named 'lutra_porp'. Did you mean 'lutra_prop'?"),
    (PowerCalculator, 'boat', False, 'is False; must be a text'),
    (PowerCalculator, 'boat', 'x' * 100_000, "x...': no file can have that name; must be"),
    (PowerCalculator, 'convention', '', "is ''; must be one of rep103, as_published"),
    (ScenarioDriver, 'scenario', 99, "no scenario named '99'"),
    (ScenarioDriver, 'plant', '~/no_such_boat.yaml', '~/no_such_boat.yaml: there is no such file'),
    (class_of('boat_simulator'), 'pace', -2.0, "is '-2.0'; must be 'lockstep' or a real-time factor"),
    (class_of('boat_simulator'), 'lockstep_power', 'power', "is 'power'; must be a list of texts"),
    (class_of('flow_server'), 'picture_points', 2.5, 'is 2.5; must be a whole number'),
    (class_of('flow_server'), 'picture_points', 1, 'is 1; must be a whole number from 2 to 1000'),
    (class_of('flow_server'), 'surface_points', 201, 'is 201; must be a whole number from 2 to 200'),
    (class_of('flow_server'), 'wind', 'river', "parameter wind is 'river', a flow of water; must be one of air"),
    (class_of('gazebo_pacer'), 'steps_per_period', 0, 'is 0; must be a whole number, 1 or greater'),
]


@pytest.mark.parametrize(('kind', 'name', 'value', 'said'), WRONG)
def test_a_wrong_value_is_refused_in_every_state_and_configure_says_the_same(
        make, capfd, tmp_path, kind, name, value, said):
    node = make(kind)
    before = value_of(node, name)
    states = ['unconfigured']
    assert said in tried(node, **{name: value})
    if kind is not class_of('flow_server') and node.trigger_configure() is SUCCESS:
        states.append('inactive')
        assert said in tried(node, **{name: value})
        if node.trigger_activate() is SUCCESS:
            states.append('active')
            assert said in tried(node, **{name: value})
    assert states == ['unconfigured', 'inactive', 'active'] or kind.__name__ in ('FlowServer', 'GazeboPacer')
    assert value_of(node, name) == before
    wrong = make(kind, **{name: value})
    assert wrong.trigger_configure() is FAILURE
    assert said in capfd.readouterr().err


@pytest.mark.parametrize(('kind', 'changes'), [
    (PowerCalculator, {'boat': 'wamv'}), (PowerCalculator, {'current_varies': True}), (StateAdapter, {'axes': 'ned'}),
    (EnergyAccumulator, {'range_window': 5}), (ScenarioDriver, {'scenario': 3}), (ScenarioDriver, {'boat': 'wamv'}),
])
def test_what_is_read_at_configure_is_free_before_and_refused_after_with_the_way_back(make, kind, changes):
    node = make(kind)
    (name, value), = changes.items()
    old = value_of(node, name)
    assert tried(node, **changes) == ''
    assert tried(node, **{name: old}) == ''
    assert node.trigger_configure() is SUCCESS
    assert tried(node, **changes) == f'parameter {name} is read at configure: cleanup first'
    assert node.trigger_activate() is SUCCESS
    assert tried(node, **changes) == f'parameter {name} is read at configure: deactivate and cleanup first'
    assert tried(node, **{name: old}) == '', 'what it is already may be said again (ros2 param load)'
    assert node.trigger_deactivate() is node.trigger_cleanup() is SUCCESS
    assert tried(node, **changes) == ''
    assert value_of(node, name) == type(old)(value)


def test_a_value_that_is_set_before_configure_is_used(make):
    node = make(PowerCalculator)
    assert tried(node, boat='wamv', convention='as_published') == ''
    assert node.bring_up()
    assert node._boat.name == 'wamv' and node._convention == 'as_published'


def test_a_wrong_override_is_set_right_before_the_next_configure(make, capfd):
    node = make(PowerCalculator, max_gap='foo')
    assert node.trigger_configure() is FAILURE
    assert "parameter max_gap is 'foo'; must be a number" in capfd.readouterr().err
    assert 'convention' in tried(node, max_gap=1, convention='foo')
    assert node.trigger_configure() is FAILURE, 'nothing was set'
    assert tried(node, max_gap=0) == '', 'the default, too, may be what is meant'
    assert node.trigger_configure() is SUCCESS


def test_a_process_with_a_wrong_autostart_ends_and_says_so(monkeypatch, capfd):
    from usv_energy.ros.framework.lifecycle import run_node
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'OFF')
    assert run_node(PowerCalculator, ['node', '--ros-args', '-p', 'autostart:=foo']) == 2
    assert "parameter autostart is 'foo'; must be true or false" in capfd.readouterr().err


def test_one_wrong_value_of_several_changes_nothing(make):
    node = make(StateAdapter)
    assert node.bring_up()
    assert 'silence' in tried(node, max_gap=3.0, silence=-1.0)
    assert 'axes is read at configure' in tried(node, max_gap=3.0, axes='ned')
    assert value_of(node, 'max_gap') == 0.0 and node.parameters.number('max_gap') == 0.0
    assert tried(node, max_gap=3.0, silence=4) == ''
    assert node.parameters.number('max_gap') == 3.0 and value_of(node, 'silence') == 4.0


def test_a_file_that_cannot_be_read_is_refused_and_ends_no_node(make, tmp_path):
    node = make(PowerCalculator)
    loop = tmp_path / 'loop.yaml'
    loop.symlink_to(loop)
    boats = str(loop), 'y' * 253, '/dev/zero', f'{tmp_path}/{"d/" * 3000}boat.yaml'
    reasons = [tried(node, boat=boat) for boat in boats]
    assert all(reasons) and max(map(len, reasons)) < 10_000
    assert value_of(node, 'boat') == 'lutra_prop'


def test_whole_numbers_and_numbers_as_texts_are_taken(make):
    """rclpy refuses the integer 40 where a double was declared; ours takes it, and is a double still."""
    node = make(ScenarioDriver, scenario=3, energy_wait=40)
    assert (value_of(node, 'scenario'), value_of(node, 'energy_wait')) == ('3', 40.0)
    assert tried(node, energy_wait=7) == tried(node, scenario=5) == ''
    assert [node.get_parameter(name).type_ for name in ('scenario', 'energy_wait')] == [
        Parameter.Type.STRING, Parameter.Type.DOUBLE]
    server = make(class_of('flow_server'), picture_points=30.0)
    assert value_of(server, 'picture_points') == 30


def test_an_empty_list_is_a_list_of_no_texts(make):
    node = make(Recorder, extra_topics=[])
    assert node.parameters.texts('extra_topics') == [] and value_of(node, 'extra_topics') == ['']


def test_what_is_unknown_is_told_with_what_there_is(make, capfd):
    node = make(PowerCalculator, baot='wamv', **{'qos_overrides./wind.subscription.reliability': 'best_effort'})
    said = capfd.readouterr().err
    assert "there is no parameter 'baot'. Did you mean 'boat'? There are: boat, convention" in said
    assert 'qos_overrides' not in said
    assert tried(node, nothing=1).startswith("there is no parameter 'nothing'. There are: boat, convention")
    assert tried(node, autostart=False, boat='lutra_prop') == '', 'as a dump that is loaded says it'
    assert tried(node, autostart=True) == 'parameter autostart is read when the process starts: give it there'
    result = node.set_parameters_atomically([Parameter('boat', Parameter.Type.NOT_SET)])
    assert result.reason == 'parameter boat cannot be deleted'


def test_a_home_folder_is_known_in_paths(make, monkeypatch, tmp_path):
    monkeypatch.setenv('HOME', str(tmp_path))
    (tmp_path / 'mine.yaml').write_text('base: lutra_prop\n', encoding='utf-8')
    recorder = make(Recorder, out='~/runs/one', bag=False)
    assert recorder.trigger_configure() is SUCCESS
    assert (tmp_path / 'runs' / 'one').is_dir()
    calculator = make(PowerCalculator, boat='~/mine.yaml')
    assert calculator.trigger_configure() is SUCCESS


def asked(boat, kind, service, **fields):
    """Call a parameter service of a node in the graph, as `ros2 param` does."""
    client = boat.probe.create_client(kind, service)
    boat.until(client.service_is_ready)
    future = client.call_async(kind.Request(**fields))
    boat.until(future.done)
    return future.result()


def message(name, **value):
    kinds = {'double_value': ParameterType.PARAMETER_DOUBLE, 'integer_value': ParameterType.PARAMETER_INTEGER,
             'string_value': ParameterType.PARAMETER_STRING}
    (key, _), = value.items()
    return ParameterMsg(name=name, value=ParameterValue(type=kinds[key], **value))


def test_a_wind_that_is_set_is_in_the_next_power(graph):
    """A head wind w on a boat that goes ahead at u: the drag of the water, and 0.5 rho A c (u + w)^2 u of the air."""
    boat = graph(wind=FlowOptions('global', 0.0, 180.0))
    lutra = read_boat('lutra_prop')
    boat.tell(0.0, until='power', u=1.0)
    still = boat.tell(0.05, until='power', u=1.0)
    assert still.thrust == pytest.approx(steady_power(1.0, lutra), rel=1e-9)
    answer = asked(boat, SetParameters, 'wind_client/set_parameters', parameters=[message('speed', integer_value=6)])
    assert [one.successful for one in answer.results] == [True]
    windage = lutra.vessel.windage
    factor = 0.5 * windage.air_density * windage.frontal_area * windage.c_x
    half = boat.tell(0.10, until='power', u=1.0)
    assert still.thrust < half.thrust, 'the mean of a step in which it came up'
    blown = boat.tell(0.15, until='power', u=1.0)
    assert blown.thrust - still.thrust == pytest.approx(factor * (7.0**2 - 1.0**2) * 1.0, rel=1e-9)


def test_another_mode_of_the_wind_is_in_the_next_message(graph):
    boat = graph()
    boat.tell(0.0, until='wind')
    assert tried(boat.nodes['wind_client'], mode='global', speed=4.0, direction_deg=90) == ''
    msg = boat.tell(0.05, until='wind')
    assert (msg.vector.x, msg.vector.y) == pytest.approx((0.0, 4.0), abs=1e-12)
    assert tried(boat.nodes['wind_client'], mode='local') == ''
    assert math.isnan(boat.tell(0.10, until='wind').vector.x), 'nobody serves a wind'
    assert tried(boat.nodes['wind_client'], global_source='topic', mode='global') == ''
    assert math.isnan(boat.tell(0.15, until='wind').vector.x), 'nobody has told a wind'
    assert tried(boat.nodes['wind_client'], mode='none') == ''
    assert boat.tell(0.20, until='wind').vector.x == 0.0


def test_a_max_gap_that_is_set_holds_for_the_next_sample(graph):
    boat = graph()
    boat.tell_all([0.0, 0.05, 0.10])
    assert [tried(boat.nodes[name], max_gap=5) for name in ('energy_accumulator', 'power_calculator', 'state_adapter')
            ] == ['', '', '']
    after = boat.tell(3.10)
    assert after.gaps == 0 and after.duration == pytest.approx(3.10)
    assert tried(boat.nodes['energy_accumulator'], max_gap=2.5) == ''
    assert boat.tell(6.10).gaps == 1


def test_a_patience_that_is_set_holds_from_the_next_message(graph, capfd):
    boat = graph(change={'energy_accumulator': {'silence': 3600}})
    boat.tell_all([0.0, 0.05])
    assert tried(boat.nodes['energy_accumulator'], silence=0.2) == ''
    boat.tell(0.10)
    heard = len(boat.heard['energy'])
    boat.until(lambda: len(boat.heard['energy']) > heard)
    assert boat.heard['energy'][-1].status & boat.heard['energy'][-1].SILENT
    assert 'no power sample for 0.2 s' in capfd.readouterr().err


def test_the_services_refuse_with_the_reason_and_the_node_goes_on(graph):
    boat = graph()
    boat.tell_all([0.0, 0.05])
    answer = asked(boat, SetParameters, 'power_calculator/set_parameters', parameters=[
        message('max_flow_age', double_value=-5.0), message('boat', string_value='wamv'),
        message('baot', string_value='wamv'), message('max_flow_age', double_value=4.0)])
    assert [one.reason for one in answer.results][:2] == [
        'parameter max_flow_age is -5.0; must be greater than 0',
        'parameter boat is read at configure: deactivate and cleanup first']
    assert [one.successful for one in answer.results] == [False, False, False, True]
    answer = asked(boat, SetParametersAtomically, 'power_calculator/set_parameters_atomically', parameters=[
        message('max_gap', double_value=4.0), message('convention', string_value='foo')])
    assert answer.result.reason == "parameter convention is 'foo'; must be one of rep103, as_published"
    assert value_of(boat.nodes['power_calculator'], 'max_gap') == 0.0
    answer = asked(boat, DescribeParameters, 'power_calculator/describe_parameters', names=['max_flow_age'])
    assert answer.descriptors[0].type == ParameterType.PARAMETER_DOUBLE
    boat.tell(0.10)
