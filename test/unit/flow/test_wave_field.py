import math

import numpy as np
import pytest
from needs import NEEDS_NETCDF
from netcdf_files import ORIGIN
from wave_files import height_of, wave_file

from usv_energy.files.errors import InputError
from usv_energy.flow.sea import open_wave_field
from usv_energy.physics.waves.linear_wave import energy_period

pytestmark = NEEDS_NETCDF
HERE = {'origin': list(ORIGIN)}


def test_states_are_those_of_the_file_linear_between_nodes_and_times(tmp_path):
    field = open_wave_field(wave_file(tmp_path / 'waves.nc'), HERE, 3.3)
    x = np.array([0.0, 900.0, 5e5])
    found = field.at(1800.0, x, np.zeros(3))
    assert found.height[:2] == pytest.approx(height_of(1800.0, x[:2]), rel=1e-4)
    assert found.period[:2] == pytest.approx(4.0)
    assert np.degrees(found.direction[:2]) == pytest.approx(20.0)  # From 250 deg: towards 70 deg, clockwise from north.
    assert np.isnan(found.height[2]) and np.isnan(found.direction[2])
    field.close()


def test_a_mean_period_becomes_that_of_the_peak(tmp_path):
    field = open_wave_field(wave_file(tmp_path / 'waves.nc', ('swh', 'mwp', 'mwd')), HERE, 3.3)
    period = float(field.at(0.0, np.zeros(1), np.zeros(1)).period[0])
    assert energy_period(period, 3.3) == pytest.approx(4.0)
    field.close()


def test_named_variables(tmp_path):
    path = wave_file(tmp_path / 'waves.nc', ('a', 'b', 'c'), a='m', b='s', c='degree')
    field = open_wave_field(path, {**HERE, 'variables': ['a', 'b', 'c']}, 3.3)
    assert math.degrees(float(field.at(0.0, np.zeros(1), np.zeros(1)).direction[0])) == pytest.approx(20.0)
    field.close()


@pytest.mark.parametrize(('names', 'units', 'options', 'words'), [
    (('VHM0', 'other', 'VMDR'), {}, {}, ['holds no period of waves', 'VTPK', 'There are: VHM0, other, VMDR']),
    (('VHM0', 'VTPK', 'VMDR'), {'VHM0': 'ft'}, {}, ['VHM0 is in ft', 'must be in m']),
    (('VHM0', 'VTPK', 'VMDR'), {}, {'variables': ['VHM0', 'VTPK']}, ['must be three of'])])
def test_what_is_no_sea_state_is_refused(tmp_path, names, units, options, words):
    path = wave_file(tmp_path / 'waves.nc', names, **units)
    with pytest.raises(InputError) as found:
        open_wave_field(path, {**HERE, **options}, 3.3)
    for word in (*words, 'waves.nc'):
        assert word in str(found.value)
