"""Logs by the public Python API, against closed forms of the boat's printed coefficients."""

import numpy as np
import pytest

import usv_energy

M11, D11 = 9.75, 16.296         # kg, N s/m, of lutra_prop as config/boats/lutra_prop.yaml prints it.


@pytest.fixture
def straight_log(tmp_path):
    """A minute at 1 m/s over ground to the east, as a table, and its column map."""
    rows = [f'{0.5 * n},{0.5 * n},0,0,1,0,0' for n in range(121)]
    (tmp_path / 'log.csv').write_text('\n'.join(['t,x,y,yaw,u,v,r', *rows, '']))
    (tmp_path / 'columns.yaml').write_text(
        'columns:\n  time: {column: t, unit: s}\n  x: {column: x, unit: m}\n  y: {column: y, unit: m}\n'
        '  yaw: {column: yaw, unit: rad}\n  u: {column: u, unit: m/s}\n  v: {column: v, unit: m/s}\n'
        '  r: {column: r, unit: rad/s}\nframes: {earth: enu, body: flu}\n')
    return str(tmp_path / 'log.csv'), str(tmp_path / 'columns.yaml')


def test_a_log_at_a_steady_speed_takes_the_closed_form(straight_log):
    pytest.importorskip('xarray')
    path, columns = straight_log
    found = usv_energy.analyze_log(path, 'lutra_prop', columns=columns, current=(0.4, 0.0),
                                   wind=usv_energy.uniform_flow(1.0, 0.0))
    assert found.energy.duration == pytest.approx(60.0)
    assert found.energy.total == pytest.approx(60.0 * D11 * 0.6 ** 2, rel=1e-9)
    assert found.energy.wind == pytest.approx(0.0, abs=1e-9)
    data = usv_energy.to_dataset(found)
    assert data.sizes == {'time': 121}
    assert data.u_r.attrs['units'] == 'm s-1'
    assert data.energy.values[-1] == pytest.approx(found.energy.total, rel=1e-12)


def test_a_log_in_a_flow_from_a_file_and_a_log_that_was_read(straight_log, tmp_path):
    path, columns = straight_log
    (tmp_path / 'flow.yaml').write_text(
        'medium: water\nanalytic: {kind: uniform, speed: 0.4, direction_deg: 0}\n')
    log = usv_energy.read_log(path, columns)
    flow = usv_energy.read_flow(str(tmp_path / 'flow.yaml'))
    found = usv_energy.analyze_log(log, current=flow, wind=(1.0, 0.0))
    assert found.energy.total == pytest.approx(60.0 * D11 * 0.6 ** 2, rel=1e-9)


def test_positions_and_headings_alone_are_a_log_with_velocities():
    time = np.arange(0.0, 60.0, 0.5)
    log = usv_energy.log_of({'time': time, 'x': 0.8 * time, 'y': 0.0 * time, 'yaw': 0.0 * time})
    np.testing.assert_allclose(np.transpose([log.u, log.v, log.r]), np.broadcast_to([0.8, 0.0, 0.0], (120, 3)),
                               atol=1e-12)
    found = usv_energy.analyze_log(log, 'lutra_prop', wind=(0.8, 0.0))
    assert found.energy.total == pytest.approx(59.5 * D11 * 0.8 ** 2, rel=1e-9)


@pytest.mark.parametrize(('series', 'unit', 'right'), [('u', 'kn', 'm/s'), ('yaw', 'deg', 'rad'), ('time', 'min', 's')])
def test_series_in_other_units_are_refused(series, unit, right):
    xarray, pandas = pytest.importorskip('xarray'), pytest.importorskip('pandas')
    time = np.arange(0.0, 60.0, 0.5)
    frame = pandas.DataFrame({'time': time, 'u': 0.0 * time + 0.8, 'yaw': 0.0 * time}).set_index('time')
    frame.attrs['units'] = {'time': 's', 'u': 'm s-1', 'yaw': 'rad'}
    assert usv_energy.log_of(frame).u[5] == usv_energy.power('lutra_prop', u=frame['u']).u_r.iloc[5] == 0.8
    frame.attrs['units'][series] = unit
    data = xarray.Dataset.from_dataframe(frame)
    data[series].attrs['units'] = unit
    for given in (frame, data):
        with pytest.raises(usv_energy.InputError, match=f'^{series} has the units .{unit}.; must be {right}'):
            usv_energy.log_of(given)
    watts = usv_energy.power('lutra_prop', u=[1.0, 1.0])
    with pytest.raises(usv_energy.InputError, match=r"time has the units 'min'; must be s"):
        usv_energy.energy(xarray.DataArray([0.0, 1.0], attrs={'units': 'min'}), watts)
    with pytest.raises(usv_energy.InputError, match=r"speed_over_ground has the units 'kn'; must be m/s"):
        usv_energy.energy([0.0, 1.0], watts, speed_over_ground=xarray.DataArray([1.0, 1.0], attrs={'units': 'kn'}))


def test_a_known_boat_is_found_again_in_its_own_logs(tmp_path):
    from twin_log import twin_log
    rng = np.random.default_rng(3)
    truth = usv_energy.read_boat('lutra_prop')
    logs = [twin_log(truth, rng, f'log{n}', 60.0, noise=(0.0, 0.0, 0.0)) for n in range(2)]
    out = tmp_path / 'found.yaml'
    result = usv_energy.identify_boat(logs, truth, form='linear', currents=False, out=out)
    assert result.numbers
    found = usv_energy.read_boat(str(out))
    assert found.vessel.damping.d11 == pytest.approx(D11, rel=0.02)
    assert found.vessel.inertia.m11 == pytest.approx(M11, rel=0.05)
