"""Files of quadcopters: what is shipped, and what is refused."""

import pytest
import yaml

from usv_energy.air.quadcopter import read_quadcopter
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names


def test_every_shipped_number_has_its_source():
    for name in names('quadcopters'):
        craft = read_quadcopter(name)
        assert craft.name == name
        path = next(path for path in [read_path(name)])
        assert all(node['source'] for part in ('quadcopter', 'battery')
                   for node in yaml.safe_load(path.read_text()).get(part, {}).values() if node != 'nmc')


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


def own(tmp_path, **changes):
    """Write the shipped file with other entries at its top; None takes one away."""
    document = yaml.safe_load(read_path('ar_drone').read_text()) | changes
    path = tmp_path / 'own.yaml'
    path.write_text(yaml.safe_dump({key: node for key, node in document.items() if node is not None}))
    return str(path)


def test_the_battery_is_cells_as_a_boats_or_a_counter(tmp_path):
    """Cells are those of a boat of the same entry; 11.1 Wh of a counter are 39960 J."""
    cells = read_quadcopter('ar_drone')
    from usv_energy.boats.boat_file import read_boat
    entry = yaml.safe_load(read_path('ar_drone').read_text())['battery']
    (tmp_path / 'boat.yaml').write_text(yaml.safe_dump(
        {'base': 'lutra_prop', 'battery': entry | {'initial_state_of_charge': None}}))
    boat = read_boat(str(tmp_path / 'boat.yaml'))
    assert cells.pack is boat.pack and cells.ambient == boat.ambient and cells.nominal_voltage == 11.1
    assert cells.battery == pytest.approx(3600.0 * boat.battery.capacity_wh, rel=1e-12)
    numbers = yaml.safe_load(read_path('ar_drone').read_text())['quadcopter']
    counted = read_quadcopter(own(tmp_path, battery=None,
                                  quadcopter=numbers | {'battery_wh': {'value': 11.1, 'unit': 'Wh'}}))
    assert counted.pack is None and counted.battery == pytest.approx(39960.0)


@pytest.mark.parametrize(('battery', 'words'), [
    (None, 'must give one: cells'), ({'chemistry': 'nmc'}, "lacks the key 'series'"),
    ({'chemistry': 'tea', 'series': 3}, 'tea'), ({'chemistry': 'nmc', 'series': 0}, 'battery.series')])
def test_faults_of_the_battery(tmp_path, battery, words):
    with pytest.raises(InputError) as caught:
        read_quadcopter(own(tmp_path, battery=battery))
    assert words in str(caught.value)
