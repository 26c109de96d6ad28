"""What the CF conventions say of a variable."""

import pytest

from usv_energy.flow.formats.netcdf import cf


@pytest.mark.parametrize(('name', 'attributes', 'axis'), [
    ('nav_lon', {}, 'LON'), ('x', {'units': 'degrees_east'}, 'LON'), ('lat', {'units': 'degrees'}, 'LAT'),
    ('x', {'units': 'm'}, 'X'), ('northing', {'axis': 'Y', 'units': 'm'}, 'Y'),
    ('t', {'units': 'days since 1950-01-01'}, 'T'), ('s_rho', {'positive': 'up'}, 'Z'), ('member', {}, '')])
def test_axes(name, attributes, axis):
    assert cf.axis_of(name, attributes) == axis
