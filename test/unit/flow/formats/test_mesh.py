"""Unstructured grids: what is linear in place and time comes back from nodes; files as UGRID, FVCOM and SCHISM."""

import numpy as np
import pytest
from needs import NEEDS_XARRAY
from netcdf_files import ORIGIN, X, Y, metres, opened, written

from usv_energy.files.errors import InputError
from usv_energy.flow.readers import open_flow

pytestmark = NEEDS_XARRAY
HOURS = np.array([0.0, 1.0, 3.0])
TIME = {'units': 'hours since 2024-05-01 06:00:00', 'standard_name': 'time'}
SPEED = {'units': 'm s-1'}


def east_of(hours, longitude, latitude):
    """Return a velocity linear in time and in place, m/s."""
    return 0.3 + 0.04 * hours + 0.5 * (longitude + 4.5) - 0.7 * (latitude - 48.3)


class Mesh:
    """A mesh of jittered nodes with a square hole in the middle: `faces` of 3 nodes, from 0; all in degrees."""

    def __init__(self, rng, side=12):
        step = np.linspace(0.0, 1.0, side)
        x, y = (part.ravel() for part in np.meshgrid(step, step))
        inner = (x > 0.0) & (x < 1.0) & (y > 0.0) & (y < 1.0)
        off = np.where(inner, 1.0, 0.0) * rng.uniform(-0.2, 0.2, (2, x.size)) / (side - 1)
        self.lon, self.lat = -4.6 + 0.2 * (x + off[0]), 48.2 + 0.2 * (y + off[1])
        first = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
        faces = np.concatenate([np.column_stack((first, first + 1, first + side + 1)),
                                np.column_stack((first, first + side + 1, first + side))])
        middle = np.abs(np.column_stack((x, y))[faces].mean(axis=1) - 0.5).max(axis=1)
        self.faces = faces[middle > 0.15]
        self.lonc, self.latc = self.lon[self.faces].mean(axis=1), self.lat[self.faces].mean(axis=1)


def velocities(longitude, latitude, dimension, names=('uo', 'vo'), **attributes):
    east = np.array([east_of(hours, longitude, latitude) for hours in HOURS])
    return {name: (('time', dimension), factor * east, {**SPEED, **attributes})
            for name, factor in zip(names, (1.0, -2.0))}


def ugrid(mesh, location='node', names=('uo', 'vo')):
    """Return the UGRID of a mesh, numbered from 1, with triangles beside a quadrilateral and a fill value."""
    import xarray
    faces = np.column_stack((mesh.faces + 1, np.full(len(mesh.faces), -999)))
    side = 12
    faces[0] = 1, 2, side + 2, side + 1  # The first square is one face.
    faces = np.delete(faces, np.flatnonzero((mesh.faces == (0, side + 1, side)).all(axis=1)), axis=0)
    lonc, latc = (np.array([side_[row[row > 0] - 1].mean() for row in faces]) for side_ in (mesh.lon, mesh.lat))
    places = (mesh.lon, mesh.lat) if location == 'node' else (lonc, latc)
    topology = {'cf_role': 'mesh_topology', 'topology_dimension': 2, 'node_coordinates': 'node_x node_y',
                'face_node_connectivity': 'face_nodes'}
    return xarray.Dataset({
        **velocities(*places, location, names, mesh='Mesh', location=location), 'Mesh': ((), 0, topology),
        'face_nodes': (('face', 'corner'), faces.astype('int32'), {'start_index': 1, '_FillValue': np.int32(-999)}),
        'node_x': ('node', mesh.lon, X), 'node_y': ('node', mesh.lat, Y)}, {'time': ('time', HOURS, TIME)})


