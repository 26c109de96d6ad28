"""The HEC-RAS reader on files of our own: time, threads, memory, units, versions."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import numpy as np
import pytest
from hecras_files import MESH, RIVER, STEPS, X, Y, asked, change, remove

from usv_energy.files.errors import InputError
from usv_energy.flow.formats.hecras_file import AREAS, SERIES, _date
from usv_energy.flow.formats.hecras_reader import HecRasFlow
from usv_energy.flow.sample_files import write_hecras


def test_time_is_linear_and_ends(plan):
    flow = HecRasFlow(plan, {})
    np.testing.assert_array_equal(flow.times, 300.0 * np.arange(6))
    assert flow.start == datetime(2024, 5, 1)
    (a, _, _), (b, _, _), (c, _, _) = (flow.velocity(t, X, Y) for t in (300.0, 450.0, 600.0))
    np.testing.assert_allclose(b, 0.5 * (a + c), atol=1e-15)
    for t in (-0.001, 1500.001, np.nan, np.inf):
        vx, vy, inside = flow.velocity(t, X, Y)
        assert not inside.any() and np.isnan(vx).all() and np.isnan(vy).all()
    assert flow.velocity(1500.0, X, Y)[2].all()
    flow.close()


def test_continuous_across_cells(plan, rng):
    """Between wet cells two points a micrometre apart differ by no more than a steep shear allows."""
    flow = HecRasFlow(plan, {})
    x, y = rng.uniform(5.0, 115.0, 20000), rng.uniform(10.0, 25.0, 20000)
    a, b = flow.velocity(700.0, x, y), flow.velocity(700.0, x + 1e-6, y + 1e-6)
    assert a[2].all() and b[2].all()
    assert max(abs(a[0] - b[0]).max(), abs(a[1] - b[1]).max()) < 1e-6
    flow.close()


def test_shapes(plan):
    flow = HecRasFlow(plan, {})
    assert [part.shape for part in flow.velocity(0.0, np.empty(0), np.empty(0))] == [(0,)] * 3
    assert [part.shape for part in flow.velocity(0.0, np.full((4, 5), 30.0), np.full((4, 5), 12.0))] == [(4, 5)] * 3
    vx, vy, inside = flow.velocity(0.0, np.full(20, np.nan), np.full(20, 12.0))
    assert inside.dtype == bool and not inside.any() and np.isnan(vx).all() and np.isnan(vy).all()
    with pytest.raises(ValueError, match='one y for each x'):
        flow.velocity(0.0, X, Y[:1])
    flow.close()


def test_threads_get_what_one_gets(plan, rng):
    x, y = rng.uniform(0.0, 120.0, (2, 400)) + np.array([[0.0], [-30.0]])
    times = rng.uniform(0.0, 1500.0, 200).tolist()
    flow = HecRasFlow(plan, {})
    alone = [np.array(flow.velocity(t, x, y)) for t in times]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda t: np.array(flow.velocity(t, x, y)), times))
    np.testing.assert_array_equal(together, alone)
    flow.close()


def test_memory_does_not_grow_with_the_steps(tmp_path, monkeypatch):
    """Python's own memory after a walk through all steps: 10 times the steps, the same to some percent."""
    monkeypatch.setattr('usv_energy.flow.grids.node_steps.BUDGET', 0)     # Else these steps seem small.
    peaks = []
    for steps in (20, 200):
        path = tmp_path / f'{steps}.hdf'
        write_hecras(path, RIVER._replace(steps=steps, cell=4.0))
        flow = HecRasFlow(path, {})
        tracemalloc.start()
        for t in flow.times.tolist():
            flow.velocity(t, X, Y)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        flow.close()
    assert peaks[1] < 1.2 * peaks[0]


@pytest.mark.parametrize('system, projection, foot', [
    ('US Customary', None, 0.3048), ('US Customary', 'PROJCS["x",UNIT["Foot_US",0.3048006096]]', 1200 / 3937)])
def test_feet_become_metres(copy, system, projection, foot):
    def do(file):
        file.attrs['Units System'] = np.bytes_(system)
        if projection:
            file.attrs['Projection'] = np.bytes_(projection)
    expected = asked(copy)
    flow = HecRasFlow(change(copy, do), {})
    vx, vy, inside = flow.velocity(300.0, X * foot, Y * foot)
    np.testing.assert_allclose((vx, vy), np.array(expected[:2]) * foot, rtol=1e-12)
    assert inside.all() and flow.extent[2] == pytest.approx(120.0 * foot)
    assert 'turned to SI' in flow.describe()['units']
    flow.close()


def test_units_are_never_guessed(copy):
    def do(file):
        del file.attrs['Units System']
        del file[f'{STEPS}/Face Velocity'].attrs['Units']
    expected = asked(copy)
    with pytest.raises(InputError, match=r"the file says 'SI Units'"):
        HecRasFlow(copy, {'units': 'us'})
    change(copy, do)
    with pytest.raises(InputError, match='set the option units to si or us'):
        HecRasFlow(copy, {})
    np.testing.assert_array_equal(asked(copy, {'units': 'si'}), expected)


def test_several_areas_need_a_name(copy):
    def do(file):
        file.copy(MESH, f'{AREAS}/Lake')
        file.copy(STEPS, f'{SERIES}/2D Flow Areas/Lake')
    expected = asked(copy)
    change(copy, do)
    with pytest.raises(InputError, match='2 2D areas; set the option area to one of: Lake, River'):
        HecRasFlow(copy, {})
    with pytest.raises(InputError, match="option area: 'Pond' is not in the file; it has: Lake, River"):
        HecRasFlow(copy, {'area': 'Pond'})
    np.testing.assert_array_equal(asked(copy, {'area': 'Lake'}), expected)


def test_a_file_of_an_old_version(copy):
    """Without the tables of attributes, the stamps in ms and the stored normals."""
    expected = asked(copy)
    change(copy, remove(f'{AREAS}/Attributes', f'{MESH}/Faces NormalUnitVector and Length',
                        f'{MESH}/Faces Perimeter Info', f'{SERIES}/Time Date Stamp (ms)'))
    np.testing.assert_allclose(asked(copy), expected, atol=1e-7)
    flow = HecRasFlow(copy, {})
    assert flow.start == datetime(2024, 5, 1)
    assert flow.describe()['metadata_by'] == 'h5py'
    flow.close()


def test_the_stored_normals_say_which_way_counts(copy):
    """Some faces turned about, velocity and normal: the flow stays what it was."""
    expected = asked(copy)

    def do(file):
        normals = file[f'{MESH}/Faces NormalUnitVector and Length']
        normals[::3, :2] = -normals[::3, :2]
        file[f'{STEPS}/Face Velocity'][:, ::3] = -file[f'{STEPS}/Face Velocity'][:, ::3]
    np.testing.assert_allclose(asked(change(copy, do)), expected, atol=1e-12)


@pytest.mark.parametrize('stamp, expected', [
    ('02JAN1900 24:00:00', datetime(1900, 1, 3)), ('02Jan1900 00:05:00:250', datetime(1900, 1, 2, 0, 5, 0, 250000)),
    ('', None), (None, None), ('99XXX1900 00:00:00', None)])
def test_stamps(stamp, expected):
    assert _date(stamp) == expected
