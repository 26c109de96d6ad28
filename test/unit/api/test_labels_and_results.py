"""xarray, pandas and numpy in, the same out; and what every result can do: text, tables, HTML, pictures."""

import copy
import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from result_checks import check_pictures, check_tables

import usv_energy

NEEDS = ('xarray', 'pandas')
SPEED, CURRENT = np.array([0.5, 1.0, 1.5]), np.array([0.0, 0.2])


@pytest.fixture(scope='module')
def table():
    """Powers of three speeds in two currents, one call each."""
    return np.array([[usv_energy.power('lutra_prop', u=u, current=(c, 0.0)).total for c in CURRENT] for u in SPEED])


@pytest.fixture(scope='module')
def results(tmp_path_factory):
    """One result of each kind, made as a user makes it."""
    folder = tmp_path_factory.mktemp('results')
    time = np.arange(0.0, 40.0, 0.5)
    log = usv_energy.log_of({'time': time, 'x': 0.8 * time, 'y': 0.0 * time, 'yaw': 0.0 * time, 'u': 0.0 * time + 0.8,
                             'v': 0.0 * time, 'r': 0.0 * time})
    still = {'current': (0.0, 0.0), 'wind': (0.0, 0.0)}
    analysed = usv_energy.analyze_log(log, 'lutra_prop', **still)
    pulls = folder / 'pulls.csv'
    pulls.write_text('pwm_us,pull_n\n1500,0\n1553,16.46\n1600,17.93\n1700,22.54\n')
    boat = usv_energy.fit_out('blueboat', battery='4S 15.6Ah NMC')
    motion = usv_energy.power('lutra_prop', u=np.ones(3))
    return {
        'power': motion, 'energy': usv_energy.energy([0.0, 1.0, 2.0], motion), 'log': log, 'analysis': analysed,
        'comparison': usv_energy.compare([analysed, usv_energy.analyze_log(log, 'otter', **still)]),
        'run': usv_energy.run_scenario('1'), 'range': usv_energy.range_study('blueboat'),
        'mission': usv_energy.mission('3', 'blueboat'), 'check': usv_energy.check_boat('lutra_prop'),
        'route': usv_energy.route('blueboat', (0.0, 0.0), (60.0, 0.0)),
        'made': usv_energy.make_boat({'hull': {'kind': 'catamaran', 'length': 1.2, 'width': 0.93}, 'mass': 18.0,
                                      'speeds': [[1.5, 90.0]]}),
        'discharge': usv_energy.discharge(boat, power=200.0), 'fit': usv_energy.identify_bollard([pulls])}


KINDS = ('power', 'energy', 'log', 'analysis', 'comparison', 'run', 'range', 'mission', 'check', 'route', 'made',
         'discharge', 'fit')


# ---- every result

@pytest.mark.parametrize('kind', KINDS)
def test_a_result_is_read_only_down_to_its_arrays_and_equals_a_copy(results, kind):
    """Arrays of records in it, too; what it was made of stays the caller's."""
    result = results[kind]
    names = getattr(result, '_fields', None) or [one.name for one in dataclasses.fields(result)]
    found = list(arrays_in([getattr(result, name) for name in names]))
    assert found or kind in ('energy', 'comparison', 'run', 'made', 'fit')
    for array in found:
        with pytest.raises(ValueError, match='read-only'):
            array[...] = 9.0
    with pytest.raises(AttributeError):
        setattr(result, names[0], None)
    other = copy.copy(result)
    assert (result == other, result != other, result == 1, len({result, other})) == (True, False, False, 1)


def arrays_in(values):
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from arrays_in(value)


def test_results_of_other_numbers_are_others():
    speeds = np.array([0.5, np.nan])
    power, again, faster = (usv_energy.power('lutra_prop', u=u) for u in (speeds, speeds.copy(), speeds + 0.1))
    assert power == again and power != faster
    labelled, alike, other = (usv_energy.power('lutra_prop', u=pd.Series(k * speeds, [1, 2])) for k in (1.0, 1.0, 2.0))
    assert labelled == alike and labelled != other


def test_what_a_result_is_made_of_stays_writeable():
    time, u = np.arange(3.0), np.ones(3)
    power = usv_energy.power('lutra_prop', u=u)
    still = dict.fromkeys(('y', 'yaw', 'v', 'r'), np.zeros(3))
    log = usv_energy.log_of({'time': time, 'x': time, 'u': u, **still})
    u[:] = time[:] = 0.0
    assert not power.u_r.flags.writeable and not log.u.flags.writeable


# ---- labels

def test_numpy_broadcasts_speeds_over_currents(table):
    power = usv_energy.power('lutra_prop', u=SPEED[:, None], current=(CURRENT, 0.0))
    np.testing.assert_allclose(power.total, table, rtol=1e-14)
    assert power.to_xarray().sizes == {'motion': 6}


