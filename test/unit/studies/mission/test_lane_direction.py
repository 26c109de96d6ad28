import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.patterns import lawnmower, rectangle
from usv_energy.studies.mission.mission_scenario import lane_choice

BOAT = read_boat('blueboat_watts_only')
STILL = UniformFlow()
SQUARE = rectangle(200.0, 200.0)


def by_hand(area, spacing, angle, speed, current):
    """Return the energy of lanes, J: watts of the table at the speed through the water, leg by leg; no windage."""
    from scipy.interpolate import PchipInterpolator
    watts = PchipInterpolator(BOAT.power_curve.speeds, BOAT.power_curve.powers)
    places = np.array(lawnmower(area, spacing, angle).places)
    legs = np.diff(places, axis=0)
    length = np.hypot(*legs.T)
    through = np.hypot(*(speed * legs / length[:, None] - np.array(current)).T)
    return float(np.sum(watts(through) * length / speed))


@pytest.fixture
def windless(tmp_path):
    path = tmp_path / 'windless.yaml'
    path.write_text('base: blueboat_watts_only\nname: windless\nwindage: null\n')
    return read_boat(str(path))


def test_the_best_direction_is_that_of_an_exhaustive_search_by_hand(windless):
    """Every degree; the watts do not depend on the wind here, and the square's lanes are the same either way."""
    current = (0.5 * math.cos(0.7), 0.5 * math.sin(0.7))
    choice = lane_choice(SQUARE, 10.0, windless, UniformFlow(*current), STILL, 1.0)
    tried = [by_hand(SQUARE, 10.0, math.radians(angle), 1.0, current) for angle in range(180)]
    best = math.radians(int(np.argmin(tried)))
    assert abs(math.remainder(choice.best - best, math.pi)) <= math.radians(1.0)
    assert choice.energy == pytest.approx(tried, rel=2e-3)
    assert choice.best_energy <= min(tried) * 1.001


def test_in_a_current_lanes_across_it_are_cheaper_than_along_it():
    """P(1.5) / 2 + P(0.5) / 2 against P(sqrt(1.25)): the table's watts grow faster than the square there."""
    choice = lane_choice(SQUARE, 5.0, BOAT, UniformFlow(0.5, 0.0), STILL, 1.0)
    along, across = choice.energy[0], choice.energy[90]
    assert across < 0.75 * along
    assert abs(choice.best - math.pi / 2.0) < math.radians(15.0)


def test_in_still_water_a_circle_like_area_does_not_care():
    ring = [(100.0 * math.cos(t), 100.0 * math.sin(t)) for t in np.linspace(0.0, math.tau, 361)[:-1]]
    choice = lane_choice(ring, 10.0, BOAT, STILL, STILL, 1.0)
    assert np.ptp(choice.energy) < 2e-3 * choice.energy.mean()


def test_the_speed_of_least_energy_is_found_where_there_is_a_hotel_load():
    """P/U of the table with 20 W beside it, in still water, is least between 1.0 (12.59 W) and 1.2 m/s."""
    hotel = replace(BOAT, vessel=BOAT.vessel._replace(static_load=20.0))
    choice = lane_choice(SQUARE, 50.0, hotel, STILL, STILL)
    assert choice.speed_chosen and 0.9 < choice.speed < 1.2


def test_lanes_that_no_thruster_can_go_are_refused():
    with pytest.raises(InputError, match='in no direction'):
        lane_choice(SQUARE, 50.0, BOAT, UniformFlow(5.0, 0.0), STILL, 1.0)
