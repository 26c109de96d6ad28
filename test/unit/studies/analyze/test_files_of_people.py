"""One boat, 1 m/s east for 120 s, in the files of many loggers: all of them give the joules of that."""

import sys

import east_files
import pytest
from needs import NEEDS_ROSBAGS

from usv_energy import analyze_log

OPTIONAL = ('rclpy', 'rosbag2_py', 'rosbags', 'pymavlink', 'pyulog', 'lz4', 'zstandard', 'xarray', 'pandas', 'netCDF4',
            'shapely', 'numba')


@pytest.mark.parametrize('name', east_files.FILES)
def test_the_energy_is_the_same_in_every_kind_of_file_without_a_map(tmp_path, monkeypatch, name):
    """Within 3 %: speeds in knots have three digits, and positions 1 mm. Nothing that is optional is needed."""
    for library in OPTIONAL:
        monkeypatch.setitem(sys.modules, library, None)
    path = tmp_path / name
    east_files.FILES[name](path)
    analysed = analyze_log(path, 'lutra_prop')
    assert analysed.energy.total == pytest.approx(east_files.ENERGY, rel=0.03)


@NEEDS_ROSBAGS
@pytest.mark.parametrize('name', ['poses', 'sensors', 'mavros', 'px4', 'odometry.bag', 'sensors.bag', 'foxglove.mcap',
                                  'blueos.mcap'])
def test_the_energy_is_the_same_in_every_kind_of_bag(tmp_path, name):
    import east_bags
    east_bags.BAGS[name](tmp_path / name)
    assert analyze_log(tmp_path / name, 'lutra_prop').energy.total == pytest.approx(east_files.ENERGY, rel=0.03)
