"""netCDF files of sea states that are linear in place and time, for the tests of their reader."""

import numpy as np
from netcdf_files import LATITUDE, LONGITUDE, ORIGIN, TIME, X, Y

from usv_energy.earth import metres_per_degree

# A boat without wind, whose two thrusters push along the hull: its steady power is d11 u^2 and 6 W of hotel load.
SHAFT_BOAT = """
base: lutra_prop
name: own
static_load: 6.0
windage: {frontal_area: 0.0, lateral_area: 0.0}
thrusters:
  - {name: bow, x: 0.4, y: 0.0, min_thrust: -40.0, max_thrust: 40.0}
  - {name: stern, x: -0.4, y: 0.0, min_thrust: -40.0, max_thrust: 40.0}
"""

HOURS = np.array([0.0, 1.0, 3.0])


def height_of(seconds, east):
    """Return Hs, m, at a time, s, and a place, m east of ORIGIN."""
    return 0.5 + 1e-5 * seconds + 2e-5 * east


def wave_file(path, names=('VHM0', 'VTPK', 'VMDR'), period=4.0, comes_from=250.0, **units):
    """Write sea states; the waves come from a direction, degrees clockwise from north."""
    import xarray
    per_degree = metres_per_degree(ORIGIN[1])
    t, _, x = np.meshgrid(3600.0 * HOURS, LATITUDE, (LONGITUDE - ORIGIN[0]) * per_degree[0], indexing='ij')
    values = height_of(t, x), np.full_like(t, period), np.full_like(t, comes_from)
    usual = {'VHM0': 'm', 'VTPK': 's', 'VMDR': 'degree', 'swh': 'm', 'mwp': 's', 'mwd': 'degree true'}
    axes = ('time', 'lat', 'lon')
    xarray.Dataset({name: (axes, value, {'units': units.get(name, usual.get(name, '1'))})
                    for name, value in zip(names, values)},
                   {'time': ('time', HOURS, TIME), 'lat': ('lat', LATITUDE, Y), 'lon': ('lon', LONGITUDE, X)}
                   ).to_netcdf(path)
    return path
