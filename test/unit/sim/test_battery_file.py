"""A simulated battery along a run, written and read back exactly; errors name the line."""

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.sim.run_files import CellsSample, read_battery, write_battery

SAID = [CellsSample(0.0, 16.1, 0.0, 1.0, 298.15), CellsSample(0.1, 15.83333333333333, 12.5, 0.9991, 298.2)]


def test_what_is_written_is_read_back_with_kelvin_and_the_file_has_celsius(tmp_path):
    path = tmp_path / 'battery.csv'
    write_battery(SAID, path)
    trace = read_battery(path)
    for name in ('time', 'voltage', 'current', 'charge'):
        assert getattr(trace, name).tolist() == [getattr(one, name) for one in SAID]
    np.testing.assert_allclose(trace.temperature, [298.15, 298.2], rtol=1e-15)
    assert path.read_text().splitlines()[:2] == ['time_s,voltage_v,current_a,charge,temperature_degc',
                                                 '0.0,16.1,0.0,1.0,25.0']
    write_battery([], path)
    assert read_battery(path).time.size == 0


@pytest.mark.parametrize(('old', 'new', 'words'), [
    ('current_a', 'amps', "line 1: has no column 'current_a'"),
    ('12.5', 'twelve', "line 3: column 'current_a' is 'twelve'; must be a number")])
def test_what_is_wrong_is_named(old, new, words, tmp_path):
    path = tmp_path / 'battery.csv'
    write_battery(SAID, path)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError, match=words):
        read_battery(path)