def fvcom(mesh, metre=False):
    """Return a mesh as FVCOM writes it: in faces and layers, 32-bit days, and on a plane longitudes of zero."""
    import xarray
    sides = velocities(mesh.lonc, mesh.latc, 'nele', ('u', 'v'))
    words = {'u': 'Eastward Water Velocity', 'v': 'Northward Water Velocity'}
    deep = {name: (('time', 'siglay', 'nele'), np.stack((values, 0.1 * values), axis=1),
                   {'units': 'meters s-1', 'long_name': words[name]}) for name, (_, values, _) in sides.items()}
    x, y = metres(mesh.lon, mesh.lat)
    lon, lat = (0.0 * mesh.lon, 0.0 * mesh.lat) if metre else (mesh.lon, mesh.lat)
    day = 60431  # 2024-05-01 of the modified Julian days.
    msec = ((6.0 + HOURS) * 3.6e6).astype('int32')
    return xarray.Dataset({
        **deep, 'ua': (('time', 'nele'), 0.0 * sides['u'][1], SPEED),
        'va': (('time', 'nele'), 0.0 * sides['u'][1], SPEED),
        'nv': (('three', 'nele'), (mesh.faces.T + 1).astype('int32')),
        'lon': ('node', lon, X), 'lat': ('node', lat, Y),
        'lonc': ('nele', mesh.lonc, X), 'latc': ('nele', mesh.latc, Y),
        'x': ('node', x, {'units': 'meters'}), 'y': ('node', y, {'units': 'meters'}),
        'time': ('time', (day + 0.25 + HOURS / 24.0).astype('float32'), {'units': 'days since 1858-11-17 00:00:00'}),
        'Itime': ('time', np.full(3, day, 'int32'), {'units': 'days since 1858-11-17 00:00:00'}),
        'Itime2': ('time', msec, {'units': 'msec since 00:00:00'})}, attrs={'source': 'FVCOM_4.1'})


def inner_places(rng, number=300):
    """Return places away from the edge of the mesh and of its hole, degrees."""
    places = rng.uniform(0.2, 0.8, (2, number))
    places = places[:, np.abs(places - 0.5).max(axis=0) > 0.29]
    return -4.6 + 0.2 * places[0], 48.2 + 0.2 * places[1]


def assert_linear(source, rng, atol=1e-9):
    longitude, latitude = inner_places(rng)
    for hours in (0.0, 0.5, 2.0, 3.0):
        vx, vy, inside = source.velocity(3600.0 * hours, *metres(longitude, latitude))
        assert inside.all()
        np.testing.assert_allclose(vx, east_of(hours, longitude, latitude), atol=atol)
        np.testing.assert_allclose(vy, -2.0 * vx, atol=1e-9)


def test_a_linear_field_at_nodes_comes_back_between_them(tmp_path, rng):
    source = opened(written(tmp_path, ugrid(Mesh(rng))))
    assert_linear(source, rng)
    about = source.describe()
    assert (about['location'], about['mesh'], about['nodes'], about['start'][:16]) == (
        'node', 'Mesh', 144, '2024-05-01T06:00')


def test_a_linear_field_in_faces_comes_back_between_them(tmp_path, rng):
    assert_linear(opened(written(tmp_path, ugrid(Mesh(rng), 'face'))), rng)


def test_nearest_gives_values_of_nodes_and_of_faces(tmp_path, rng):
    mesh = Mesh(rng)
    at_nodes = opened(written(tmp_path, ugrid(mesh), 'nodes.nc'), interpolation='nearest')
    face = len(mesh.faces) // 2
    near = 0.9 * mesh.lon[mesh.faces[face]] + 0.1 * mesh.lonc[face], 0.9 * mesh.lat[mesh.faces[face]] + (
        0.1 * mesh.latc[face])
    nodes = mesh.faces[face]
    np.testing.assert_allclose(at_nodes.velocity(3600.0, *metres(*near))[0],
                               east_of(1.0, mesh.lon[nodes], mesh.lat[nodes]), atol=1e-9)
    in_faces = opened(written(tmp_path, fvcom(mesh), 'faces.nc'), interpolation='nearest')
    np.testing.assert_allclose(in_faces.velocity(0.0, *metres(*near))[0],
                               east_of(0.0, mesh.lonc[face], mesh.latc[face]), atol=1e-9)
    with pytest.raises(InputError, match=r'interpolation is .cubic.; must be one of: linear, nearest'):
        opened(tmp_path / 'nodes.nc', interpolation='cubic')


