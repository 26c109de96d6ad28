import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.studies.mission import mission_estimate
from usv_energy.studies.mission.mission_alternatives import mission_departures
from usv_energy.studies.mission.mission_bands import FlowDoubt
from usv_energy.studies.mission.mission_battery import GO, NO_GO, UNSURE, battery_energy
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import departure_verdict, mission_study, with_departures
from usv_energy.studies.mission.mission_words import broken_off_words
from usv_energy.studies.plan.steady_motion import steady_state

TABLE = read_boat('blueboat_watts_only')
STILL = UniformFlow()
PERIOD = 44712.0    # s: of the tide M2.


class Tide:
    """A current along x that turns like a tide: -amplitude cos(2 pi t / PERIOD), everywhere, until it ends."""

    path = Path('tide.yaml')

    def __init__(self, amplitude, end=math.inf):
        self.amplitude, self.end = amplitude, end

    def velocity(self, t, x, y):
        return (np.full(x.shape, -self.amplitude * math.cos(math.tau * t / PERIOD)), np.zeros(x.shape),
                np.full(x.shape, t <= self.end))


def placed(current, speed=1.0, length=500.0):
    mission = mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, (Waypoint(LocalPlace(length, 0.0), 1),)),
                               TABLE, STILL, STILL, speed)
    return replace(mission, scenario=replace(mission.scenario, current=current))


def test_the_best_departure_in_a_tide_is_with_it():
    """Half a period after the strongest current ahead it runs along the way; the mission is short against a tide."""
    times = np.linspace(0.0, PERIOD, 25).tolist()
    found = mission_departures(placed(Tide(0.3)).scenario, times)
    assert found.best == 12 and found.changing and found.held.all()
    assert found.energy[0] == pytest.approx(found.energy.max(), rel=1e-3)
    assert found.time == pytest.approx(np.full(25, 500.0)), 'speed over ground is held: the time is the same'
    there = mission_study(placed(Tide(0.3)), times[12])
    assert there.legs.total.sum() == pytest.approx(found.energy[12], rel=1e-12)


def test_energies_are_those_of_the_current_at_that_time():
    """A tide of 0.3 m/s against or with 1.0 m/s over ground is the table at 1.3 and 0.7 m/s through the water."""
    found = mission_departures(placed(Tide(0.3)).scenario, [0.0, PERIOD / 2.0])
    steady = [mission_study(placed(UniformFlow(x, 0.0))).legs.total.sum() for x in (-0.3, 0.3)]
    assert found.energy == pytest.approx(steady, rel=2e-3)


def test_points_in_nearly_the_same_water_are_solved_as_one_to_a_millionth_of_the_energy(monkeypatch):
    """The tide turns by 0.02 m/s during 500 s: 100 points a leg become about ten, whose error is of second order."""
    scenario, solved = placed(Tide(0.3)).scenario, []

    def counted(vessel, course, speed, flow):
        solved.append(np.size(course))
        return steady_state(vessel, course, speed, flow)

    monkeypatch.setattr(mission_estimate, 'steady_state', counted)
    energies = []
    for alike in (mission_estimate.ALIKE, 1e-12):
        monkeypatch.setattr(mission_estimate, 'ALIKE', alike)
        energies.append(mission_estimate.legs_estimate(scenario, 0.25 * PERIOD).total)
    assert 8 <= solved[0] <= 13 and solved[1] == 100
    assert energies[0] == pytest.approx(energies[1], rel=1e-6)


def test_where_nothing_changes_the_first_is_as_good_as_any():
    found = mission_departures(placed(UniformFlow(0.2, 0.0)).scenario, [5.0, 10.0, 15.0])
    assert found.best == 0 and not found.changing


def test_too_much_current_is_slower_and_no_go_and_the_best_is_one_that_holds_the_speed():
    mission = placed(Tide(1.5), speed=2.5)
    study = mission_study(mission)._replace(departures=mission_departures(mission.scenario, [0.0, PERIOD / 2.0]))
    found = study.departures
    assert found.held.tolist() == [False, True] and found.best == 1 and found.time[0] > found.time[1] == 200.0
    assert [departure_verdict(study, number) for number in range(2)] == [NO_GO, GO]


