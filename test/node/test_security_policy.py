"""The policy of SROS 2 for a running graph: each node may do what it does, and nothing else."""

from xml.etree import ElementTree

import pytest

from usv_energy.files.errors import InputError
from usv_energy.ros.graph.security_policy import policy_text


@pytest.fixture
def profiles(graph):
    one = graph(namespace='/boat')
    nodes = [(node.get_name(), node.get_namespace()) for node in one.nodes.values()]
    root = ElementTree.fromstring(policy_text(one.probe, nodes))
    assert (root.tag, root.get('version')) == ('policy', '0.2.0')
    found = {}
    for enclave in root.iter('enclave'):
        profile, = enclave.iter('profile')
        assert enclave.get('path') == f'{profile.get("ns")}/{profile.get("node")}'
        found[profile.get('node')] = {(group.tag, access): [one.text for one in group]
                                      for group in profile for access, given in group.attrib.items()
                                      if given == 'ALLOW'}
    return one, found


def test_each_node_may_do_what_it_does_and_the_accumulator_may_not_publish_power(profiles):
    one, found = profiles
    assert set(found) == set(one.nodes)
    calculator, accumulator = found['power_calculator'], found['energy_accumulator']
    assert {'power', 'instantaneous_power', '/diagnostics'} <= set(calculator['topics', 'publish'])
    assert {'boat_state', 'water_current', 'wind'} <= set(calculator['topics', 'subscribe'])
    assert 'power' in accumulator['topics', 'subscribe'] and 'power' not in accumulator['topics', 'publish']
    assert {'reset_energy', 'energy_accumulator/change_state'} <= set(accumulator['services', 'reply'])
    publishers = [node for node, access in found.items() if 'energy' in access['topics', 'publish']]
    assert publishers == ['energy_accumulator']
    assert not any('odom' in access['topics', 'publish'] for access in found.values())


def test_without_a_node_there_is_no_policy(graph):
    with pytest.raises(InputError, match='no node of this graph runs'):
        policy_text(graph().probe, [])
