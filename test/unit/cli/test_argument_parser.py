"""Wrong command lines: one line each, by the verb that they were meant for, with what was probably meant."""

import argparse

import pytest
from command_line import assert_refused

from usv_energy.cli.arguments import guess
from usv_energy.cli.help_groups import FEW, FIRST, FIVE
from usv_energy.cli.main import FAMILIES, VERBS, _parser, joined_verb, members, spoken


@pytest.mark.parametrize('arguments, words', [
    (['rang', '--boat', 'x'], ("invalid choice: 'rang'; did you mean range?", 'usv-energy --help')),
    (['maneuvr', 'straight'], ("invalid choice: 'maneuvr'; did you mean maneuver?",)),
    (['identify', 'batery', 'x.csv'], ('identify batery: there is no file', 'did you mean battery?')),
    (['range', 'mapp', 'best'], ('range mapp: there is no file', 'did you mean map?')),
    (['mission'], ('required: COMMAND|FILE',)), (['mission', '--part', '2', 'a.kml'], ('required: --boat',)),
    (['range', '--bot', 'x'], ('unrecognized arguments: --bot x; did you mean --boat?', 'usv-energy range --help')),
    (['maneuver', 'straight', '--hotel', '5'], ('nothing that usv-energy maneuver answers depends on it',)),
    (['map', 'energy', '--curent', '0.2,0'], ('unrecognized arguments: --curent 0.2,0; did you mean --current?',
                                              'usv-energy map energy --help')),
    (['map', 'best', '--wind', '3,0', '--wind-speed', '3'], ('--wind is one flow, --wind-speed', 'must be one way')),
    (['range', '--out', 'a.png', '--out', 'b.png'], ('--out: is given twice, a.png and b.png',)),
    (['run', '3', '--boat', ''], ("--boat: '' names no boat",)),
    (['serve', '--port', '99999'], ("--port: '99999' is no whole number from 0 to 65535",)),
    (['range', '--sea', 'slight'], ("--sea is 'slight'; must be `0.3 m 2.5 s from SW`", 'or calm, or a flow file')),
    (['map', 'reach'], ('required: --from', 'usv-energy map reach --help')),
    (['range', '--course', 'ahead'], ("'ahead'; must be degrees of the compass",)),
    (['mission', 'survey.plan', '--simulate'], ('--simulate goes with --boat',)),
    (['mission', 'survey.plan', '--reserve=0.1'], ('--reserve goes with --boat',))])
def test_a_wrong_command_line_is_one_line(cli, arguments, words):
    assert_refused(cli(*arguments), *words)


def test_a_value_may_begin_with_a_minus(cli):
    assert_refused(cli('range', '--current', '-0.2,0'), "--current is '-0.2,0'", 'the speed from 0 on')
    assert_refused(cli('range', '--course', '-200,1'), "'-200,1'; must be degrees of the compass")


def test_the_line_of_usage_names_what_is_needed(cli):
    assert cli('route', '--help')[1].startswith('usage: usv-energy route --from X Y --to X Y --boat BOAT [options]\n')
    assert cli('mission', 'estimate', '--help')[1].startswith('usage: usv-energy mission estimate FILE --boat BOAT [')


@pytest.mark.parametrize('words, same', [
    (['--boat', 'blueboat', 'a.plan'], ['estimate', '--boat', 'blueboat', 'a.plan']),
    (['--boat', 'blueboat', 'estimate', 'a.plan'], ['estimate', '--boat', 'blueboat', 'a.plan']),
    (['a.plan', '--boat', 'blueboat'], ['a.plan', '--boat', 'blueboat']), (['--help'], ['--help']), ([], [])])
def test_a_mission_s_options_may_stand_before_its_file(words, same):
    assert joined_verb(['mission', *words]) == ['mission', *same]
    if 'a.plan' in words:
        args = _parser('mission').parse_args(joined_verb(['mission', *words]))
        assert (args.mission_verb, args.file, args.boat) == ('estimate', 'a.plan', 'blueboat')


def test_the_help_of_a_mission_s_file_has_the_options_of_its_cost(cli):
    status, text, _ = cli('mission', 'a.plan', '--help')
    assert status == 0 and '--all-legs-at' in text and cli('help', 'mission', 'estimate')[1] == text


