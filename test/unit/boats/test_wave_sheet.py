"""The coefficients of added resistance in a boat's file."""

import math
from pathlib import Path

import pytest

from usv_energy.boats.boat_file import read_boat, wave_coefficients_from
from usv_energy.files.errors import InputError

GOOD = {'source': 's', 'directions_deg': [0, 90, 180], 'periods': [1.5, 3], 'coefficients': [[9, 8], [1, 0], [-3, -2]]}


def test_directions_are_radians_and_rows_are_kept():
    found = wave_coefficients_from(GOOD, Path('b.yaml'))
    assert found.directions == pytest.approx((0.0, 0.5 * math.pi, math.pi)) and found.periods == (1.5, 3.0)
    assert found.rows == ((9.0, 8.0), (1.0, 0.0), (-3.0, -2.0)) and found.errors is None


def test_standard_errors_are_kept_in_the_same_rows():
    found = wave_coefficients_from({**GOOD, 'std': [[1, 2], [3, 4], [5, 6]]}, Path('b.yaml'))
    assert found.errors == ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))


@pytest.mark.parametrize(('change', 'message'), [
    ({'directions_deg': [0, 180, 90]}, r'b\.yaml: waves\.directions_deg is \[0\.0, 180\.0, 90\.0\] deg; must rise'),
    ({'directions_deg': [0, 90, 200]}, r'must be from 0 \(waves from ahead\) to 180'),
    ({'periods': [3, 1.5]}, r'waves\.periods is \[3\.0, 1\.5\] s; must rise'),
    ({'coefficients': [[9, 8], [1, 0]]}, r'must be a row for each of 3 directions'),
    ({'std': [[9, 8], [1, 0]]}, r'waves\.std has rows of 2, 2 numbers; must be a row for each of 3 directions'),
    ({'coefficients': [[9, 8], [1], [-3, -2]]}, r'with a number for each of 2 periods'),
    ({'coefficients': [[9, 8], [1, math.nan], [-3, -2]]}, r'no number; must be finite')])
def test_what_does_not_go_together_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        wave_coefficients_from({**GOOD, **change}, Path('b.yaml'))


def test_a_file_without_a_source_is_refused(tmp_path):
    (tmp_path / 'b.yaml').write_text('base: lutra_prop\nname: b\n'
                                     'waves: {directions_deg: [0], periods: [2], coefficients: [[5]]}\n')
    with pytest.raises(InputError, match=r'waves.*source'):
        read_boat(str(tmp_path / 'b.yaml'))
    assert read_boat('lutra_prop').waves is None and read_boat('otter_parts').waves is not None