def test_a_departure_near_the_reserve_has_the_verdict_of_the_mission_then():
    """In slack water 0.05 m/s is a smaller share than in the stream, but on a steeper curve: the interval is wider."""
    mission, doubt = placed(Tide(0.3)), FlowDoubt(0.05, 0.0)
    times = [0.25 * PERIOD, 0.5 * PERIOD]
    slack, best = (mission_study(mission, time, uncertainty=doubt) for time in times)
    own, scaled = float(slack.bands.so_far[1, -1]), float(best.bands.so_far[1, -1]) / best.energy * slack.energy
    assert own > 1.1 * scaled
    reserve = slack.charge_at_start - 0.5 * (own + scaled) / battery_energy(mission.scenario)
    slack, best = (mission_study(mission, time, reserve=reserve, uncertainty=doubt) for time in times)
    found = mission_departures(mission.scenario, times)
    assert departure_verdict(best._replace(departures=found), 0) != slack.verdict
    judged = with_departures(best, found)
    assert [departure_verdict(judged, number) for number in range(2)] == [slack.verdict, best.verdict]

    def stop(*_):
        raise KeyboardInterrupt

    for unjudged in (with_departures(best, found._replace(wanted=3)), with_departures(best, found, stop)):
        assert [departure_verdict(unjudged, number) for number in range(2)] == [UNSURE, best.verdict]
        assert 'near the reserve have no interval of their own' in broken_off_words(unjudged)


def test_departures_without_a_flow_are_left_out_and_all_of_them_are_an_error():
    found = mission_departures(placed(Tide(0.3, end=1000.0)).scenario, [0.0, 400.0, 800.0])
    assert np.isnan(found.energy).tolist() == [False, False, True] and found.best == 1
    with pytest.raises(InputError, match=r'tide\.yaml: no value at t = 2'):
        mission_departures(placed(Tide(0.3, end=1000.0)).scenario, [2000.0, 3000.0])


def test_what_is_done_is_kept_when_somebody_breaks_it_off():
    def stop(done, number):
        if done == 3:
            raise KeyboardInterrupt

    found = mission_departures(placed(Tide(0.3)).scenario, np.linspace(0.0, PERIOD, 9).tolist(), progress=stop)
    assert (found.energy.size, found.departure.size, found.wanted) == (3, 3, 9) and found.best == 2

    class Stopping(Tide):
        def velocity(self, t, x, y):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mission_departures(placed(Stopping(0.3)).scenario, [0.0, 1.0])


def test_corners_that_are_run_side_by_side_cost_what_they_cost_alone():
    """The runs of a mission end when its own corners have settled, whatever other missions are run beside it."""
    corners = tuple(Waypoint(LocalPlace(x, y), number) for number, (x, y) in enumerate(
        ((60.0, 0.0), (60.0, 40.0), (0.0, 40.0)), start=1))
    mission = mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, corners), read_boat('lutra_prop'), STILL,
                               STILL, 0.8)
    scenario = replace(mission.scenario, current=Tide(0.25, end=0.6 * PERIOD))
    times = np.linspace(0.0, 0.5 * PERIOD, 5).tolist()
    together = mission_departures(scenario, times)
    each = [mission_departures(scenario, [time]) for time in times]
    alone = np.array([one.energy[0] for one in each])
    assert together.changing and together.energy == pytest.approx(alone, rel=1e-9)
    for kept, one in zip(together.corners, each, strict=True):     # They are not run again for intervals.
        np.testing.assert_allclose(kept.energy, one.corners[0].energy, rtol=1e-6, atol=1e-6)
    with_none = mission_departures(scenario, [*times, 0.7 * PERIOD])
    assert np.isnan(with_none.energy[-1]) and with_none.energy[:-1] == pytest.approx(alone, rel=1e-12)