def test_outside_and_in_a_hole_is_no_value(tmp_path, rng):
    source = opened(written(tmp_path, ugrid(Mesh(rng))))
    vx, _, inside = source.velocity(0.0, *metres([-4.5, -4.61, -4.55], [48.3, 48.3, 48.25]))
    assert inside.tolist() == [False, False, True] and np.isnan(vx[:2]).all()
    assert not source.velocity(3.1 * 3600.0, *metres([-4.55], [48.25]))[2].any(), 'after the last time'
    edge, hole = source.outline()
    assert len(edge) == 44 and np.ptp(edge[:, 1]) == pytest.approx(np.ptp(metres([0.0, 0.0], [48.2, 48.4])[1]))
    assert np.ptp(hole[:, 0]) < 0.5 * np.ptp(edge[:, 0])


@pytest.mark.parametrize('texts', [False, True])
def test_fvcom_has_its_surface_and_its_exact_times(tmp_path, rng, texts):
    data = fvcom(Mesh(rng))
    if texts:  # As NOAA keeps them.
        said = np.array([f'2024-05-01T{6 + hours:02.0f}:00:00.000000' for hours in HOURS], dtype='S26')
        data = data.drop_vars(['Itime', 'Itime2']).assign(Times=('time', said))
    source = opened(written(tmp_path, data))
    assert source.times.tolist() == [0.0, 3600.0, 10800.0] and source.start.hour == 6
    assert_linear(source, rng)
    assert source.describe()['variables'] == ['u', 'v'], 'that of a level, not the mean over depth'
    deep = opened(tmp_path / 'flow.nc', level=1)
    place = metres([-4.55], [48.25])
    np.testing.assert_allclose(deep.velocity(0.0, *place)[0], 0.1 * source.velocity(0.0, *place)[0])


def test_fvcom_on_a_plane_is_read_in_metres(tmp_path, rng):
    assert_linear(open_flow(written(tmp_path, fvcom(Mesh(rng), metre=True))), rng)


def test_dry_faces_have_no_value(tmp_path, rng):
    mesh = Mesh(rng)
    data = fvcom(mesh)
    wet = np.ones((3, len(mesh.faces)), 'int32')
    wet[1, 5] = 0
    data['wet_cells'] = ('time', 'nele'), wet
    source = opened(written(tmp_path, data))
    place = metres(mesh.lonc[4:6], mesh.latc[4:6])
    assert [source.velocity(t, *place)[2].tolist() for t in (0.0, 1800.0, 10800.0)] == [
        [True, True], [True, False], [True, True]]


def test_schism_is_known_by_its_names(tmp_path, rng):
    data = ugrid(Mesh(rng), names=('depthAverageVelX', 'depthAverageVelY')).drop_vars('Mesh')
    data = data.rename(face_nodes='SCHISM_hgrid_face_nodes', node_x='SCHISM_hgrid_node_x', node_y='SCHISM_hgrid_node_y')
    for name in ('depthAverageVelX', 'depthAverageVelY'):
        data[name].attrs = {**SPEED, 'mesh': 'SCHISM_hgrid', 'location': 'node'}
    assert_linear(opened(written(tmp_path, data)), rng)


def test_vectors_of_old_schism_are_taken_apart_and_the_uppermost_layer_is_taken(tmp_path, rng):
    """schout_*.nc: hvel(time, node, layer, two) without a unit, dahv and wind_speed(time, node, two)."""
    data = ugrid(Mesh(rng), names=('a', 'b')).drop_vars('Mesh')
    data = data.rename(face_nodes='SCHISM_hgrid_face_nodes', node_x='SCHISM_hgrid_node_x', node_y='SCHISM_hgrid_node_y')
    top = np.stack((data['a'].values, data['b'].values), axis=-1)
    about = {'mesh': 'SCHISM_hgrid', 'data_horizontal_center': 'node', 'i23d': 2, 'ivs': 2}
    data['hvel'] = (('time', 'node', 'nSCHISM_vgrid_layers', 'two'), np.stack((0.1 * top, top), axis=2), about)
    data['dahv'] = (('time', 'node', 'two'), 0.5 * top, about)
    data['wind_speed'] = (('time', 'node', 'two'), 10.0 * top, about)
    path = written(tmp_path, data.drop_vars(('a', 'b')))
    water, air = open_flow(path, {'origin': ORIGIN}, medium='water'), open_flow(path, {'origin': ORIGIN}, medium='air')
    assert_linear(water, rng)
    assert water.describe()['variables'] == ['hvel_x', 'hvel_y'] and air.describe()['variables'][0] == 'wind_speed_x'
    place = metres([-4.55], [48.25])
    assert air.velocity(0.0, *place)[0] == pytest.approx(10.0 * water.velocity(0.0, *place)[0])


