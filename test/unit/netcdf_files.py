"""netCDF files of a velocity that is linear in time and place, for the tests of their reader."""

from pathlib import Path

import numpy as np

from usv_energy.earth import metres_per_degree
from usv_energy.flow.readers import open_flow

LONGITUDE = np.linspace(-4.6, -4.4, 5)


LATITUDE = np.linspace(48.2, 48.4, 6)


ORIGIN = (-4.5, 48.3)


TIME = {'units': 'hours since 2024-05-01 06:00:00', 'standard_name': 'time'}


X = {'units': 'degrees_east', 'standard_name': 'longitude'}


Y = {'units': 'degrees_north', 'standard_name': 'latitude'}


def u_of(t, x, y):
    """Return a velocity that is linear in each of time, s, and place, degrees: a grid reproduces it exactly."""
    return 0.3 + 1e-5 * t + 0.5 * (x + 4.5) - 0.7 * (y - 48.3) + 2.0 * (x + 4.5) * (y - 48.3)


def dataset(longitude=LONGITUDE, latitude=LATITUDE, hours=(0.0, 1.0, 3.0), units='m s-1', names=('uo', 'vo'), **time):
    hours = np.array(hours)
    t, y, x = np.meshgrid(3600.0 * hours, latitude, (longitude + 180.0) % 360.0 - 180.0, indexing='ij')
    east = u_of(t, x, y)
    attributes = {} if units is None else {'units': units}
    import xarray
    return xarray.Dataset(
        {name: (('time', 'lat', 'lon'), factor * east, attributes) for name, factor in zip(names, (1.0, -2.0))},
        coords={'time': ('time', hours, {**TIME, **time}), 'lat': ('lat', latitude, Y), 'lon': ('lon', longitude, X)})


def written(tmp_path, data, name='flow.nc', **options):
    path = tmp_path / name
    data.to_netcdf(path, **options)
    return path


def metres(longitude, latitude):
    east, north = metres_per_degree(ORIGIN[1])
    return (np.asarray(longitude) - ORIGIN[0]) * east, (np.asarray(latitude) - ORIGIN[1]) * north


def assert_linear(source, rng, times=(0.0, 1800.0, 7000.0, 10800.0), scale=1.0):
    longitude, latitude = rng.uniform(-4.59, -4.41, 200), rng.uniform(48.21, 48.39, 200)
    for t in times:
        vx, vy, inside = source.velocity(t, *metres(longitude, latitude))
        assert inside.all()
        np.testing.assert_allclose(vx, scale * u_of(t, longitude, latitude), atol=1e-9)
        np.testing.assert_allclose(vy, -2.0 * vx, atol=1e-9)


def opened(path, **options):
    return open_flow(Path(path), {'origin': list(ORIGIN), **options})


def with_levels(values, **attributes):
    data = dataset()
    import xarray
    factor = xarray.DataArray(np.arange(1.0, 1.0 + len(values)), dims='depth')
    deep = data * factor
    for name in deep.data_vars:
        deep[name] = deep[name].transpose('time', 'depth', 'lat', 'lon')
        deep[name].attrs = data[name].attrs
    return deep.assign_coords(depth=('depth', np.array(values, dtype=float), attributes))
