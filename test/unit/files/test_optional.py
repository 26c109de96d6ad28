import subprocess
import sys

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.optional import leave_out, optional


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
