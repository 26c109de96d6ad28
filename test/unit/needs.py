"""Marks of tests that need an optional library: they skip where it is absent, and never while collecting."""

from importlib.util import find_spec

import pytest


def needs(module, reason):
    return pytest.mark.skipif(find_spec(module) is None, reason=reason)


NEEDS_BAG_WRITER = pytest.mark.skipif(find_spec('rosbag2_py') is None and find_spec('rosbags') is None,
                                      reason='bags are written with rosbag2_py or rosbags')
NEEDS_PYMAVLINK = needs('pymavlink', 'ArduPilot logs are read with pymavlink')
NEEDS_PYULOG = needs('pyulog', 'logs of PX4 are read with pyulog')
NEEDS_ROSBAGS = needs('rosbags', 'bags are written with rosbags')
# What does without numba, and is then too slow for the tests.
MINUTES_WITHOUT_NUMBA = 'takes minutes without numba'
WITHIN_A_MINUTE = needs('numba', MINUTES_WITHOUT_NUMBA)
NEEDS_XARRAY = needs('xarray', 'netCDF is read with xarray')
NEEDS_NETCDF = needs('netCDF4', 'netCDF is written with netCDF4')