def test_only_what_is_near_is_guessed():
    assert guess('--bot', ['--boat', '--out']) == '; did you mean --boat?'
    assert guess('--quick', ['--boat', '--out']) == ''


def test_each_verb_is_in_one_family_of_the_help_or_below_identify(cli):
    listed = [name for names in FAMILIES.values() for name in names]
    assert sorted([*listed, *members('identify')]) == sorted(VERBS) and len(members('identify')) == 7
    text, of_identify = cli('--help')[1], cli('identify', '--help')[1]
    for name, (_, purpose) in VERBS.items():
        if name in listed:
            assert f'  {name} ' in text and purpose in text
        else:
            assert f'  {name.replace("-", " ", 1)} ' in of_identify and purpose in of_identify and name not in text


# Texts that an option of some quantity takes, and some of these options.
QUANTITIES = {
    '4 kn': ('speed', 'speeds', 'wind_speed', 'current_speed', 'current_std', 'wind_std', 'current_error', 'top_speed'),
    '4 kn,120': ('speed',), 'NE': ('course', 'angle'), 'set 090': ('current_direction',),
    '2 nmi': ('spacing', 'radius', 'wind_height', 'water_level', 'draught', 'extent', 'start', 'drift_depth', 'length'),
    '90 min': ('duration', 'max_gap', 'lead', 'period', 'begin', 'end', 'settle', 'time', 'estimate_current'),
    '90 s': ('horizon', 'window')}
# Options that take a bare number alone, and why.
BARE = {
    **dict.fromkeys(('hotel', 'max_power'), 'W'), **dict.fromkeys(('payload', 'mass', 'added'), 'kg'),
    'bollard': 'N and W', 'ambient': 'degC', 'water_density': 'kg/m^3', 'voltage': 'V', 'ocv_std_mv': 'mV, by its name',
    'full_command': 'microseconds of a pulse', 'drag_error': 'percent, by its name',
    **dict.fromkeys(('at', 'home', 'origin'), 'latitude and longitude'),
    **dict.fromkeys(('goals', 'start'), 'of route: latitude and longitude with --degrees'),
    'transform': 'two lengths and an angle', **dict.fromkeys(('angles', 'directions'), 'degrees from the bow'),
    **dict.fromkeys(('margin', 'pace', 'rate'), 'ratios')}


def commands():
    """Return the parsers of all commands, those of commands of commands included, without those that only hold more."""
    found = []
    waiting = [next(action for action in _parser(verb)._actions if isinstance(action, argparse._SubParsersAction)
                    ).choices[verb] for verb in VERBS]
    while waiting:
        parser = waiting.pop()
        below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        waiting += [child for action in below for child in action._name_parser_map.values()]
        found += [] if below else [parser]
    return found


def test_many_options_are_in_groups_and_the_five_that_matter_come_first():
    for parser in commands():
        shown = [action for action in parser._actions if action.option_strings and action.help != argparse.SUPPRESS]
        in_groups = [action for group in parser._action_groups for action in group._group_actions
                     if action.option_strings and action.help != argparse.SUPPRESS]
        assert sorted(map(id, in_groups)) == sorted(map(id, shown)), f'{parser.prog}: each option once'
        if len(shown) - 1 <= FEW:
            continue
        titles = {group.title: group._group_actions for group in parser._action_groups if group._group_actions}
        first = [action.dest for action in titles[FIRST]]
        assert 3 <= len(first) <= FIVE and {action.dest for action in shown if action.required} <= set(first)
        assert 'out' not in {action.dest for action in shown} or first[-1] == 'out', parser.prog
        assert len(titles['options']) <= FIVE, f'{parser.prog}: options of no group, with --help'


def takes(action, text):
    """Return whether the type of an option converts a text to a number, or to several."""
    try:
        value = action.type(text)
    except (argparse.ArgumentTypeError, ValueError):
        return False
    return isinstance(value, float) or (isinstance(value, list) and isinstance(value[0], float))


