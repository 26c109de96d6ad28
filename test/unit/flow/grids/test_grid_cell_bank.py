"""A boat that runs against a bank leaves the flow at the same place in `run` and in `sweep`, whatever the reader."""

import re
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.run_state import LEFT_FLOW
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import raw_flow
from usv_energy.flow.grids.grid import gridded_flow
from usv_energy.flow.readers import open_flow
from usv_energy.flow.sample_files import MeanderingRiver, write_hecras
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

CELL, SPACING = 5.0, 1.5                    # m, of the files and of the sweep's grid
EXTENT = (2.0, -20.0, 98.0, 45.0)           # m, of the sweep's grid: over the bank
RIVER = MeanderingRiver(length=120.0, amplitude=0.0, swing=0.0, rise=0.0, land=24.0, steps=2, interval=3600.0)


def field(first_y, last_wet):
    """Return nodes and a velocity that a grid reproduces exactly, with land north of the last wet row."""
    x, y = np.meshgrid(CELL * np.arange(21), first_y + CELL * np.arange(20))
    wet = y <= last_wet
    return x, y, np.where(wet, 0.2 + 0.0005 * x, np.nan), np.where(wet, 0.05, np.nan)


def in_netcdf(folder):
    xarray = pytest.importorskip('xarray')
    x, y, vx, vy = field(-40.0, 25.0)
    axes = {name: (name, axis, {'units': 'm', 'standard_name': f'projection_{name}_coordinate'})
            for name, axis in (('x', x[0]), ('y', y[:, 0]))}
    sides = {name: (('y', 'x'), side, {'units': 'm s-1'}) for name, side in (('uo', vx), ('vo', vy))}
    xarray.Dataset(sides, axes).to_netcdf(folder / 'flow.nc')
    return folder / 'flow.nc', {}, 27.5     # half a cell beyond the last wet node


def in_esri_ascii(folder):
    _, _, vx, vy = field(-37.5, 27.5)
    head = f'ncols 21\nnrows 20\nxllcorner {-0.5 * CELL}\nyllcorner -40\ncellsize {CELL}\nNODATA_value -9999\n'
    for name, side in (('vx', vx), ('vy', vy)):
        rows = (' '.join(map(repr, row)) for row in np.where(np.isnan(side), -9999.0, side)[::-1].tolist())
        (folder / f'{name}.asc').write_text(head + '\n'.join(rows) + '\n')
    return folder / 'vx.asc', {'kind': 'components', 'unit': 'm/s', 'partner': 'vy.asc'}, 30.0  # an edge of cells


def in_geotiff(folder):
    rasterio = pytest.importorskip('rasterio')
    from rasterio.transform import from_origin
    _, _, vx, vy = field(-37.5, 27.5)
    form = {'driver': 'GTiff', 'width': 21, 'height': 20, 'count': 2, 'dtype': 'float64', 'nodata': -9.0}
    with rasterio.open(folder / 'v.tif', 'w', **form, transform=from_origin(-0.5 * CELL, 60.0, CELL, CELL)) as file:
        file.write(np.nan_to_num(np.array([vx, vy]), nan=-9.0)[:, ::-1])
    return folder / 'v.tif', {'kind': 'components', 'unit': 'm/s'}, 30.0


def in_paraview_csv(folder):
    points = np.array(field(-40.0, 25.0)).reshape(4, -1).T.tolist()
    rows = [f'{x!r},{y!r},10,{vx!r},{vy!r},0' for x, y, vx, vy in points]
    (folder / 'plane.csv').write_text('\n'.join(['Points:0,Points:1,Points:2,U:0,U:1,U:2', *rows]) + '\n')
    return folder / 'plane.csv', {}, 27.5


def in_hec_ras(folder):
    write_hecras(folder / 'river.p01.hdf', RIVER)
    return folder / 'river.p01.hdf', {}, 0.5 * RIVER.width


@pytest.fixture(params=[in_netcdf, in_esri_ascii, in_geotiff, in_paraview_csv, in_hec_ras])
def flow_and_bank(request, tmp_path):
    """Return a flow of a file and the y, m, where its water ends."""
    path, options, bank = request.param(tmp_path)
    flow = raw_flow(path, open_flow(path, options))
    yield flow, bank
    flow.close()


def towards_the_bank(flow):
    """Return a scenario whose boat goes north, against the bank."""
    scenario = read_scenario('6')
    return replace(scenario, start=(50.0, 0.0, 0.5 * np.pi), waypoints=((50.0, 80.0),), current=flow,
                   wind=UniformFlow())


def test_a_run_and_a_sweep_leave_the_flow_within_a_cell_of_the_bank(flow_and_bank):
    flow, bank = flow_and_bank
    scenario = towards_the_bank(flow)
    with pytest.raises(InputError, match='no value') as left:
        run_scenario(scenario)
    run_ends = float(re.search(r'y = (-?[\d.]+)', str(left.value)).group(1))
    assert run_ends == pytest.approx(bank, abs=0.5)             # the first place without water that a step asks for
    results = run_ensemble(cases_of(scenario, 1, current=gridded_flow(flow, EXTENT, SPACING)))
    assert results.outcome.tolist() == [LEFT_FLOW]
    # Half a cell beyond the last wet node of its grid, short of it by a step's way at most.
    assert abs(results.y[0] - bank) < 0.5 * SPACING + 0.1
    assert abs(results.y[0] - run_ends) < SPACING


def test_a_file_and_its_grid_have_the_same_velocity_where_both_have_one(flow_and_bank, rng):
    flow, bank = flow_and_bank
    grid = gridded_flow(flow, EXTENT, SPACING)
    x, y = rng.uniform(EXTENT[0], EXTENT[2], 20000), rng.uniform(EXTENT[1], EXTENT[3], 20000)
    (vx, vy, here), (gx, gy, there) = flow.velocity(0.0, x, y), grid.velocity(0.0, x, y)
    both = here & there
    assert (y[here != there] > bank - SPACING).all() and (y[here != there] < bank + SPACING).all()
    np.testing.assert_array_equal(here, y <= bank)
    # The linear fields are exact on both grids; the river's shear is 4 U / width at its bank, where velocity is held.
    limit = 4.0 * RIVER.speed / RIVER.width * SPACING if 'river' in flow.name else 1e-12
    assert np.hypot(gx - vx, gy - vy)[both].max() < limit
