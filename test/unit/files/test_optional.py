import json
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.optional import leave_out, optional
from usv_energy.flow.readers import open_flow
from usv_energy.logs.bags.mcap_writer import MAGIC
from usv_energy.logs.read_log import read_log
from usv_energy.missions.land_file import read_land

ROOT = Path(__file__).parents[3]


def chunk_of_mcap(compression):
    content = struct.pack('<QQQII', 0, 0, 9, 0, len(compression)) + compression + struct.pack('<Q', 9) + bytes(9)
    return MAGIC + struct.pack('<BQ', 6, len(content)) + content


def of_land(path):
    return read_land(path, None)


def of_raster(path):
    return open_flow(path, {'kind': 'components', 'unit': 'm/s', 'partner': path.name})


SQUARE = json.dumps({'type': 'Polygon', 'coordinates': [[[9, 45], [9.1, 45], [9.1, 45.1], [9, 45]]]}).encode()
# What a file begins with, and how it is read, by the library and the extra that brings it.
KINDS = {('pymavlink', 'ardupilot', 'a.bin'): (b'\xa3\x95\x80\x80', read_log),
         ('pymavlink', 'ardupilot', 'a.tlog'): (bytes(8) + b'\xfd', read_log),
         ('pyulog', 'px4', 'a.ulg'): (b'ULog\x01\x12\x35\x01' + bytes(8), read_log),
         ('rosbags', 'ros1', 'a.bag'): (b'#ROSBAG V2.0\n', read_log),
         ('lz4', 'bags', 'a.mcap'): (chunk_of_mcap(b'lz4'), read_log),
         ('zstandard', 'bags', 'a.mcap'): (chunk_of_mcap(b'zstd'), read_log),
         ('xarray', 'flow', 'a.nc'): (b'CDF\x01' + bytes(28), open_flow),
         ('netCDF4', 'flow', 'a.nc'): (b'CDF\x05' + bytes(44), open_flow),
         ('zarr', 'flow', 'store'): (b'', open_flow),
         ('cfgrib', 'flow', 'a.grib'): (b'GRIB\0\0\0\x02', open_flow),
         ('rasterio', 'flow', 'a.tif'): (b'II*\0' + bytes(8), of_raster),
         ('pyvista', 'flow', 'a.vtk'): (b'# vtk DataFile Version 3.0\n', open_flow),
         ('pyogrio', 'flow', 'a.shp'): (bytes(8), of_land),
         ('shapely', 'flow', 'a.geojson'): (SQUARE, of_land)}


@pytest.mark.parametrize(('library', 'extra', 'name'), KINDS)
def test_each_kind_of_file_names_the_extra_of_its_library(tmp_path, monkeypatch, library, extra, name):
    if library in ('netCDF4', 'zarr'):
        pytest.importorskip('xarray')
    for module in [one for one in sys.modules if one.partition('.')[0] == library]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, library, None)
    content, read = KINDS[library, extra, name]
    if name == 'store':
        (tmp_path / name).mkdir()
        (tmp_path / name / '.zgroup').write_text('{"zarr_format": 2}')
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{library}.*pip install 'usv_energy\[{extra}\]'"):
        read(tmp_path / name)


def test_the_tables_of_what_is_read_name_these_libraries_and_extras():
    rows = [line for line in (ROOT / 'docs' / 'logs.md').read_text().split('## What is asked')[0].splitlines()
            if line.startswith('|')]
    said = {(library, extra) for row in rows for names, extra in re.findall(
        r'([\w, ]+) \(extra `(\w+)`\)', row.rstrip('|').rpartition('|')[2]) for library in re.findall(r'\w+', names)}
    assert said == {key[:2] for key in KINDS}
    for library, extra in said:
        assert library in (ROOT / 'requirements' / f'{extra}.txt').read_text().split()


def test_an_installed_library_is_given():
    assert optional('json.decoder', 'flow', 'this test') is sys.modules['json.decoder']


def test_a_missing_library_is_named_with_its_purpose_and_how_to_install_it():
    with pytest.raises(InputError, match=r"^a\.nc: netCDF: the library xarrayish is needed, but not installed: "
                                         r"pip install 'usv_energy\[flow\]', or pip install xarrayish$"):
        optional('xarrayish.core', 'flow', 'a.nc: netCDF')


def test_a_library_that_is_there_and_broken_is_not_called_missing(tmp_path, monkeypatch):
    (tmp_path / 'broken_library.py').write_text('raise ImportError("libGL.so.1: cannot open shared object file")\n')
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=r'a mesh: the library broken_library is needed, but cannot .*libGL'):
        optional('broken_library', 'flow', 'a mesh')


def test_a_library_that_is_left_out_is_as_if_not_installed(monkeypatch):
    monkeypatch.delitem(sys.modules, 'colorsys', raising=False)
    leave_out('colorsys')
    leave_out('json')   # Loaded already: it stays.
    with pytest.raises(InputError, match='the library colorsys is needed, but not installed'):
        optional('colorsys', 'flow', 'this test')
    assert optional('json', 'flow', 'this test') is sys.modules['json']


def test_shapefiles_are_loaded_before_grib():
    """The other way round, the process aborts at its end: in a process of its own, which ends with exit status 0."""
    pytest.importorskip('cfgrib', reason='cfgrib is not installed')
    pytest.importorskip('pyogrio', reason='pyogrio is not installed')
    script = ('from usv_energy.files.optional import optional; optional("cfgrib", "flow", "GRIB"); '
              'optional("rasterio", "flow", "rasters"); optional("pyogrio.raw", "flow", "land")')
    assert subprocess.run([sys.executable, '-c', script], check=False).returncode == 0
