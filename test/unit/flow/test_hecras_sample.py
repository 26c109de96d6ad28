import numpy as np
import pytest

from usv_energy.flow.formats.hecras_reader import HecRasFlow, recognises
from usv_energy.flow.sample_files import MeanderingRiver, face_velocities, river_mesh, write_hecras

RIVER = MeanderingRiver(length=240.0, origin=(4000.0, 9000.0), steps=5, interval=600.0)


def in_the_river(river, rng, count=3000):
    x = rng.uniform(0.0, river.length, count)
    n = rng.uniform(-0.4, 0.4, count) * river.width
    return river.origin[0] + x, river.origin[1] + n + river.amplitude * np.sin(2 * np.pi * x / river.wavelength)


def test_the_river_conserves_water(rng):
    """u = dpsi/dy, v = -dpsi/dx, by central differences; and still at the banks."""
    x, y = in_the_river(RIVER, rng)
    h = 1e-3
    u, v = RIVER.velocity(900.0, x, y)
    stream = RIVER.stream
    np.testing.assert_allclose(u, (stream(900.0, x, y + h) - stream(900.0, x, y - h)) / (2 * h), atol=1e-6)
    np.testing.assert_allclose(v, (stream(900.0, x - h, y) - stream(900.0, x + h, y)) / (2 * h), atol=1e-6)
    np.testing.assert_allclose(RIVER.velocity(0.0, 4000.0, 9030.0), 0.0, atol=1e-15)
    assert RIVER.velocity(0.0, 4000.0, 9000.0)[0] == pytest.approx(RIVER.speed)


def test_as_much_flows_into_a_cell_as_out_of_it():
    mesh = river_mesh(RIVER.length, RIVER.width, RIVER.land, RIVER.cell, RIVER.seed, None,
                      lambda x: RIVER.amplitude * np.sin(2 * np.pi * x / RIVER.wavelength)).moved(*RIVER.origin)
    through = face_velocities(RIVER, mesh, 600.0) * mesh.length
    net = np.bincount(mesh.face_cells[:, 0], through, len(mesh.centres))
    net -= np.bincount(mesh.face_cells[:, 1], through, len(mesh.centres))
    np.testing.assert_allclose(net[:mesh.real], 0.0, atol=1e-12)
    assert abs(through).max() > 3.0


@pytest.mark.parametrize('kind, limit', [('face', 0.02), ('cell', 0.02), ('node', 0.01), ('old_node', 0.01)])
def test_what_is_written_is_read_back(tmp_path, rng, kind, limit):
    """Cells of 6 m, a shear of up to 0.05 1/s: errors of some cm/s at most."""
    path = tmp_path / 'river.p01.hdf'
    write_hecras(path, RIVER, kind)
    assert recognises(path)
    flow = HecRasFlow(path, {})
    x, y = in_the_river(RIVER, rng)
    for time in (0.0, 600.0, 900.0, 2400.0):
        vx, vy, inside = flow.velocity(time, x, y)
        assert inside.all()
        u, v = RIVER.velocity(time, x, y)
        assert np.sqrt(((vx - u) ** 2 + (vy - v) ** 2).mean()) < limit
    flow.close()


def test_the_land_is_dry_until_the_water_rises(tmp_path):
    path = tmp_path / 'river.p01.hdf'
    write_hecras(path, RIVER._replace(period=4800.0))
    flow = HecRasFlow(path, {})
    x, y = np.full(2, 4120.0), np.array([9010.0, 9030.0]) + 30.0 * np.sin(2 * np.pi * 120.0 / 600.0) + (0.0, 10.0)
    assert flow.velocity(0.0, x, y)[2].tolist() == [True, False]
    assert flow.velocity(1200.0, x, y)[2].tolist() == [True, True]     # the highest level: 12 m of land are wet
    assert flow.velocity(900.0, x, y)[2].tolist() == [True, True]
    assert flow.velocity(300.0, x, y)[2].tolist() == [True, False]     # wet at one of the two steps only
    flow.close()


def test_the_pier_is_a_hole(tmp_path):
    path = tmp_path / 'river.p01.hdf'
    write_hecras(path, RIVER._replace(pier=(120.0, 30.0 * np.sin(0.4 * np.pi), 9.0)))
    flow = HecRasFlow(path, {})
    y = 9000.0 + 30.0 * np.sin(0.4 * np.pi)
    vx, vy, inside = flow.velocity(0.0, np.array([4120.0, 4150.0]), np.array([y, y]))
    assert inside.tolist() == [False, True] and np.isnan(vx[0]) and np.isnan(vy[0])
    assert len(flow.outline()) == 2
    flow.close()


def test_rashdf_reads_it_as_we_do(tmp_path):
    rashdf = pytest.importorskip('rashdf', reason='rashdf is an optional library')
    path = tmp_path / 'river.p01.hdf'
    write_hecras(path, RIVER)
    flow = HecRasFlow(path, {})
    with rashdf.RasPlanHdf(str(path)) as plan:
        assert plan.mesh_area_names() == ['River']
        written = plan.mesh_timeseries_output('River', 'Face Velocity').values
    with rashdf.RasGeomHdf(str(path)) as plan:
        cells = plan.mesh_cell_polygons()
    np.testing.assert_array_equal(flow._plan.step(3).face, written[3])
    assert len(cells) == flow.describe()['cells']
    assert flow.describe()['metadata_by'] == 'rashdf'
    flow.close()