def schism_run(folder, rng):
    """Write a run of SCHISM of today, a file a variable and no unit; return the folder's mesh."""
    mesh = Mesh(rng)
    whole = ugrid(mesh, names=('horizontalVelX', 'horizontalVelY'))
    mesh_of = {'Mesh': 'SCHISM_hgrid', 'face_nodes': 'SCHISM_hgrid_face_nodes', 'node_x': 'SCHISM_hgrid_node_x',
               'node_y': 'SCHISM_hgrid_node_y'}
    whole = whole.rename(mesh_of)
    whole['SCHISM_hgrid'].attrs.update(node_coordinates='SCHISM_hgrid_node_x SCHISM_hgrid_node_y',
                                       face_node_connectivity='SCHISM_hgrid_face_nodes')
    for name, other in (names := ('horizontalVelX', 'horizontalVelY'), names[::-1]):
        layers = whole[name].values[..., None] * [0.1, 1.0]
        written(folder, whole.drop_vars([other, *mesh_of.values()]).assign({name: (
            ('time', 'node', 'nSCHISM_vgrid_layers'), layers, {'i23d': 2, 'mesh': 'SCHISM_hgrid'})}), f'{name}_1.nc')
    dry = np.zeros((3, whole.sizes['face']), dtype='float32')
    dry[1, 0] = 1.0
    written(folder, whole.drop_vars(['horizontalVelX', 'horizontalVelY']).assign(
        dryFlagElement=(('time', 'face'), dry)), 'out2d_1.nc')
    return mesh


@pytest.mark.parametrize('name', ['horizontalVelX', 'horizontalVelY', 'out2d'])
def test_schism_of_today_is_read_from_any_of_its_files(tmp_path, rng, name):
    mesh = schism_run(tmp_path, rng)
    flow = opened(tmp_path / f'{name}_1.nc')
    x, y = metres(mesh.lon[40:44], mesh.lat[40:44])
    east, north, _ = flow.velocity(0.0, x, y)
    np.testing.assert_allclose(east, east_of(0.0, mesh.lon[40:44], mesh.lat[40:44]), rtol=1e-9)  # m/s, uppermost layer.
    np.testing.assert_allclose(north, -2.0 * east, rtol=1e-9)
    corner = metres(mesh.lon[:1], mesh.lat[:1])
    assert flow.velocity(0.0, *corner)[2].all()
    assert not flow.velocity(3600.0, *corner)[2].any()  # Dry, which out2d_1.nc says.


def test_schism_files_of_two_runs_are_refused(tmp_path, rng):
    import xarray
    schism_run(tmp_path, rng)
    with xarray.open_dataset(tmp_path / 'horizontalVelY_1.nc', decode_times=False) as other:
        fewer = other.isel(time=slice(0, 2)).load()
    written(tmp_path, fewer, 'horizontalVelY_1.nc')
    with pytest.raises(InputError, match=r'horizontalVelY_1.nc: horizontalVelY has 2 of time, and horizontalVelX_1.nc '
                                         'beside it 3; both must be of one run'):
        opened(tmp_path / 'horizontalVelX_1.nc')


def test_gnome_says_its_mesh_and_its_velocity_in_its_own_words(tmp_path, rng):
    import xarray
    mesh = Mesh(rng)
    sides = velocities(mesh.lon, mesh.lat, 'node', ('u', 'v'))
    words = {'u': {'standard_name': 'Eastward_sea_Water_Velocity'}, 'v': {'long_name': 'Northward_Sea_Water_Velocity'}}
    data = {name: (('time', 'node'), values, {**SPEED, 'long_name': 'Eastward Water Velocity', **words[name]})
            for name, (_, values, _) in sides.items()}
    flow = opened(written(tmp_path, xarray.Dataset({
        **data, 'tris': (('tris', 'corner'), mesh.faces.astype('int32'), {'start_index': 0}),
        'lon': ('node', mesh.lon, X), 'lat': ('node', mesh.lat, Y)}, {'time': ('time', HOURS, TIME)})))
    x, y = metres(mesh.lonc[5:9], mesh.latc[5:9])
    np.testing.assert_allclose(flow.velocity(0.0, x, y)[0], east_of(0.0, mesh.lonc[5:9], mesh.latc[5:9]), rtol=1e-5)


