"""Files of quadcopters: what is shipped, and what is refused."""

import pytest
import yaml

from usv_energy.air.quadcopter_file import read_quadcopter
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names


def test_every_shipped_number_has_its_source():
    for name in names('quadcopters'):
        craft = read_quadcopter(name)
        assert craft.name == name
        path = next(path for path in [read_path(name)])
        assert all(node['source'] for node in yaml.safe_load(path.read_text())['quadcopter'].values())


def read_path(name):
    from usv_energy.files.locate import resolve
    return resolve('quadcopters', name)


@pytest.mark.parametrize(('key', 'node', 'words'), [
    ('most_thrust', {'value': 1.1, 'unit': 'N'}, 'must lift 1.2 times its weight of 4.21 N'),
    ('mass', {'value': 0, 'unit': 'kg'}, 'quadcopter.mass'), ('mass', {'value': 1, 'unit': 'g'}, 'quadcopter.mass'),
    ('efficiency', {'value': 1.2, 'unit': '-'}, 'quadcopter.efficiency'), ('arm', None, "lacks the key 'arm'")])
def test_faults(tmp_path, key, node, words):
    document = yaml.safe_load(read_path('ar_drone').read_text())
    if node is None:
        del document['quadcopter'][key]
    else:
        document['quadcopter'][key] = node
    path = tmp_path / 'own.yaml'
    path.write_text(yaml.safe_dump(document))
    with pytest.raises(InputError) as caught:
        read_quadcopter(str(path))
    assert str(path) in str(caught.value) and words in str(caught.value)
