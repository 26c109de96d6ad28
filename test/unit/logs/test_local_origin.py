"""Where the local metres of a log count from: by the fixes beside them, of each kind of file."""

import bag_files
import dataflash_files
import numpy as np
import pytest
import telemetry_files
import ulog_files
from needs import NEEDS_PYMAVLINK, NEEDS_PYULOG, NEEDS_ROSBAGS

from usv_energy.earth import LocalPlane, Place
from usv_energy.logs.assemble import origin_of_fixes
from usv_energy.logs.read_log import read_log

RNG = np.random.default_rng(4)
HOME = Place(63.4, 10.3)


def fixes(x, y, noise=0.0):
    latitude, longitude = LocalPlane(HOME).to_geodetic(x + RNG.normal(0.0, noise, x.size), y)
    return longitude, latitude


def test_the_origin_is_found_again_from_any_part_of_the_way():
    x, y = RNG.uniform(8000.0, 12000.0, (2, 500))
    assert origin_of_fixes(x, y, *fixes(x, y)) == pytest.approx(HOME, abs=1e-7)  # 1 cm


def test_noise_of_the_fixes_counts_by_its_median():
    x, y = RNG.uniform(0.0, 100.0, (2, 500))
    found = origin_of_fixes(x, y, *fixes(x, y, 3.0))
    assert LocalPlane(HOME).projected(*found)[0] == pytest.approx(0.0, abs=4.0 * 1.25 * 3.0 / 500 ** 0.5)


def test_fixes_that_are_no_places_are_left_out():
    x, y = RNG.uniform(0.0, 100.0, (2, 500))
    longitude, latitude = fixes(x, y)
    latitude[:3], longitude[5] = 214.7, 1e6
    assert origin_of_fixes(x, y, longitude, latitude) == pytest.approx(HOME, abs=1e-7)
    assert origin_of_fixes(x + 1e8, y, longitude, latitude) is None


def test_axes_that_are_not_east_and_north_tell_no_origin():
    x, y = np.linspace(0.0, 500.0, 200), np.zeros(200)
    assert origin_of_fixes(y, x, *fixes(x, y)) is None
    assert origin_of_fixes(x, y, np.full(200, np.nan), np.full(200, np.nan)) is None


def check(log):
    """See that a log's origin is that of the helpers' circles, which take 111 500 m for a degree of latitude."""
    assert log.origin == pytest.approx(HOME, abs=2e-4)
    assert [note.figures['latitude_deg'] for note in log.notes if note.code == 'local_origin'] == [log.origin.latitude]


@NEEDS_PYMAVLINK
def test_of_a_log_of_ardupilot(tmp_path):
    dataflash_files.write_dataflash(tmp_path / 'a.bin', dataflash_files.circle())
    check(read_log(tmp_path / 'a.bin'))


@NEEDS_PYULOG
def test_of_a_log_of_px4(tmp_path):
    check(read_log(ulog_files.circle().write(tmp_path / 'a.ulg')))


@NEEDS_PYMAVLINK
def test_of_a_log_of_a_ground_station(tmp_path):
    station = telemetry_files.Station()
    telemetry_files.vehicle(station)
    check(read_log(station.write(tmp_path / 'a.tlog')))


@NEEDS_ROSBAGS
def test_of_a_bag_with_odometry_and_fixes(tmp_path):
    form = bag_files.TYPES['sensor_msgs/msg/NavSatFix']
    status = bag_files.TYPES['sensor_msgs/msg/NavSatStatus']
    circle = bag_files.circle()
    messages = []
    for t, message in circle:
        place = message.pose.pose.position
        latitude, longitude = LocalPlane(HOME).degrees_of(place.x, place.y)
        messages.append((t, form(bag_files.header(t), status(0, 1), latitude, longitude, 0.0, np.zeros(9), 0)))
    check(read_log(bag_files.write_bag(tmp_path / 'bag', {'/boat/odom': circle, '/boat/gps/fix': messages})))