def test_data_arrays_broadcast_by_name_and_come_back_with_units(table):
    u = xr.DataArray(SPEED, dims='speed', coords={'speed': SPEED}, attrs={'units': 'm s-1'})
    power = usv_energy.power('lutra_prop', u=u, current=(xr.DataArray(CURRENT, dims='current'), 0.0))
    assert power.total.dims == ('speed', 'current') and power.total.attrs['units'] == 'W'
    np.testing.assert_allclose(power.total.sel(speed=1.0), table[1], rtol=1e-14)
    data = power.to_xarray()
    assert data.u_r.attrs['units'] == 'm s-1' and data.sizes == {'speed': 3, 'current': 2}


def test_series_come_back_with_their_index_and_units(table):
    index = pd.date_range('2026-06-01', periods=3, freq='1s')
    power = usv_energy.power('lutra_prop', u=pd.Series(SPEED, index), current=(0.2, 0.0))
    assert power.total.index.equals(index) and power.total.attrs['units'] == 'W'
    np.testing.assert_allclose(power.total, table[:, 1], rtol=1e-14)
    assert power.to_dataframe().index.equals(index)
    energy = usv_energy.energy(index, power)
    assert energy.total == pytest.approx(0.5 * (table[0, 1] + 2.0 * table[1, 1] + table[2, 1]), rel=1e-12)


@pytest.mark.parametrize(('given', 'says'), [
    ({'u': pd.Series([1.0, 2.0]), 'v': pd.Series([1.0, 2.0], [3, 4])}, 'v has another index than u'),
    ({'u': pd.Series([1.0, 2.0]), 'v': xr.DataArray([0.0, 0.0], dims='x')}, 'must be of one kind'),
    ({'u': xr.DataArray([1.0], dims='x', attrs={'units': 'kn'})}, "u has the units 'kn'; must be m/s"),
    ({'u': xr.DataArray([1.0, 2.0], dims='x', coords={'x': [0, 1]}),
      'v': xr.DataArray([1.0, 2.0], dims='x', coords={'x': [1, 2]})}, 'different coordinates'),
    ({'u': xr.DataArray([1.0, 2.0], dims='x'), 'v': [1.0, 2.0, 3.0]}, r'v has the shape \(3,\)'),
    ({'u': pd.Series([1.0, 2.0]), 'v': np.ones((3, 2))}, 'has more dimensions'),
    ({'u': pd.DataFrame({'u': [1.0, 2.0]})}, r'u is a DataFrame; must be .* a Series \(one of its columns\)')])
def test_labels_that_do_not_fit_are_refused(given, says):
    with pytest.raises(usv_energy.InputError, match=says):
        usv_energy.power('lutra_prop', **given)


def test_a_log_of_a_dataframe_is_that_of_its_arrays(results):
    frame = results['log'].to_dataframe()
    again = usv_energy.log_of(frame)
    np.testing.assert_array_equal(again.u, results['log'].u)
    dated = frame.set_axis(pd.Timestamp('2026-06-01') + pd.to_timedelta(frame.index, unit='s')).rename_axis('time')
    np.testing.assert_allclose(usv_energy.log_of(dated).time, again.time, atol=1e-9)
    assert usv_energy.log_of(results['log'].to_xarray()).duration == again.duration


def test_moments_of_a_zone_count_as_their_own_seconds(results):
    """In UTC, and across the hour that Berlin's clocks are put back on 25 October 2026."""
    power = usv_energy.power('lutra_prop', u=np.ones(3))
    plain = usv_energy.energy([0.0, 3600.0, 7200.0], power, max_gap=3601.0).total
    for zone in (None, 'UTC', 'Europe/Berlin'):
        index = pd.date_range('2026-10-25T00:30', periods=3, freq='h', tz='UTC').tz_convert(zone)
        for time in (index, pd.Series(index), index.to_pydatetime().tolist()):
            assert usv_energy.energy(time, power, max_gap=3601.0).total == plain
        log = usv_energy.log_of(pd.DataFrame({'u': np.ones(3)}, index.rename('time')), max_gap=3601.0)
        assert log.time.tolist() == [0.0, 3600.0, 7200.0]


@pytest.mark.filterwarnings('error')
def test_what_is_not_known_is_shown_without_a_warning():
    from matplotlib.figure import Figure
    for u in (math.nan, [math.nan, math.nan], [math.nan, 1.0]):
        power = usv_energy.power('lutra_prop', u=u)
        assert 'total' in repr(power)
        power.plot(Figure().subplots())


# ---- results

@pytest.mark.parametrize('kind', KINDS)
def test_a_result_fits_a_screen_and_has_labelled_tables(results, kind):
    check_tables(results[kind])


@pytest.mark.parametrize('kind', KINDS)
def test_a_result_is_drawn_into_the_axes_that_are_given(results, kind):
    result = results[kind]
    check_pictures(result)
    for wrong in ('no such picture', [], {}, np.ones(2)):
        with pytest.raises(usv_energy.InputError, match='panel is'):
            result.plot(panel=wrong)
    for wrong in ('a', [], 1):
        with pytest.raises(usv_energy.InputError, match=r'axes is .* must be one Axes of matplotlib'):
            result.plot(wrong)


