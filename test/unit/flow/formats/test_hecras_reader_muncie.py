"""The reader on a real plan, HEC-RAS 6.1, of the town of Muncie; it lies outside the repository."""


import numpy as np
import pytest
from places import DATA

from usv_energy.flow.formats.hecras_reader import HecRasFlow, recognises

FILE = DATA / 'hecras' / 'Muncie2DOnly_SI.p01.hdf'
PEAK = 48  # the step with the fastest water, by maximum and by root mean square

pytestmark = pytest.mark.skipif(not FILE.exists(), reason=f'no real data: {FILE} (set USV_ENERGY_DATA)')


@pytest.fixture(scope='module')
def muncie():
    flow = HecRasFlow(FILE, {})
    yield flow
    flow.close()


@pytest.fixture(scope='module')
def mesh(muncie):
    return muncie._mesh


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def face_errors(flow, mesh, places=(0.5,), shares=(1.0,)):
    """Return the flow's mean normal velocity over each face less the file's, m/s; NaN where a place is not inside."""
    start, end = (mesh.geometry.points[mesh.geometry.face_points[:, k]] for k in (0, 1))
    through = np.zeros(mesh.faces)
    for place, share in zip(places, shares):
        vx, vy, _ = flow.velocity(flow.times[PEAK], *(start + place * (end - start)).T)
        through += share * (vx * mesh.normals[:, 0] + vy * mesh.normals[:, 1])
    return through - flow._plan.step(PEAK).face


def test_it_is_what_the_readme_says(muncie):
    assert recognises(FILE)
    told = muncie.describe()
    assert (told['cells'], told['ghost_cells'], told['faces'], told['steps']) == (2972, 252, 6776, 49)
    assert told['units'] == 'SI Units' and told['projection'] is None and 'projection' in told['missing']
    assert told['start'] == '1900-01-02T00:00:00' and told['last_s'] == 14400.0
    np.testing.assert_array_equal(muncie.times, 300.0 * np.arange(49))


def test_uniform_flow_on_the_faces_is_returned(mesh, muncie):
    flow = np.array((0.3, -0.7))
    cells = muncie._rebuild.cells(mesh.normals @ flow)[mesh.real]
    assert len(cells) == 2972
    np.testing.assert_allclose(cells - flow, 0.0, atol=1e-10)
    nodes = muncie._rebuild.nodes(mesh.real, mesh.normals @ flow, None, None)
    np.testing.assert_allclose(nodes[np.unique(mesh.triangles.corners)] - flow, 0.0, atol=1e-10)


def test_normal_velocities_at_the_middles_of_faces(muncie, mesh):
    """Nearest-cell gives 0.054. Ours passes through the file's values; only faces that bend depart from them."""
    errors = face_errors(muncie, mesh)
    wet = muncie._plan.step(PEAK).wet[mesh.geometry.face_cells]
    np.testing.assert_array_equal(np.isfinite(errors), wet.any(axis=1))
    assert rms(errors[wet.any(axis=1)]) < 0.005
    np.testing.assert_allclose(errors[wet.all(axis=1)], 0.0, atol=1e-12)


def test_mean_normal_velocities_over_faces(muncie, mesh):
    """What passes through a face is not fitted: 0.044 between wet cells, where the nearest cell's gives 0.104."""
    places, shares = np.polynomial.legendre.leggauss(8)
    errors = face_errors(muncie, mesh, 0.5 * (places + 1.0), 0.5 * shares)
    step = muncie._plan.step(PEAK)
    wet = step.wet[mesh.geometry.face_cells].all(axis=1)
    nearest = (muncie._rebuild.cells(step.face)[mesh.geometry.face_cells[:, 0]] * mesh.normals).sum(axis=1) - step.face
    assert rms(errors[wet]) < 0.05 < 0.1 < rms(nearest[wet])
    assert rms(np.where(np.isfinite(errors), errors, -step.face)) < 0.035  # over all faces, the dry ones as still


def test_a_face_left_out_is_foretold_better_than_by_its_cell(muncie, mesh, rng):
    """What the field knows between its data: 600 faces hidden, 60 at a time."""
    step = muncie._plan.step(PEAK)
    faces = np.flatnonzero(step.wet[mesh.geometry.face_cells].all(axis=1))
    node = np.full(mesh.faces, -1)
    node[mesh.node_face] = np.arange(len(mesh.node_face)) + mesh.cells + len(mesh.geometry.points)
    rebuilt, nearest = [], []
    for hidden in np.array_split(rng.permutation(faces)[:600], 10):
        face = step.face.copy()
        face[hidden] = np.nan
        nodes = muncie._rebuild.nodes(step.wet, face, None, None)
        rebuilt.append((nodes[node[hidden]] * mesh.normals[hidden]).sum(axis=1) - step.face[hidden])
        cells = nodes[mesh.geometry.face_cells[hidden, 0]]
        nearest.append((cells * mesh.normals[hidden]).sum(axis=1) - step.face[hidden])
    assert rms(np.concatenate(rebuilt)) < 0.8 * rms(np.concatenate(nearest))


