import json
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from usv_energy.cli.main import main
from usv_energy.files.errors import InputError
from usv_energy.files.optional import leave_out, optional
from usv_energy.logs.bags.mcap_writer import MAGIC

ROOT = Path(__file__).parents[3]


def chunk_of_mcap(compression):
    content = struct.pack('<QQQII', 0, 0, 9, 0, len(compression)) + compression + struct.pack('<Q', 9) + bytes(9)
    return MAGIC + struct.pack('<BQ', 6, len(content)) + content


SQUARE = json.dumps({'type': 'Polygon', 'coordinates': [[[9, 45], [9.1, 45], [9.1, 45.1], [9, 45]]]}).encode()
ANALYZE = ('analyze', '{}', '--boat', 'lutra_prop')
INFO = ('flow', 'info', '{}')
ROUTE = ('route', '--degrees', '--from', '45.0', '9.0', '--to', '45.01', '9.0', '--boat', 'lutra_prop')
LAND, DEPTH = (*ROUTE, '--land', '{}'), (*ROUTE, '--draught', '1', '--depth', '{}')
RASTER = (*INFO, '--option', 'kind=components', '--option', 'unit=m/s', '--option', 'partner={}')
# What a file begins with, and a command that reads it, by the library and the extra that brings it.
KINDS = {('pymavlink', 'ardupilot', 'a.bin'): (b'\xa3\x95\x80\x80', ANALYZE),
         ('pymavlink', 'ardupilot', 'a.tlog'): (bytes(8) + b'\xfd', ANALYZE),
         ('pyulog', 'px4', 'a.ulg'): (b'ULog\x01\x12\x35\x01' + bytes(8), ANALYZE),
         ('rosbags', 'ros1', 'a.bag'): (b'#ROSBAG V2.0\n', ANALYZE),
         ('lz4', 'bags', 'a.mcap'): (chunk_of_mcap(b'lz4'), ANALYZE),
         ('zstandard', 'bags', 'a.mcap'): (chunk_of_mcap(b'zstd'), ANALYZE),
         ('xarray', 'flow', 'a.nc'): (b'CDF\x01' + bytes(28), INFO),
         ('netCDF4', 'flow', 'a.nc'): (b'CDF\x05' + bytes(44), INFO),
         ('netCDF4', 'flow', 'depth.nc'): (b'CDF\x05' + bytes(44), DEPTH),
         ('zarr', 'flow', 'store'): (None, INFO),
         ('cfgrib', 'flow', 'a.grib'): (b'GRIB\0\0\0\x02', INFO),
         ('eccodes', 'flow', 'a.grib'): (b'GRIB\0\0\0\x02', INFO),
         ('rasterio', 'flow', 'a.tif'): (b'II*\0' + bytes(8), RASTER),
         ('rasterio', 'flow', 'depth.tif'): (b'II*\0' + bytes(8), DEPTH),
         ('pyvista', 'flow', 'a.vtk'): (b'# vtk DataFile Version 3.0\n', INFO),
         ('pyogrio', 'flow', 'a.shp'): (bytes(8), LAND),
         ('shapely', 'flow', 'a.geojson'): (SQUARE, LAND)}


@pytest.mark.parametrize(('library', 'extra', 'name'), KINDS)
def test_a_command_names_the_library_that_is_missing_and_its_extra(tmp_path, monkeypatch, capsys, library, extra, name):
    if library in ('netCDF4', 'zarr'):
        pytest.importorskip('xarray')
    if library == 'eccodes':
        pytest.importorskip('cfgrib')
    for module in [one for one in sys.modules if one.partition('.')[0] == library]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, library, None)
    content, words = KINDS[library, extra, name]
    if content is None:
        (tmp_path / name).mkdir()
        (tmp_path / name / '.zgroup').write_text('{"zarr_format": 2}')
    else:
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    assert main([word.format(name) for word in words]) == 2
    said = capsys.readouterr().err
    assert re.search(rf"the library {library} is needed, .*pip install 'usv_energy\[{extra}\]'", said)
    assert len(said.splitlines()) == 1


def test_the_tables_of_what_is_read_name_these_libraries_and_extras():
    rows = [line for line in (ROOT / 'docs' / 'logs.md').read_text().split('## What is asked')[0].splitlines()
            if line.startswith('|')]
    said = {(library, extra) for row in rows for names, extra in re.findall(
        r'([\w, ]+) \(extra `(\w+)`\)', row.rstrip('|').rpartition('|')[2]) for library in re.findall(r'\w+', names)}
    assert said == {key[:2] for key in KINDS} - {('eccodes', 'flow')}    # Which cfgrib brings.
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
