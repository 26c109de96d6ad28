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


def test_a_file_of_data_is_refused_with_how_to_name_it(tmp_path):
    (tmp_path / 'f.nc').write_bytes(b'CDF\1')
    with pytest.raises(InputError, match=r'f\.nc.*a file of data.*medium: water; file: \{path: f\.nc\}'):
        flow_of(str(tmp_path / 'f.nc'), '--current', 'water')


def test_an_option_is_read_as_yaml_and_a_transform_places_a_raw_file(tmp_path):
    for name, value in (('x.asc', 3.0), ('y.asc', 4.0)):
        (tmp_path / name).write_text(f'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n{4 * f"{value} "}\n')
    options = ['kind=components', 'unit=km/h', 'partner=y.asc', 'bands=[1, 1]']
    flow = named_flow(str(tmp_path / 'x.asc'), 'raster', options, (10.0, 10.0, 90.0))
    vx, vy, inside = flow.velocity(0.0, np.zeros(1), np.zeros(1))
    assert inside[0] and (vx[0], vy[0]) == pytest.approx((4.0 / 3.6, -3.0 / 3.6))
