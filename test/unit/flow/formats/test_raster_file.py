"""Single rasters: headers, numbers, grids, and which files are rasters."""

import numpy as np
import pytest
from raster_files import COMPONENTS, write_components, write_grid, write_tiff

from usv_energy.files.errors import InputError
from usv_energy.flow import readers
from usv_energy.flow.formats.raster_reader import is_raster, open_raster, read_header


@pytest.fixture
def components(tmp_path):
    """The first of a pair of components, a linear field."""
    return write_components(tmp_path)


@pytest.mark.parametrize(('header', 'message'), [
    (['ncols 2', 'nrows 2', 'xllcorner 0', 'yllcorner 0'], 'header lacks cellsize'),
    (['nrows 2', 'ncols 2', 'cellsize 1'], 'header lacks xllcorner, yllcorner'),
    (['ncols 2', 'xllcorner 0', 'yllcorner 0', 'cellsize 1'], 'header lacks nrows'),
    (['ncols two', 'nrows 2', 'xllcorner 0', 'yllcorner 0', 'cellsize 1'], "ncols: 'two'; allowed: a number"),
    (['ncols 2.5', 'nrows 2', 'xllcorner 0', 'yllcorner 0', 'cellsize 1'], 'ncols: 2.5; allowed: a whole number'),
    (['ncols 2', 'nrows 2', 'xllcorner 0', 'yllcorner 0', 'cellsize -1'], 'cellsize: -1; allowed: above 0'),
    (['ncols 1', 'nrows 4', 'xllcorner 0', 'yllcorner 0', 'cellsize 1'], '1 columns, 4 rows; allowed: 2 or more'),
])
def test_damaged_headers_are_refused(tmp_path, header, message):
    path = write_grid(tmp_path / 'a.asc', np.ones((2, 2)), header=header)
    with pytest.raises(InputError, match=message):
        read_header(path)


def test_a_truncated_grid_and_a_word_in_it_are_refused(components):
    text = components.read_text()
    components.write_text(text[:-60])
    with pytest.raises(InputError, match=r'vx.asc: truncated: \d+ values; its header says 4 rows of 5, 20'):
        open_raster(components, COMPONENTS).velocity(0.0, np.array([110.0]), np.array([210.0]))
    lines = text.splitlines()
    words = lines[7].split()
    lines[7] = ' '.join([*words[:2], 'calm', *words[3:]])
    components.write_text('\n'.join(lines))
    with pytest.raises(InputError, match=r"vx.asc: row 2, column 3: 'calm'; allowed: a number"):
        open_raster(components, COMPONENTS).velocity(0.0, np.array([110.0]), np.array([210.0]))


def test_centres_and_dx_dy_are_understood(tmp_path):
    header = ['NCOLS 2', 'NROWS 3', 'XLLCENTER 5', 'YLLCENTER 7', 'DX 10', 'DY 4']
    head = read_header(write_grid(tmp_path / 'a.asc', np.ones((3, 2)), header=header))
    assert head.extent == (0.0, 5.0, 20.0, 17.0)


def test_degrees_are_refused(components):
    components.with_suffix('.prj').write_text('GEOGCS["WGS 84",DATUM["WGS_1984"]]')
    with pytest.raises(InputError, match='coordinates in degrees; allowed: a projection in metres'):
        open_raster(components, COMPONENTS)


def test_files_are_told_by_content(tmp_path, components):
    assert is_raster(components)
    assert not is_raster(tmp_path) and not is_raster(tmp_path / 'none.asc')
    for begin in (b'', b'x,y\n1,2\n', b'\x89HDF\r\n', b'ncolumns 3'):
        (tmp_path / 'other.asc').write_bytes(begin)
        assert not is_raster(tmp_path / 'other.asc')
    assert readers.recognise(components).name == 'raster'


def test_geotiff_faults(tmp_path):
    options = {'kind': 'components', 'unit': 'm/s'}
    path = write_tiff(tmp_path / 'v.tif', np.ones((2, 40, 50)), crs='EPSG:4326')
    with pytest.raises(InputError, match='coordinates in degrees'):
        open_raster(path, options)
    path = write_tiff(tmp_path / 'w.tif', np.ones((2, 40, 50)), crs='EPSG:32612')
    whole = path.read_bytes()
    path.write_bytes(whole[:5000])
    with pytest.raises(InputError, match=r'w\.tif: '):
        open_raster(path, options).velocity(0.0, np.array([125.0]), np.array([225.0]))


def test_without_rasterio_it_says_what_to_install(tmp_path, monkeypatch):
    path = tmp_path / 'v.tif'
    path.write_bytes(b'II*\0' + bytes(100))
    monkeypatch.setitem(__import__('sys').modules, 'rasterio', None)
    with pytest.raises(InputError, match='pip install rasterio'):
        open_raster(path, {'kind': 'components', 'unit': 'm/s'})