def test_what_a_result_says_is_in_its_table(results):
    legs = results['mission'].to_xarray()
    assert float(legs.energy_total.sum()) == pytest.approx(results['mission'].energy, rel=1e-12)
    assert float(results['run'].to_xarray().energy[-1]) == pytest.approx(results['run'].energy.total, rel=1e-12)
    route = results['route'].to_dataframe()
    assert route['energy'].iloc[-1] - route['energy'].iloc[0] == pytest.approx(results['route'].route_energy)
    curve = results['range'].to_xarray()
    np.testing.assert_allclose(curve.endurance * curve.speed, curve.range, rtol=1e-9)
    runs = results['comparison'].to_xarray()
    np.testing.assert_allclose(runs.energy, [run['energy_j'] for run in results['comparison'].runs])
    causes = results['energy'].to_dataframe()['energy']
    parts = causes.drop(['total', 'thrust']).sum()
    assert parts == pytest.approx(causes['total'], rel=1e-12)


def test_what_is_read_is_one_line_with_its_name(results):
    assert len(repr(usv_energy.read_boat('otter_parts'))) < 250 and '\n' not in repr(results['check'].boat)
    for one, says in ((usv_energy.read_plan('3'), '1 item,'), (usv_energy.read_scenario('3'), 'lutra_prop'),
                      (usv_energy.read_flow('river'), 'water')):
        text = repr(one)
        assert text.startswith(f'<{type(one).__name__} {one.name}: ') and says in text and len(text) < 250
        assert '\n' not in text and text.endswith(f'; {one.path}>')


def test_names_in_html_are_escaped():
    log = usv_energy.log_of({'time': [0.0, 1.0, 2.0], 'u': [1.0, 1.0, 1.0]}, name='<script>alert(1)</script>')
    assert '<script>' not in log._repr_html_()


# ---- batteries

def test_a_counter_of_watt_hours_lasts_energy_over_power():
    found = usv_energy.discharge(usv_energy.fit_out('blueboat', battery='100 Wh', charge=0.5), power=20.0)
    assert found.duration == pytest.approx(0.5 * 100.0 * 3600.0 / 20.0, rel=1e-12)
    assert found.energy[-1] == pytest.approx(180_000.0, rel=1e-9) and math.isnan(found.temperature[0])


def test_cells_give_less_in_the_cold_and_charge_is_current_times_time():
    boat = usv_energy.fit_out('blueboat', battery='4S 15.6Ah NMC')
    warm, cold = (usv_energy.discharge(boat, current=10.0, ambient_degc=degc) for degc in (25.0, 0.0))
    assert cold.energy[-1] < warm.energy[-1]
    assert warm.duration * 10.0 / 3600.0 == pytest.approx(15.6, rel=0.03)


# ---- progress, fits

def test_progress_is_told_and_ends_whole():
    told = []
    usv_energy.run_sweep('6', {'current.speed': [0.0, 0.1]}, progress=lambda done, number: told.append((done, number)))
    assert told[-1] == (2, 2)


def test_analyses_and_comparisons_tell_each_step(results):
    told = []
    usv_energy.analyze_log(results['log'], 'lutra_prop', progress=lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]
    told.clear()
    usv_energy.compare([results['analysis'], results['analysis']], progress=lambda *done: told.append(done))
    assert told == [(1, 2), (2, 2)]


def test_a_fit_writes_a_boat_and_a_picture(results, tmp_path):
    boat = results['fit'].write(tmp_path / 'mine.yaml')
    assert boat.name == 'mine' and boat.pulse_curves[0] is not None
    np.testing.assert_array_equal(usv_energy.read_boat(boat.path).pulse_curves[0].thrusts, boat.pulse_curves[0].thrusts)
    results['fit'].write_picture(tmp_path / 'pulls.png')
    assert (tmp_path / 'pulls.png').read_bytes()[:4] == b'\x89PNG'
    frame = results['fit'].to_dataframe()
    assert frame.loc['levels.1.pull_n', 'value'] == pytest.approx(16.46)


def test_a_mission_writes_its_page_by_itself(results, tmp_path):
    assert results['mission'].write_page(tmp_path / 'm.html') == tmp_path / 'm.html'
    assert results['mission'].scenario.name in (tmp_path / 'm.html').read_text(encoding='utf-8')
    with pytest.raises(usv_energy.InputError, match='path is 3; must be a name or a path'):
        results['mission'].write_page(3)


def test_a_route_becomes_a_mission_that_costs_what_its_legs_cost(results, tmp_path):
    route = results['route']
    usv_energy.write_plan(route.as_mission(), tmp_path / 'way.yaml')
    study = usv_energy.mission(tmp_path / 'way.yaml', 'blueboat')
    assert float(study.legs.length.sum()) == pytest.approx(60.0, rel=1e-6)
    assert study.time == pytest.approx(route.legs.duration, rel=0.1)


def test_what_a_masked_array_hides_is_unknown():
    found = usv_energy.power('lutra_prop', u=np.ma.array([1.0, 2.0], mask=[False, True])).total
    assert found[0] == usv_energy.power('lutra_prop', u=1.0).total and np.isnan(found[1])