def test_outside_and_on_ghost_cells_there_is_no_value(muncie, mesh):
    ghosts = mesh.geometry.centres[~mesh.real]
    middle = np.array(mesh.geometry.points.mean(axis=0))
    beyond = ghosts + 0.5 * (ghosts - middle) / np.hypot(*(ghosts - middle).T)[:, None]
    xmin, ymin, xmax, ymax = muncie.extent
    corners = np.array([(xmin - 1, ymin - 1), (xmax + 1, ymax + 1), (xmin + 1, ymin + 1), (0.0, 0.0)])
    loops = muncie.outline()
    for x, y in (beyond[~inside_loops(loops, beyond)].T, corners.T):
        vx, vy, inside = muncie.velocity(0.0, x, y)
        assert x.size and not inside.any() and np.isnan(vx).all() and np.isnan(vy).all()
    vx, vy, inside = muncie.velocity(0.0, *(corners.mean(axis=0) + np.zeros((1, 2))).T)
    assert not inside.any()


def inside_loops(loops, points):
    from matplotlib.path import Path as Polygon
    return Polygon(loops[0]).contains_points(points)


def test_inside_is_what_the_outline_and_the_wet_cells_say(muncie, mesh, rng):
    """The outline by matplotlib's test, the cell by the nearest centre (inside, the mesh is a Voronoi diagram)."""
    from scipy.spatial import cKDTree
    xmin, ymin, xmax, ymax = muncie.extent
    points = rng.uniform((xmin, ymin), (xmax, ymax), (20000, 2))
    found, _ = mesh.triangles.find(*points.T, np.ones(len(mesh.triangle_cell), dtype=bool))
    assert [len(muncie.outline())] == [1]
    np.testing.assert_array_equal(found >= 0, inside_loops(muncie.outline(), points))
    cell = mesh.triangle_cell[found]
    nearest = cKDTree(mesh.geometry.centres[mesh.real]).query(points)[1]
    assert (cell == nearest)[found >= 0].mean() > 0.95
    *_, inside = muncie.velocity(0.0, *points.T)
    wet = muncie._plan.step(0).wet
    np.testing.assert_array_equal(inside, (found >= 0) & wet[cell])
    assert 0.03 < inside.mean() < 0.1


def test_dry_cells_have_no_value(muncie, mesh):
    wet = muncie._plan.step(0).wet[mesh.real]
    vx, vy, inside = muncie.velocity(0.0, *mesh.geometry.centres[mesh.real].T)
    np.testing.assert_array_equal(inside, wet)
    assert np.isnan(vx[~wet]).all() and np.isnan(vy[~wet]).all() and 500 < wet.sum() < 600


def test_linear_in_time(muncie, mesh):
    x, y = mesh.geometry.centres[mesh.real].T
    (a, _, in_a), (b, _, in_b) = muncie.velocity(600.0, x, y), muncie.velocity(900.0, x, y)
    vx, _, inside = muncie.velocity(675.0, x, y)
    np.testing.assert_array_equal(inside, in_a & in_b)
    np.testing.assert_allclose(vx[inside], (0.75 * a + 0.25 * b)[inside], atol=1e-12)
    for time in (-1e-6, 14400.001, np.nan):
        assert not muncie.velocity(time, x, y)[2].any()


def test_a_few_points_are_answered_as_many_are(muncie, mesh, rng):
    triangle = rng.choice(np.flatnonzero(muncie._steps.get(PEAK).usable), 200)
    places = np.einsum('nkc,nk->nc', mesh.nodes[mesh.triangles.corners[triangle]], rng.dirichlet((1, 1, 1), 200))
    for time in (14400.0, 14220.0):
        together = np.array(muncie.velocity(time, *places.T))
        single = np.concatenate([muncie.velocity(time, *places[i:i + 1].T) for i in range(200)], axis=1)
        np.testing.assert_allclose(single, together, atol=1e-14, equal_nan=True)


def test_rashdf_says_the_same(muncie):
    rashdf = pytest.importorskip('rashdf', reason='rashdf is an optional library')
    with rashdf.RasPlanHdf(str(FILE)) as plan:
        assert plan.mesh_area_names() == [muncie._plan.area]
        # Read while the file is open: where dask is installed, the series is lazy.
        series = plan.mesh_timeseries_output('Muncie2D', 'Face Velocity').load()
    np.testing.assert_array_equal(series.values[PEAK], muncie._plan.step(PEAK).face)
    seconds = (series.time.values - series.time.values[0]) / np.timedelta64(1, 's')
    np.testing.assert_allclose(seconds, muncie.times, atol=1e-3)
    assert muncie.start is not None and np.datetime64(muncie.start) == series.time.values[0]