def test_of_a_network_and_a_mesh_the_mesh_is_taken(tmp_path, rng):
    store = ugrid(Mesh(rng)).assign(
        Line=((), 0, {'cf_role': 'mesh_topology', 'topology_dimension': 1}),
        **{f'line_{side}': (('time', 'link'), np.zeros((3, 4)), {
            **SPEED, 'mesh': 'Line', 'standard_name': f'sea_water_{side}_velocity'}) for side in 'xy'})
    assert opened(written(tmp_path, store)).describe()['variables'] == ['uo', 'vo']


def test_velocities_on_edges_are_those_of_the_faces_between_them(tmp_path, rng):
    """The mean of a linear field at the middles of a triangle's edges is that in its centre."""
    mesh = Mesh(rng)
    data = ugrid(mesh, 'face')
    ends = np.unique(np.sort(np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]]),
                             axis=1), axis=0)
    data = data.drop_vars(('uo', 'vo', 'face_nodes')).assign(velocities(
        mesh.lon[ends].mean(axis=1), mesh.lat[ends].mean(axis=1), 'edge', mesh='Mesh', location='edge'))
    data['face_nodes'] = (('face', 'corner'), (mesh.faces + 1).astype('int32'), {'start_index': 1})
    data['edge_nodes'] = (('edge', 'two'), (ends + 1).astype('int32'), {'start_index': 1})
    data['Mesh'].attrs['edge_node_connectivity'] = 'edge_nodes'
    source = opened(written(tmp_path, data, 'edges.nc'))
    assert_linear(source, rng)
    assert any('on the edges of faces' in note for note in source.describe()['notes'])
    with pytest.raises(InputError, match=r'lies on the edges.*does not say which nodes these have \(edge_node_connect'):
        opened(written(tmp_path, data.drop_vars('edge_nodes'), 'none.nc'))
    data['edge_nodes'][5] = data['edge_nodes'][6]
    with pytest.raises(InputError, match="faces have edges that edge_nodes does not name"):
        opened(written(tmp_path, data, 'wrong.nc'))


@pytest.mark.parametrize('names', [('u_sur', 'v_sur'), ('water_u', 'water_v'), ('u_sur_eastward', 'v_sur_northward')])
def test_names_of_noaa_are_water(tmp_path, rng, names):
    source = opened(written(tmp_path, ugrid(Mesh(rng), names=names)))
    assert source.describe()['medium'] == 'water'
    assert_linear(source, rng)


def test_a_damaged_mesh_is_refused(tmp_path, rng):
    data = ugrid(Mesh(rng))
    data['face_nodes'][3, 1] = 500
    with pytest.raises(InputError, match='face_nodes names the node 500; must be 1 to 144'):
        opened(written(tmp_path, data, 'a.nc'))
    with pytest.raises(InputError, match="'face_nodes' has the nodes of its faces, and the file has no such table"):
        opened(written(tmp_path, ugrid(Mesh(rng)).drop_vars('face_nodes'), 'b.nc'))
    data = ugrid(Mesh(rng))
    data['node_x'][:] = -4.5 + 0.0 * data['node_x']
    data['node_x'][0] = -4.4
    data['face_nodes'][:] = 5
    with pytest.raises(InputError, match='no face of the mesh has an area'):
        opened(written(tmp_path, data, 'c.nc'))


def test_a_mesh_moves_to_another_process_and_to_its_own_origin(tmp_path, rng):
    import pickle
    path = written(tmp_path, ugrid(Mesh(rng)))
    source = pickle.loads(pickle.dumps(opened(path)))
    assert_linear(source, rng)
    assert source.origin_deg == pytest.approx(ORIGIN[::-1])
    assert open_flow(path).origin_deg == pytest.approx((48.3, -4.5))
