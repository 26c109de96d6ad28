"""A mission's estimate against a boat with equations, guidance and controller of its own (`independent_boat`)."""

import math

import independent_boat as twin
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.studies.mission.mission_estimate import legs_estimate
from usv_energy.studies.mission.mission_scenario import mission_scenario

PLACES = (50.0, 0.0), (50.0, 50.0), (0.0, 50.0), (0.0, 0.0)
SPEED, RADIUS = 0.7, 1.59
CURRENT, WIND = (0.12, 0.08), (2.0, -1.0)


class LinePilot:
    """
    Line of sight with a course over ground held against drift, PD of heading, PI of speed, every 0.1 s.

    The numbers of gains and look-ahead distance are those of the mission; `arrived` is the time of the last place, s.
    """

    def __init__(self, current, gains, ahead):
        self.kp, self.kd, self.speed_kp, self.speed_ki = gains[:4]
        self.ahead = ahead
        self.current, self.leg, self.integral, self.thrusts, self.arrived = current, 0, 0.0, (0.0, 0.0), math.nan

    def __call__(self, time, state, hull):
        if round(time / 0.02) % 5:
            return self.thrusts
        x, y, yaw, u_r, v_r, r = state
        while self.leg < 4 and math.dist((x, y), PLACES[self.leg]) < RADIUS:
            self.leg += 1
        if self.leg == 4:
            self.arrived = time if math.isnan(self.arrived) else self.arrived
            return 0.0, 0.0
        (x0, y0), (x1, y1) = ((0.0, 0.0), *PLACES)[self.leg], PLACES[self.leg]
        course = math.atan2(y1 - y0, x1 - x0)
        off = (y - y0) * math.cos(course) - (x - x0) * math.sin(course)
        u = u_r + self.current[0] * math.cos(yaw) + self.current[1] * math.sin(yaw)
        v = v_r - self.current[0] * math.sin(yaw) + self.current[1] * math.cos(yaw)
        heading = course - math.atan(off / self.ahead) - math.asin(max(-0.9, min(0.9, v / SPEED)))
        turn = self.kp * math.remainder(heading - yaw, math.tau) - self.kd * r
        error = math.sqrt(max(SPEED ** 2 - v * v, 0.0)) - u
        wanted = self.speed_kp * error + self.integral
        self.thrusts = twin.pair(wanted, turn, hull)
        if time > 0.0:  # What the thrusters cannot give runs back into the integral.
            got = math.cos(hull.tilt) * sum(self.thrusts)
            self.integral += 0.1 * (self.speed_ki * error + self.speed_ki / self.speed_kp * (got - wanted))
        return self.thrusts


@pytest.mark.parametrize('current, wind', [((0.0, 0.0), (0.0, 0.0)), (CURRENT, WIND)])
def test_time_and_energy_are_those_of_an_independent_boat_within_three_percent(current, wind):
    way = tuple(Waypoint(LocalPlace(*place), number) for number, place in enumerate(PLACES))
    scenario = mission_scenario(Itinerary('box', LocalPlace(0.0, 0.0), True, way), read_boat('lutra_prop'),
                                UniformFlow(*current), UniformFlow(*wind), SPEED).scenario
    pilot = LinePilot(current, scenario.gains, scenario.lookahead)
    truth = twin.simulated(twin.LUTRA, pilot, 420.0, current, wind)
    work = float(truth.work[round(pilot.arrived / twin.STEP)])
    legs = legs_estimate(scenario)
    assert legs.end[-1] == pytest.approx(pilot.arrived, rel=0.03)
    assert legs.total.sum() == pytest.approx(work, rel=0.03)
