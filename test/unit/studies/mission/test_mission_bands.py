import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.studies.mission.mission_bands import BOATS, CERTAIN, FlowDoubt, mission_bands
from usv_energy.studies.mission.mission_estimate import MissionCase
from usv_energy.studies.mission.mission_scenario import mission_corners, mission_scenario
from usv_energy.studies.plan.boat_in_sea import read_doubts
from usv_energy.studies.plan.steady_motion import top_speed

STILL = UniformFlow()
LENGTH = 5000.0     # m: long, so that the start counts for nothing.


def bands_of(boat, speed, current=STILL, uncertainty=CERTAIN, places=((LENGTH, 0.0), (0.0, 0.0))):
    way = tuple(Waypoint(LocalPlace(*place), number) for number, place in enumerate(places, start=1))
    scenario = mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, way), boat, current, STILL, speed).scenario
    doubts = read_doubts(boat) if boat.power_curve is None else []
    return mission_bands([MissionCase(scenario, 0.0, mission_corners(scenario))], doubts, uncertainty)[0]


@pytest.fixture(scope='module')
def doubtful(tmp_path_factory):
    """Return the boat whose thrusters' limit is known to 5 %, and so its top speed to 2.5 % at quadratic drag."""
    path = tmp_path_factory.mktemp('boat') / 'doubtful.yaml'
    path.write_text('base: lutra_prop\nname: doubtful\n'
                    'damping: {linear: {d11: {value: 0.0, unit: N s/m}}, '
                    'quadratic: {d11: {value: 16.296, unit: N s^2/m^2, std: 1.6296}}}\n')
    return read_boat(str(path))


def test_nothing_uncertain_is_no_interval():
    assert bands_of(read_boat('lutra_prop'), 0.6) is None


def test_where_speeds_are_held_the_time_is_certain_and_the_energy_is_not():
    bands = bands_of(read_boat('lutra_prop'), 0.6, uncertainty=FlowDoubt(current=0.05))
    assert bands.time_held and (bands.slower, bands.unable) == (0, 0)
    assert np.array_equal(bands.end[0], bands.end[1]) and np.array_equal(bands.duration[0], bands.duration[1])
    assert np.all(bands.energy[0] < bands.energy[1])


def test_where_thrust_limits_it_the_time_is_uncertain_as_the_drag(doubtful):
    """
    The top speed is (T / d)^(1/2): where d has 10 %, 95 % of the times lie within (1 +- 0.196)^(1/2), about, above 1.

    At the top speed that the file's own drag gives, the draws of less drag hold the speed: their time is the same.
    """
    speed = top_speed(doubtful.vessel)
    bands = bands_of(doubtful, 0.999 * speed)
    low, high = bands.end[:, -1] / (2.0 * LENGTH / speed)
    assert bands.slower == pytest.approx(BOATS / 2, abs=3) and bands.unable == 0
    assert low == pytest.approx(1.0, abs=0.01)
    assert high == pytest.approx(1.196 ** 0.5, abs=0.01)
    # At full thrust power is thrust times speed over the same way: the energy does not grow with the drag.
    assert bands.so_far[1, -1] / bands.so_far[0, -1] < 1.3


def test_a_head_current_that_may_be_too_strong_is_time_without_end():
    boat = read_boat('lutra_prop')
    top = top_speed(boat.vessel)
    bands = bands_of(boat, 0.1, UniformFlow(0.02 - top, 0.0), FlowDoubt(current=0.2), ((LENGTH, 0.0),))
    assert 0.25 * BOATS < bands.unable < 0.75 * BOATS
    assert bands.end[1, -1] == np.inf and bands.so_far[1, -1] == np.inf
    assert np.isfinite(bands.end[0]).all() and bands.end[0, -1] == pytest.approx(LENGTH / 0.1, rel=1e-3)


def test_leg_by_leg_intervals_of_one_leg_are_those_of_the_whole():
    bands = bands_of(read_boat('blueboat_watts_only'), 1.5, uncertainty=FlowDoubt(current=0.1), places=((300.0, 0.0),))
    assert np.array_equal(bands.energy, bands.so_far) and np.array_equal(bands.duration, bands.end)
