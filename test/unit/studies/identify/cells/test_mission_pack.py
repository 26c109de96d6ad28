"""From a log to the pack's age in a boat file, and what is refused."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import trapezoid

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.files.errors import InputError
from usv_energy.studies.identify.cells import mission_fit
from usv_energy.studies.identify.cells.cell_recordings import CellColumns
from usv_energy.studies.identify.cells.cell_report import pack_summary, pack_text
from usv_energy.studies.identify.cells.mission_fit import (
    FACTORS,
    FoundNumber,
    MissionCourse,
    PackFit,
    found_numbers,
    identify_pack,
    mission_run,
    pack_document,
    run_of_log,
    run_of_table,
    why_not,
)

CELLS = 'base: lutra_prop\nname: four\nbattery: {chemistry: nmc, series: 4, capacity_ah: 10, capacity_wh: null, ' \
        'resistance_factor: 1.2}\n'
TIME = np.arange(0.0, 900.0)
CURRENT = 5.0 + 3.0 * np.sin(0.1 * TIME)


@pytest.fixture
def boat(tmp_path):
    (tmp_path / 'cells.yaml').write_text(CELLS)
    return read_boat(str(tmp_path / 'cells.yaml'))


@pytest.fixture
def run():
    return mission_run('mission.csv', TIME, CURRENT, 15.0 - 0.05 * CURRENT, 298.15)


def found_of(boat, run, capacity_told):
    one = FoundNumber(1.5, 1.4, 1.6, True)
    factors = {name: one for name in FACTORS} | {'capacity': FoundNumber(0.9, 0.7, 1.1, capacity_told)}
    course = MissionCourse(run.name, run.time, run.voltage, run.voltage, 0.9 - 0.1 * run.time / run.time[-1])
    return PackFit(factors, one.times(0.1), one, FoundNumber(0.9, 0.88, 0.92, True),
                   factors['capacity'].times(36000.0), 0.01, 1.0, boat.pack, course)


def test_what_is_told_goes_into_a_boat_file_times_what_stood_there(boat, run, tmp_path):
    made = write_boat(pack_document(found_of(boat, run, False), boat, 'aged', {'date': '1'}), tmp_path / 'aged.yaml')
    assert made.pack.resistance_factor == pytest.approx(1.2 * 1.5) and made.pack.capacity_share == 1.0
    both = write_boat(pack_document(found_of(boat, run, True), boat, 'aged', {}), tmp_path / 'both.yaml')
    assert both.pack.capacity_share == pytest.approx(0.9)


def test_the_text_says_what_the_log_does_not_tell_and_why(boat, run):
    summary = pack_summary(found_of(boat, run, False), run, boat)
    assert summary['numbers']['capacity_ah']['told'] is False
    assert '14 % of the capacity, were drawn' in why_not('capacity', run, found_of(boat, run, False))
    text = pack_text(summary)
    assert 'What the log does not tell:' in text and 'capacity: 1.26 Ah' in text
    assert 'not tell' not in pack_text(pack_summary(found_of(boat, run, True), run, boat))


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_table_of_either_sign_is_read(sign, boat, tmp_path):
    path = tmp_path / 'table.csv'
    rows = np.column_stack([TIME, sign * CURRENT, 15.0 - 0.05 * CURRENT])
    rows[100:110, 1], rows[100:110, 2] = 0.0, 15.0
    rows[200:202, 2] = 1e300, 0.0     # Damaged: they do not say the sign.
    np.savetxt(path, rows, delimiter=',', header='time_s,current_a,voltage_v', comments='')
    run = run_of_table(path, CellColumns(), boat)
    assert run.drawn > 0.0 and run.ambient == boat.ambient and 'no battery has: 0 V, 1e+300 V' in run.notes[0]
    assert run_of_table(path, CellColumns(time='t'), boat) is None
    assert run_of_table(Path('mission.mcap'), CellColumns(), boat) is None
    assert run_of_table(path.rename(tmp_path / 'table.txt'), CellColumns(), boat) is None, 'it is not called a table'
    path.mkdir()
    assert run_of_table(path, CellColumns(), boat) is None, 'a folder'


def test_a_counter_and_another_number_of_cells_are_refused(boat, run, tmp_path):
    with pytest.raises(InputError, match='its battery is of watt-hours alone'):
        identify_pack(run, read_boat('lutra_prop'))
    six = run._replace(voltage=run.voltage * 1.5)
    with pytest.raises(InputError, match='another number of cells in series'):
        identify_pack(six, boat)


def test_the_voltage_in_the_middle_must_be_one_of_so_many_cells(boat, run, monkeypatch):
    """From four fifths of the cutoff to a twentieth above a full cell: four cells of 2.5 to 4.2 V."""
    monkeypatch.setattr(mission_fit, 'fit_mission', lambda run, pack, ocv_std: (run, pack, ocv_std))
    for middle, taken in ((7.99, False), (8.01, True), (17.63, True), (17.65, False)):
        odd = run._replace(voltage=np.append(np.full(len(run.time) - 1, middle), 99.0))
        if taken:
            assert identify_pack(odd, boat, 0.03) == (odd, boat.pack, 0.03)
        else:
            with pytest.raises(InputError, match=f'is {middle:.2f} V in the middle; .* from 8.0 to 17.6 V'):
                identify_pack(odd, boat)


def test_volts_and_amperes_of_a_log_or_of_a_simulated_battery_are_read(boat):
    def log(cells, **known):
        return SimpleNamespace(path='some.csv', time=TIME, cells=cells, known=lambda name: name in known, **known)

    volts = 15.0 - 0.05 * CURRENT
    trace = SimpleNamespace(time=TIME, current=2.0 * CURRENT, voltage=volts)
    measured = run_of_log(log(trace, volts=volts, amperes=CURRENT), boat, 5.0)
    np.testing.assert_array_equal(measured.current, CURRENT)
    assert measured.ambient == pytest.approx(278.15) and measured.name == 'some.csv'
    simulated = run_of_log(log(trace), boat)
    np.testing.assert_array_equal(simulated.current, 2.0 * CURRENT)
    assert simulated.ambient == boat.ambient
    with pytest.raises(InputError, match='has no amperes of the battery'):
        run_of_log(log(None, volts=volts), boat)


def test_a_table_whose_voltage_stays_says_nothing_of_the_sign_and_its_ambient_may_be_told(boat, tmp_path):
    path = tmp_path / 'table.csv'
    for volts, words in ((15.0 + 0.0 * TIME, 'does not change with the current'), (15.0 - 0.05 * CURRENT, '')):
        np.savetxt(path, np.column_stack([TIME, CURRENT, volts]), delimiter=',', header='time_s,current_a,voltage_v',
                   comments='')
        if words:
            with pytest.raises(InputError, match=words):
                run_of_table(path, CellColumns(), boat)
        else:
            assert run_of_table(path, CellColumns(), boat, -3.0).ambient == pytest.approx(270.15)


def test_the_file_has_intervals_and_what_the_fit_was_off_by_and_why_is_said_in_figures(boat, run):
    found = found_of(boat, run, True)
    document = pack_document(found, boat, 'aged', {'date': '1'})
    assert document['battery']['resistance_factor']['interval'] == [1.68, 1.92]
    assert document['battery']['capacity_share'] | {'source': ''} == {
        'value': 0.9, 'unit': '-', 'interval': [0.7, 1.1], 'source': ''}
    assert document['identification']['battery'] == {'date': '1', 'voltage_rms_v': 0.01, 'charge_at_start': 0.9}
    drawn = float(trapezoid(CURRENT, TIME))
    assert f'{drawn / 3600.0:.2f} Ah, {100.0 * drawn / 32400.0:.0f} %' in why_not('capacity', run, found)
    assert f'changes by {np.diff(CURRENT).std():.2g} A' in why_not('resistance', run, found)
    unsure = FoundNumber(1.5, 1.4, 1.6, False)
    none = found._replace(pulse_factor=unsure, factors=found.factors | {'capacity': unsure})
    with pytest.raises(InputError, match='tells neither resistance nor capacity'):
        pack_document(none, boat, 'aged', {})
    assert list(found_numbers(found))[:3] == ['pulse', 'charge', 'capacity']
    assert set(found_numbers(found)) == {'pulse', 'charge', *FACTORS} - {'heat_capacity', 'conductance'}


def test_the_voltage_of_a_mission_may_be_from_four_fifths_of_empty_to_a_twentieth_above_full(boat, run, monkeypatch):
    monkeypatch.setattr(mission_fit, 'fit_mission', lambda run, pack, ocv_std: float(np.median(run.voltage)))
    cell = boat.pack.cell
    low, high = 4.0 * (0.8 * cell.cutoff_voltage), 4.0 * (1.05 * cell.full_voltage)
    for volts in (low, high):
        assert identify_pack(run._replace(voltage=np.full(run.time.size, volts)), boat) == volts
    for volts in (np.nextafter(low, 0.0), np.nextafter(high, 99.0)):
        with pytest.raises(InputError, match=f'must be from {low:.1f} to {high:.1f} V'):
            identify_pack(run._replace(voltage=np.full(run.time.size, volts)), boat)
