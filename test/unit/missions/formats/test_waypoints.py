import pytest
from mission_files import some_mission
from needs import NEEDS_PYMAVLINK

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.waypoints import read_waypoints, waypoints_text
from usv_energy.missions.mission import MissionItem

HOME = '0\t1\t0\t16\t0\t0\t0\t0\t45.0\t9.0\t120.5\t1'
GO = '1\t0\t3\t16\t5\t2.5\t0\t90\t45.1\t9.1\t0\t1'


@pytest.fixture
def read(tmp_path):
    """Return a function that reads lines after the header."""
    return lambda *lines, header='QGC WPL 110': read_waypoints('\n'.join([header, *lines]), tmp_path / 'a.waypoints')


def test_home_comes_first(read):
    mission = read(HOME, '# the buoy', GO)
    assert (mission.home, mission.home_altitude) == (Place(45.0, 9.0), 120.5)
    assert mission.items == (MissionItem(16, 1, (5.0, 2.5, 0.0, 90.0), 45.1, 9.1, 0.0, 3, True, 'the buoy'),)


def test_home_at_zero_is_none(read):
    assert read(HOME.replace('45.0', '0').replace('9.0', '0'), GO).home is None


def test_a_first_line_that_is_no_waypoint_is_no_home(read):
    """PX4's files have no home; their items count from 0, and so do their jumps."""
    mission = read('0\t1\t3\t22\t0\t0\t0\t0\t45\t9\t5\t1', GO, '2\t0\t2\t177\t1\t3\t0\t0\t0\t0\t0\t1')
    assert mission.home is None
    assert [item.number for item in mission.items] == [1, 2, 3]
    assert mission.items[2].parameters == (2.0, 3.0, 0.0, 0.0)


@pytest.mark.parametrize(('lines', 'says'), [
    ([HOME, GO[:-4]], r'line 3: holds 10 values; must be 12'),
    ([HOME, GO.replace('45.1', '95.1')], r'line 3: the latitude is 95.1; must be from -90 to 90'),
    ([HOME, GO.replace('9.1', '-189.1')], r'line 3: the longitude is -189.1'),
    ([HOME, GO.replace('45.1', 'north')], r"line 3: 'north' stands where a number must"),
    ([HOME, GO.replace('45.1', 'inf')], r"line 3: 'inf' stands where a finite number must"),
    ([HOME, GO.replace('\t16\t', '\t16.5\t')], r"line 3: '16.5' stands where a whole number must"),
    ([HOME, GO.replace('\t3\t16', '\t9\t16')], r'line 3: the frame is 9; must be one of'),
    ([HOME, GO, HOME, GO], r'line 4: item 0 comes again; must be one mission, of one vehicle'),
    ([HOME, GO, 'QGC WPL 110', HOME], r'line 4: a second mission begins; must be one, of one vehicle'),
    ([HOME.replace('45.0', '145.0')], r'line 2: the latitude is 145'),
])
def test_what_is_wrong_is_named(read, lines, says):
    with pytest.raises(InputError, match=rf'a\.waypoints: {says}'):
        read(*lines)


def test_another_version_is_refused(read):
    with pytest.raises(InputError, match="line 1 is 'QGC WPL 200'; must be QGC WPL 110"):
        read(header='QGC WPL 200')


def test_too_many_items_are_refused(read):
    with pytest.raises(InputError, match='holds 65536 items; must be at most 65535'):
        read(HOME, *[GO] * 65536)


@pytest.mark.parametrize('seed', range(30))
def test_what_is_written_is_read_again(tmp_path, seed):
    mission = some_mission(seed)
    again = read_waypoints(waypoints_text(mission), tmp_path / 'a.waypoints')
    assert (again.items, again.home, again.home_altitude) == (mission.items, mission.home, mission.home_altitude)


@NEEDS_PYMAVLINK
@pytest.mark.parametrize('seed', range(5))
def test_pymavlink_reads_what_is_written(tmp_path, seed):
    from pymavlink.mavwp import MAVWPLoader
    mission = some_mission(seed)
    path = tmp_path / 'a.waypoints'
    path.write_text(waypoints_text(mission))
    loader = MAVWPLoader()
    assert loader.load(str(path)) == len(mission.items) + 1
    assert (loader.wp(0).x, loader.wp(0).y) == mission.home
    for item in mission.items:
        read = loader.wp(item.number)
        parameters = (read.param1, read.param2, read.param3, read.param4)
        assert (read.command, read.frame, parameters, read.x, read.y, read.z) == (
            item.command, item.frame, item.parameters, item.x, item.y, item.z)
