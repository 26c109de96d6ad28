import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow.flow_argument import flow_of, named_flow


def test_a_flow_is_refused_where_it_is_none():
    with pytest.raises(InputError, match='a flow of water; must be one of air'):
        flow_of('vortex', '--wind', 'air')
    with pytest.raises(InputError, match='must be `12 kn from NE`'):
        flow_of('0.3', '--wind', 'air')
    with pytest.raises(InputError, match='no flow named'):
        flow_of('nonsense', '--wind', 'air')


def test_a_file_of_data_that_says_no_place_is_refused_with_how_to_name_it(tmp_path):
    (tmp_path / 'wind.csv').write_text('U:0,U:1,U:2,Points:0,Points:1,Points:2\n'
                                       '1,0,0,0,0,10\n1,0,0,9,0,10\n1,0,0,0,9,10\n')
    with pytest.raises(InputError, match=r'wind\.csv.*metres are of a map.*file: \{path: wind\.csv\}; transform'):
        flow_of(str(tmp_path / 'wind.csv'), '--wind', 'air')
    (tmp_path / 'f.nc').write_bytes(b'CDF\1')
    with pytest.raises(InputError, match=r'^--current: .*f\.nc: is truncated or damaged'):
        flow_of(str(tmp_path / 'f.nc'), '--current', 'water')


@pytest.mark.parametrize('dates', [True, False])
def test_netcdf_that_changes_needs_dates_and_a_command_that_has_a_clock(tmp_path, dates):
    pytest.importorskip('netCDF4')
    from netcdf_files import dataset, written
    data = dataset() if dates else dataset(units='m s-1').assign_coords(time=('time', [0.0, 1.0, 3.0], {'units': 'h'}))
    path = str(written(tmp_path, data))
    if not dates:
        with pytest.raises(InputError, match=r'which changes and says no dates; name it in a flow file.*time: '):
            flow_of(path, '--current', 'water', dated=True)
        return
    with pytest.raises(InputError, match='from 2024-05-01 06:00 UTC to 2024-05-01 09:00 UTC, and here no time of day'):
        flow_of(path, '--current', 'water')
    with pytest.raises(InputError, match='a flow of water; must be one of air'):
        flow_of(path, '--wind', 'air', dated=True)
    flow = flow_of(path, '--current', 'water', dated=True)
    assert flow.is_data and flow.changes and flow.velocity(10801.0, np.zeros(1), np.zeros(1))[2].tolist() == [False]


def test_an_option_is_read_as_yaml_and_a_transform_places_a_raw_file(tmp_path):
    for name, value in (('x.asc', 3.0), ('y.asc', 4.0)):
        (tmp_path / name).write_text(f'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n{4 * f"{value} "}\n')
    options = ['kind=components', 'unit=km/h', 'partner=y.asc', 'bands=[1, 1]']
    flow = named_flow(str(tmp_path / 'x.asc'), 'raster', options, (10.0, 10.0, 90.0))
    vx, vy, inside = flow.velocity(0.0, np.zeros(1), np.zeros(1))
    assert inside[0] and (vx[0], vy[0]) == pytest.approx((4.0 / 3.6, -3.0 / 3.6))
