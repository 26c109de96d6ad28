"""`usv-energy list`."""

import json

import pytest
from command_line import assert_refused


def test_list_names_scenarios_and_boats(cli, tmp_path):
    _, out, _ = cli('list', '--json')
    found = json.loads(out)
    names = [entry['name'] for entry in found['scenarios']]
    assert {'river/upstream_bank', 'river/upstream_middle', 'river/crossing_both'} <= set(names)
    own = ('sailing/', 'usvsim/', 'uav_usv/', 'waves/')  # Papers' missions with boats like theirs; hulls of parts.
    assert {entry['boat'] for entry in found['scenarios'] if not entry['name'].startswith(own)} == {'lutra_prop'}
    assert {'usvsim/river_mission', 'usvsim/bridge_path', 'uav_usv/box', 'uav_usv/sweep'} <= set(names)
    boats = [entry['name'] for entry in found['boats']]
    assert boats == sorted(boats)
    assert names[:7] == list('1234567') and all('/' in name for name in names[7:])
    assert {'lutra_prop', 'lutra_prop_eq57', 'lutra_prop_usvsim', 'wamv'} <= set(boats)
    table = cli('list')[1]
    assert all(text in table for kind in found.values() for entry in kind for text in entry.values())
    assert_refused(cli('list', '--json', tmp_path / 'none' / 'file'), tmp_path / 'none')


@pytest.mark.parametrize(('kind', 'name'), [
    ('boats', 'blueboat'), ('thrusters', 't200'), ('columns', 'milliampere'), ('flows', 'river'), ('batteries', 'lfp'),
    ('teams', 'box')])
def test_each_kind_of_shipped_file_is_listed_with_what_it_is(cli, kind, name):
    found = json.loads(cli('list', kind, '--json')[1])
    assert list(found) == [kind]
    assert name in {entry['name'] for entry in found[kind]} and all(len(entry) > 1 for entry in found[kind])
    assert all(any(value for key, value in entry.items() if key != 'name') for entry in found[kind])


def test_an_unknown_kind_is_answered_with_those_that_there_are(cli):
    assert_refused(cli('list', 'boat'), "invalid choice: 'boat'; did you mean boats?")
