"""Files of modems: what is shipped, and what is refused."""

import math

import pytest
import yaml

from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.sim.acoustics.hearing import read_modem

ENTRY = {'level': {'value': 170, 'unit': 'dB'}, 'frequency': {'value': 25e3, 'unit': 'Hz'},
         'bandwidth': {'value': 5e3, 'unit': 'Hz'}, 'threshold': {'value': 10, 'unit': 'dB'},
         'bit_rate': {'value': 80, 'unit': 'bit/s'}}


def written(tmp_path, **changes):
    path = tmp_path / 'own.yaml'
    modem = {key: value for key, value in {**ENTRY, **changes}.items() if value is not None}
    path.write_text(yaml.safe_dump({'name': 'own', 'modem': modem}))
    return str(path)


def test_shipped_modems_are_read_and_every_number_has_its_source():
    assert 'tapac' in names('modems')
    for name in names('modems'):
        file = read_modem(name)
        assert file.name == name and file.description
        document = yaml.safe_load(file.path.read_text())
        assert all(node['source'] for node in document['modem'].values())


def test_own_modem_with_directivity(tmp_path):
    found = read_modem(written(tmp_path, directivity={'rows': [[0, 0], [90, -6], [180, -20]], 'unit': 'dB'})).modem
    assert found.level == 170.0 and found.power == 0.0
    assert found.angles == pytest.approx((0.0, math.pi / 2, math.pi)) and found.gains == (0.0, -6.0, -20.0)


@pytest.mark.parametrize(('changes', 'words'), [
    ({'level': None}, "modem lacks the key 'level'"),
    ({'level': {'value': 170, 'unit': 'W'}}, 'modem.level.unit'),
    ({'bit_rate': {'value': 0, 'unit': 'bit/s'}}, 'modem.bit_rate'),
    ({'bandwidth': {'value': 6e4, 'unit': 'Hz'}}, 'modem.bandwidth is 60000 Hz; must be below'),
    ({'directivity': {'rows': [[0, 0], [90, -6]], 'unit': 'dB'}}, 'must rise from 0 to 180 deg'),
    ({'directivity': {'rows': [[0, 0], [0, -6], [180, -9]], 'unit': 'dB'}}, 'must rise from 0 to 180 deg'),
    ({'directivity': {'rows': [[0, 3], [180, -6]], 'unit': 'dB'}}, '3 dB at 0 deg; must be at most 0')])
def test_faults(tmp_path, changes, words):
    path = written(tmp_path, **changes)
    with pytest.raises(InputError) as caught:
        read_modem(path)
    assert path in str(caught.value) and words in str(caught.value)
