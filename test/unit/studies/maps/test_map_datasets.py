"""Maps as labelled arrays: their figures, units, and the file that holds them."""

from functools import cache

import numpy as np
import pytest
import xarray

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.maps.lattice import CurrentAndWind
from usv_energy.studies.maps.map_study import (
    best_speed_study,
    energy_study,
    front_study,
    map_dataset,
    reach_study,
    write_map,
)

NEEDS = ('xarray',)

BOAT = with_static_load(read_boat('lutra_prop'), 5.0)
FIELDS = CurrentAndWind(UniformFlow(0.2, 0.1), UniformFlow(1.0, 0.0))
SPEEDS = [0.2, 0.5, 0.8, 1.1]
CONDITIONS = [(0.0, 0.0), (0.2, 30.0)], [(0.0, 0.0)]
STUDIES = {
    'energy': lambda: energy_study(BOAT, 6, *CONDITIONS, SPEEDS),
    'best': lambda: best_speed_study(BOAT, 6, *CONDITIONS, SPEEDS),
    'reach': lambda: reach_study(BOAT, FIELDS, (0.0, 0.0), 3600.0, SPEEDS, 25, round_trip=True),
    'front': lambda: front_study(BOAT, FIELDS, (0.0, 0.0), (30.0, 10.0), SPEEDS, 9),
}


@cache
def study(name):
    return STUDIES[name]()


@pytest.mark.parametrize('name', STUDIES)
def test_every_array_has_a_unit_and_a_meaning(name):
    found = map_dataset(study(name).result)
    assert all({'units', 'long_name'} <= set(array.attrs) for array in found.variables.values())
    assert all(len(array.attrs['flag_meanings'].split()) == 2 for array in found.variables.values()
               if 'flag_values' in array.attrs)


def test_the_arrays_are_those_of_the_maps():
    energy, reach, front = (map_dataset(study(name).result) for name in ('energy', 'reach', 'front'))
    np.testing.assert_allclose(energy['power_total'], energy['energy_per_meter'] * energy['speed'], rtol=1e-12)
    assert energy['current_direction'].values.tolist() == [0.0, 30.0]
    both = (reach['energy_out'] + reach['energy_back']).fillna(np.inf)
    np.testing.assert_array_equal(reach['reachable'], both <= 3600.0)
    assert float(reach['current_x'].mean()) == pytest.approx(0.2)
    for number, route in enumerate(study('front').result.routes):
        ends = front.isel(way=number)[['x', 'y']].dropna('point')
        np.testing.assert_array_equal(np.column_stack((ends['x'], ends['y'])), route.points)


def test_a_file_says_where_it_comes_from(tmp_path):
    pytest.importorskip('netCDF4')
    write_map(study('reach'), tmp_path / 'reach.nc', 'usv-energy map reach')
    with xarray.open_dataset(tmp_path / 'reach.nc') as found:
        assert found.attrs['title'] == 'Reach of lutra_prop'
        assert (found.attrs['energy_j'], found.attrs['static_load_w']) == (3600.0, 5.0)
        assert found.attrs['history'].endswith('usv-energy map reach') and 'd11' in found.attrs['boat_yaml']
        np.testing.assert_array_equal(found['energy_out'], map_dataset(study('reach').result)['energy_out'])
