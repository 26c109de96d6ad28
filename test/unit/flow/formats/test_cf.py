"""What the CF conventions say of a variable."""

import pytest

from usv_energy.flow.formats import cf


@pytest.mark.parametrize(('name', 'attributes', 'axis'), [
    ('nav_lon', {}, 'LON'), ('x', {'units': 'degrees_east'}, 'LON'), ('lat', {'units': 'degrees'}, 'LAT'),
    ('lat', {'standard_name': 'longitude', 'units': 'degrees_north'}, 'LAT'),
    ('lat', {'standard_name': 'latitude', 'units': 'degrees_east'}, ''),
    ('x', {'units': 'm'}, 'X'), ('northing', {'axis': 'Y', 'units': 'm'}, 'Y'),
    ('t', {'units': 'days since 1950-01-01'}, 'T'), ('s_rho', {'positive': 'up'}, 'Z'), ('member', {}, '')])
def test_axes(name, attributes, axis):
    assert cf.axis_of(name, attributes) == axis


def test_the_height_of_a_wind_is_known_by_name():
    pairs = {pair[:2]: pair.height for names in (('u10', 'v10'), ('uas', 'vas'), ('uo', 'vo'))
             for pair in cf.pairs_in({name: {} for name in names})}
    assert pairs == {('u10', 'v10'): 10.0, ('uas', 'vas'): 10.0, ('uo', 'vo'): None}
    by_standard_name = cf.pairs_in({'u100': {'standard_name': 'eastward_wind'},
                                    'v100': {'standard_name': 'northward_wind'}})
    assert [(pair.medium, pair.height) for pair in by_standard_name] == [('air', 100.0)]


@pytest.mark.parametrize(('attributes', 'unit'), [
    ({'units': 'cm/s', 'long_name': 'speed (m/s)'}, 'cm/s'),
    ({'long_name': 'eastward_sea_water_velocity (m/s) '}, 'm/s'),
    ({'long_name': 'current [knots]'}, 'knot'), ({'i23d': '2'}, 'm/s'),
    ({'long_name': 'current (surface) of today'}, '')])
def test_the_unit_of_a_velocity_may_stand_in_its_long_name(attributes, unit):
    assert cf.speed_unit_of(attributes) == unit
