"""A cell is found again from what it was made to measure, and a real one tells discharges it has not seen."""

from pathlib import Path

import numpy as np
import pytest
from made_cell import CELL, write_tables
from needs import WITHIN_A_MINUTE
from places import DATA

from usv_energy.boats.cell_file import cell_from, read_cell, table_cell
from usv_energy.identify.cells.cell_fit import fit_cell
from usv_energy.identify.cells.cell_identification import (
    base_of,
    cell_document,
    course_error,
    identify_cell,
    interval,
)
from usv_energy.identify.cells.cell_recordings import CellColumns, read_recordings

REAL = DATA / 'battery'
pytestmark = WITHIN_A_MINUTE


@pytest.fixture(scope='module')
def found(tmp_path_factory):
    recordings = read_recordings(write_tables(tmp_path_factory.mktemp('made')), CellColumns())
    return identify_cell(recordings, read_cell('nmc'))


def test_a_made_cell_is_found_again(found):
    """Its capacity and its resistance to a pulse of 10 s within 2 %; what it tells within 1 % of energy and 10 mV."""
    assert interval(found.fit, 'capacity')[0] == pytest.approx(CELL.capacity, rel=0.02)
    for error in found.seen:
        assert abs(error.energy) < 0.01 and abs(error.runtime) < 0.01 and error.volts < 0.010


def test_a_made_cell_tells_what_it_has_not_seen(found):
    """The discharge at 2 A, by a fit to those at 0.4, 4 and, in the cold, 1 A."""
    left, others = found.recordings.discharges[1], [found.recordings.discharges[n] for n in (0, 2, 3)]
    error = course_error(left, fit_cell(found.recordings.pulses, others, base_of(found.recordings,
                                                                               read_cell('nmc'))).cell)
    assert found.left_out == ()
    assert abs(error.energy) < 0.01 and abs(error.runtime) < 0.01 and error.volts < 0.020


def test_the_file_of_it_is_the_cell(found):
    file = cell_from(cell_document(found, read_cell('nmc'), 'made', {}), Path('made.yaml'))
    cell = table_cell(file)
    assert cell.capacity == pytest.approx(found.fit.cell.capacity, rel=1e-5)
    np.testing.assert_allclose(cell.resistance, found.fit.cell.resistance, rtol=1e-4)
    for run, error in zip(found.recordings.discharges, found.seen):
        assert course_error(run, cell).energy == pytest.approx(error.energy, abs=1e-3)


@pytest.mark.skipif(not REAL.is_dir(), reason=f'the LG M50 of {REAL} is not there')
def test_the_lg_m50_tells_rates_and_temperatures_it_has_not_seen():
    """
    Of a fit without each discharge: at 25 degC and 45 degC energy and time to 2.5 V within 3 %, at 0 and 10 degC 6 %.

    Voltage within 40 mV (root mean square, 5 to 95 % of the charge). The limits are issue 16's.
    """
    found = identify_cell(read_recordings(sorted(REAL.glob('lgm50*.csv')), CellColumns()), read_cell('nmc'), True)
    assert len(found.left_out) == 7 and len(found.recordings.pulses) == 18
    for error in found.left_out:
        most = 0.06 if '_0C_' in error.name or '_10C_' in error.name else 0.03
        assert abs(error.energy) < most and abs(error.runtime) < most and error.volts < 0.040, error
