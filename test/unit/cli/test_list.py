"""`usv-energy list`."""

import json

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
