"""One table of options: what people give by launch files, compose and parameters is still there, and documented."""

import json
import subprocess
import sys

import pytest
from places import ROOT

from usv_energy.files.errors import InputError
from usv_energy.ros.framework.parameters import AUTOSTART, BOND_HEARTBEAT_PERIOD, EXIT_WHEN_DONE, Flag, Number
from usv_energy.ros.graph.compose import graph_of, parser
from usv_energy.ros.graph.graph import NodeSpec
from usv_energy.ros.graph.graph_options import LAUNCH_FILES, OPTIONS, DriveOptions, EnergyOptions, GraphOptions

# Names and defaults that people's launch files, params files and scripts rely on: those of before the one table.
KNOWN = json.loads((ROOT / 'test' / 'node' / 'known_options.json').read_text(encoding='utf-8'))


def as_given(one, text):
    """Return what the text of a launch argument says."""
    return float(text) if isinstance(one, Number) else text == 'true' if isinstance(one, Flag) else text


@pytest.mark.parametrize('file', KNOWN['launch files'])
def test_a_launch_file_has_all_arguments_that_it_had_with_their_defaults(file):
    assert (ROOT / 'launch' / f'{file}.launch.py').is_file()
    table = {one.name: one for one in LAUNCH_FILES[file]}
    known = {name: as_given(table[name], text) for name, text in KNOWN['launch files'][file].items()}
    assert {name: table[name].default for name in known} == known


@pytest.mark.parametrize('kind', KNOWN['compose'])
def test_compose_has_all_options_that_it_had_with_their_defaults(kind):
    found, known = vars(parser().parse_args([kind])), KNOWN['compose'][kind]
    assert {name: found[name] for name in known} == known
    flags = [f'--no-{name.replace("_", "-")}' for name, value in known.items() if value is True]
    assert not any(vars(parser().parse_args([kind, *flags]))[name] for name, value in known.items() if value is True)


@pytest.mark.parametrize('name', KNOWN['nodes'])
def test_a_node_has_all_parameters_that_it_had_with_their_defaults(name):
    node, known = NodeSpec(name, name, {}).node_class(), KNOWN['nodes'][name]
    own = (AUTOSTART, BOND_HEARTBEAT_PERIOD, *((EXIT_WHEN_DONE,) if node.has_end() else ()))
    found = {one.name: one.default for one in (*node.declared, *own)}
    assert {name: found[name] for name in known} == known


def test_the_docs_of_parameters_arguments_and_options_are_up_to_date():
    made = subprocess.run([sys.executable, str(ROOT / 'docs' / 'make_parameters.py'), '-'], capture_output=True,
                          text=True, check=True).stdout
    assert (ROOT / 'docs' / 'parameters.md').read_text(encoding='utf-8') == made, \
        'python3 docs/make_parameters.py makes it anew'


@pytest.mark.parametrize('table', [*(kind.table for kind in OPTIONS.values()), *LAUNCH_FILES.values()])
def test_an_option_stands_once_is_described_and_its_default_is_allowed(table):
    names = [one.name for one in table]
    assert len(set(names)) == len(names)
    for one in table:
        assert one.description.endswith('.') and one.checked(one.default) == one.default


def test_options_are_given_by_name_and_others_are_refused():
    options = DriveOptions(boat='wamv', clock=False)
    assert (options.text('boat'), options.flag('clock'), options.number('wind_height')) == ('wamv', False, 0.0)
    assert (options.text('pace'), GraphOptions.table) == ('1.0', ())
    with pytest.raises(TypeError, match='EnergyOptions has no bota, pace'):
        EnergyOptions(bota='wamv', pace='1.0')


@pytest.mark.parametrize(('words', 'message'), [
    (['scenario', '--convention', 'rep104'], "'rep104' (choose from"),
    (['scenario', '--scenaro', '3'], 'unrecognized arguments: --scenaro 3'),
    (['energy'], 'no boat is given: whose energy is it? There are: blueboat, blueboat_start, blueboat_watts_only,'),
    (['energy', '--boat', 'wamv', '--odom', 'a b'], "odom is 'a b'; must be the name of a topic"),
    (['drive', '--boat', 'lutra_sail'], 'lutra_sail has no thruster that drives it ahead'),
    (['drive', '--boat', 'lutra_porp'], "Did you mean 'lutra_prop'?"),
    (['drive', '--current', '0.4'], "current is '0.4'; must be `0.5 kn set 090`"),
    (['drive', '--wind-height', '10'], 'wind_height is 10; it goes with'),
])
def test_a_wrong_command_line_of_compose_is_refused(words, message):
    """Before anything starts; that a refusal ends the process with status 2: test/launch/test_processes.py."""
    with pytest.raises(InputError) as refused:
        graph_of(parser().parse_args(words), words, False)
    assert message in str(refused.value)


def test_what_compose_is_told_reaches_the_parameters_of_its_nodes():
    words = ['energy', '--boat=wamv', '--axes=ned', '--twist-frame=world', '--lag=0.5', '--current-mode=global',
             '--current-speed=0.4', '--current-direction-deg=45', '--wind-mode=local', '--wind-global-source=topic',
             '--wind-height=10', '--odom-reliability=reliable', '--acceleration-time-constant=0.3', '--out=there',
             '--no-bag', '--convention=as_published', '--homes=pier:0,0;1,2']
    nodes = {one.name: one for one in graph_of(parser().parse_args(words), words, False)}
    expected = {
        'state_adapter': {'axes': 'ned', 'twist_frame': 'world', 'lag': 0.5, 'acceleration_time_constant': 0.3,
                          'odom_reliability': 'reliable'},
        'current_client': {'mode': 'global', 'speed': 0.4, 'direction_deg': 45.0, 'global_source': 'parameter'},
        'wind_client': {'mode': 'local', 'global_source': 'topic', 'height': 10.0},
        'power_calculator': {'convention': 'as_published'}, 'home_watch': {'homes': ['pier:0,0', '1,2']},
        'recorder': {'out': 'there', 'bag': False, 'odom_reliability': 'reliable'}}
    for name, parameters in expected.items():
        assert nodes[name].parameters.items() >= parameters.items(), name
        declared = {one.name: one for one in nodes[name].node_class().declared}
        for key, value in nodes[name].parameters.items():
            assert declared[key].checked(value) == value, f'{name}: {key}'
