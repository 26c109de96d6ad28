"""The shipped views of a running boat, Foxglove and RViz: every topic and field in them is one that a node gives."""

import json
import re

import pytest
import yaml
from command_line import assert_refused

from usv_energy.files.locate import SOURCE_ROOT
from usv_energy.powering.energy import CAUSES

FOXGLOVE = SOURCE_ROOT / 'config' / 'foxglove' / 'energy.json'
RVIZ = SOURCE_ROOT / 'config' / 'rviz' / 'energy.rviz'
OWN = {'power': 'PowerStamped', 'energy': 'EnergyStamped', 'boat_state': 'BoatState'}
OTHERS = {'battery_state.percentage', 'remaining_range.data'}
GIVEN = {'odom', 'water_current/field', 'wind/field'}


def layout():
    return json.loads(FOXGLOVE.read_text(encoding='utf-8'))


def leaves(node):
    return [node] if isinstance(node, str) else [*leaves(node['first']), *leaves(node['second'])]


def fields_of(message):
    text = (SOURCE_ROOT / 'usv_energy_msgs' / 'msg' / f'{message}.msg').read_text(encoding='utf-8')
    return set(re.findall(r'^[\w/\[\]]+ (\w+)\s*(?:#.*)?$', text, re.MULTILINE))


def paths():
    for panel in layout()['configById'].values():
        yield from (path['value'] for path in panel.get('paths', ()))
        yield from (panel[key]['value'] if key == 'xAxisPath' else panel[key]
                    for key in ('xAxisPath', 'path', 'topicPath') if panel.get(key))


def test_every_panel_of_the_foxglove_layout_is_in_the_mosaic_once():
    told = layout()
    assert sorted(leaves(told['layout'])) == sorted(told['configById'])
    assert {'configById', 'globalVariables', 'userNodes', 'playbackConfig', 'layout'} == set(told)
    assert all(re.fullmatch(r'\w+![\w]+', name) for name in told['configById'])


def test_every_path_of_the_foxglove_layout_is_a_field_that_a_node_publishes():
    found = list(paths())
    assert len(found) > 15
    for path in found:
        assert path.startswith('/diffboat/')
        topic, _, field = path.removeprefix('/diffboat/').partition('.')
        if topic in OWN:
            assert not field or field.split('.')[0] in fields_of(OWN[topic]), path
        else:
            assert f'{topic}.{field}' in OTHERS, path


@pytest.mark.parametrize(('panel', 'topic'), [('Plot!power', 'power'), ('Plot!energy', 'energy')])
def test_every_cause_is_drawn(panel, topic):
    drawn = {path['value'].rsplit('.', 1)[1] for path in layout()['configById'][panel]['paths']}
    assert drawn == set(CAUSES) - {'thrust'}
    assert all(path['value'].startswith(f'/diffboat/{topic}.') for path in layout()['configById'][panel]['paths'])


def test_rviz_shows_topics_that_there_are_as_they_are_published():
    told = yaml.safe_load(RVIZ.read_text(encoding='utf-8'))
    displays = told['Visualization Manager']['Displays']
    topics = {display['Topic']['Value'].removeprefix('/diffboat/'): display for display in displays
              if 'Topic' in display}
    assert set(topics) == GIVEN
    for name in ('water_current/field', 'wind/field'):
        assert topics[name]['Topic']['Durability Policy'] == 'Transient Local', 'the field is latched'
        assert topics[name]['Channel Name'] == 'speed'
    assert all(re.fullmatch(r'rviz_(default_plugins|common)/\w+', display['Class']) for display in displays)


def test_views_are_written_for_the_namespace_of_a_boat(cli, tmp_path):
    status, _, err = cli('monitor', '--namespace', '/fleet/red', '--views', tmp_path / 'views')
    assert status == 0
    assert err.split() == [str(tmp_path / 'views' / name) for name in ('energy.json', 'energy.rviz')]
    for shipped in (FOXGLOVE, RVIZ):
        written, text = (tmp_path / 'views' / shipped.name).read_text(), shipped.read_text(encoding='utf-8')
        assert 'diffboat' in text and written == text.replace('diffboat', 'fleet/red')
    assert_refused(cli('monitor', '--namespace', 'a b', '--views', tmp_path / 'b'), '--namespace', 'must be letters')