def test_every_number_of_a_speed_a_length_a_time_or_a_direction_takes_a_unit():
    texts = {'1', '1,1', '1%', *QUANTITIES}
    found = {}
    for parser in commands():
        for action in parser._actions:
            if callable(action.type) and (taken := {text for text in texts if takes(action, text)}):
                with_unit = sorted(taken & {*QUANTITIES, '1%'})
                assert with_unit or action.dest in BARE, f'{parser.prog} --{action.dest} {action.metavar}'
                found.setdefault(action.dest, set()).update(with_unit or ['bare'])
    assert {name for name, units in found.items() if 'bare' in units} == set(BARE), 'each name has its reason'
    for unit, names in QUANTITIES.items():
        assert set(names) <= {name for name, units in found.items() if unit in units}, unit


def test_an_old_name_of_a_verb_is_answered_with_the_new_one(cli):
    status, _, said = cli('identify-steady', '--maneuver', 'none')
    assert status == 2 and said.startswith('usv-energy: identify-steady is called identify steady now\n')
    assert 'is called' not in cli('identify', 'steady', '--maneuver', 'none')[2]


def test_what_is_to_be_identified_may_be_a_word_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert joined_verb(['identify', 'battery', 'log.csv']) == ['identify-battery', 'log.csv']
    assert joined_verb(['run', 'maneuver', 'bollard']) == ['maneuver', 'bollard']
    assert joined_verb(['range', 'map', 'best']) == ['map', 'best']
    assert joined_verb(['identify', 'log.csv']) == ['identify', 'log.csv']
    (tmp_path / 'battery').mkdir()
    assert joined_verb(['identify', 'battery']) == ['identify', 'battery'], 'a log of that name is one'


# Commands of README and docs from the first commit on, each with what it is told; `--plot` is in two thirds of them.
OLD_COMMANDS = (
    ('sweep speed_current --out e.nc --plot e.png', '--plot is called --out'),
    ('identify-battery mission.mcap --boat mine.yaml --plot pack.png --out aged.yaml', '--plot is called --out'),
    ('identify-steady --plant lutra_prop_usvsim --plot', '--plot is called --out'),
    ('route --from 320 95 --to 20 95 --boat lutra_prop --static-load 6 --current river --clearance 3 --out river.html',
     '--static-load is called --hotel'),
    ('map reach --from 0 0 --current 0.3,30 --static-load 5 --energy-wh 10 --round-trip --plot reach.png',
     '--energy-wh is called --battery'),
    ('map front --from 320 95 --to 120 95 --current-flow river --static-load 5 --points 96',
     '--current-flow is called --current'),
    ('range --boat lutra_prop --state-of-charge 0.8', '--state-of-charge is called --charge'),
    ('map best --speeds 0.2,0.4,0.6 --wind-height 10', ''), ('closure --speeds 0.5 1.0', ''),
    ('mission show a.plan', ''), ('mission estimate a.plan --boat lutra_prop', ''), ('run all --convention both', ''))


@pytest.mark.parametrize('line, said', OLD_COMMANDS, ids=[line for line, _ in OLD_COMMANDS])
def test_an_old_command_of_the_docs_is_parsed_and_told_its_new_names(line, said, capsys):
    words = joined_verb(line.split())
    _parser(words[0]).parse_args(words)
    assert said in (err := capsys.readouterr().err) and bool(said) == bool(err)


def test_no_verb_of_the_first_day_of_this_issue_is_lost():
    """Those that the command had before verbs were joined into families (0fa5c02)."""
    old = [
        'run', 'flow', 'list', 'boat', 'maneuver', 'closure', 'mission', 'route', 'sweep', 'map', 'identify',
        'identify-electrical', 'identify-speed-power', 'identify-steady', 'identify-battery',
        'identify-bollard', 'identify-coast-down', 'identify-waves', 'analyze', 'compare', 'overlay', 'range',
        'estimate-mass', 'acoustics', 'hil', 'team', 'monitor', 'gazebo', 'demo']
    assert len(old) == 29
    for verb in old:
        assert joined_verb(spoken(verb).split()) == [verb], 'the new words mean the old verb'
        with pytest.raises(SystemExit) as end:
            _parser(verb).parse_args([verb, '--help'])
        assert end.value.code == 0
