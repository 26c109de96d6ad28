import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow
from usv_energy.powering.actuators import resting_setting
from usv_energy.powering.energy import CAUSES
from usv_energy.sim.control.control import ControlState, course_gains
from usv_energy.sim.control.guidance import leg_between
from usv_energy.sim.plants.plant_step import PlantState
from usv_energy.studies.mission import corner_runs
from usv_energy.studies.mission.corner_runs import MovingBoats, Steering, run_onto_legs, run_stops
from usv_energy.studies.plan.steady_motion import steady_state

LUTRA = read_boat('lutra_prop').vessel
GAINS, AHEAD = course_gains(LUTRA, 0.7, 3.0)
STILL = Flow(*np.zeros((4, 2)))


def begin(x, y, yaw, speed):
    """Return two boats of one kind."""
    zero = np.zeros(2)
    return MovingBoats(PlantState(*(np.array(part, dtype=float) for part in (x, y, yaw, speed)), zero, zero, zero),
                  resting_setting(zero, LUTRA), ControlState(zero))


def runs_east(moving, goals=(1e4,), missions=(0, 0)):
    """Return the runs of two boats along legs to the east at 0.7 m/s, that end at these places, m."""
    ends, number = np.outer(goals, np.ones(2)), len(goals)
    starts = np.vstack((np.zeros(2), ends[:-1]))
    way = leg_between(starts, 0.0 * ends, ends, 0.0 * ends)
    ran = run_onto_legs(LUTRA, Steering(GAINS, AHEAD), moving, way, np.full((number, 2), 2.0), np.full(2, number),
                        np.full((number, 2), 0.7), STILL, np.array(missions))
    return ran._replace(time=ran.time.sum(axis=0), energy=ran.energy.sum(axis=1))


def test_turns_to_either_side_are_mirrored():
    ran = runs_east(begin([0, 0], [0, 0], [-1.0, 1.0], [0.7, 0.7]))
    state = ran.moving.state
    assert state.x[0] == pytest.approx(state.x[1], rel=1e-9) and state.y[0] == pytest.approx(-state.y[1], rel=1e-9)
    assert ran.energy[:, 0] == pytest.approx(ran.energy[:, 1], rel=1e-9, abs=1e-9)


def test_a_run_does_not_depend_on_the_company_of_another_mission():
    """One boat is on its leg, the other has to turn onto it: only those of one mission end together."""
    apart = runs_east(begin([0, 0], [0, 0], [0.0, 2.0], [0.7, 0.7]), missions=(0, 1))
    alone = runs_east(begin([0, 0], [0, 0], [0.0, 0.0], [0.7, 0.7]))
    together = runs_east(begin([0, 0], [0, 0], [0.0, 2.0], [0.7, 0.7]))
    assert apart.time[0] == alone.time[0] < apart.time[1] == together.time[0] == together.time[1]
    assert apart.energy[:, 0] == pytest.approx(alone.energy[:, 0], rel=1e-12, abs=1e-12)
    assert apart.energy[:, 1] == pytest.approx(together.energy[:, 1], rel=1e-12, abs=1e-12)
    assert apart.moving.state.x[0] == pytest.approx(alone.moving.state.x[0], rel=1e-12)


def test_energy_is_that_of_motion_and_drag():
    """Straight on from rest: what the thrusters gave is the kinetic energy and the drag's work, nothing else."""
    ran = runs_east(begin([0, 0], [0, 0], [0, 0], [0, 0]))
    by_cause = dict(zip(CAUSES, ran.energy))
    assert by_cause['inertia'] == pytest.approx(0.5 * 9.75 * ran.moving.state.u_r ** 2, rel=1e-9)
    assert by_cause['total'] == pytest.approx(by_cause['inertia'] + by_cause['damping'] + by_cause['wind'], rel=1e-6)


def test_a_boat_that_the_wind_turns_off_its_heading_ends_its_run_once_the_error_stays(monkeypatch):
    """A BlueBoat turns onto a leg across the wind, which its autopilot holds with an error: what follows is steady."""
    vessel, zero = read_boat('blueboat').vessel, np.zeros(1)
    gains, ahead = course_gains(vessel, 0.7, 3.0)
    moving = MovingBoats(PlantState(zero, zero, zero + 0.5 * np.pi, zero + 0.7, zero, zero, zero),
                         resting_setting(zero, vessel), ControlState(zero))
    way = leg_between(*(part[None] for part in (zero, zero, zero + 1e4, zero)))

    def run():
        ran = run_onto_legs(vessel, Steering(gains, ahead), moving, way, np.full((1, 1), 2.0), np.ones(1, dtype=int),
                            np.full((1, 1), 0.7), Flow(zero, zero, zero, zero - 5.0), np.zeros(1, dtype=int))
        return ran._replace(time=ran.time[-1], energy=ran.energy[:, -1])

    ran = run()
    monkeypatch.setattr(corner_runs, 'STEADY', 0.0)
    longer = run()
    watts = (longer.energy - ran.energy)[CAUSES.index('total')] / (longer.time - ran.time)
    assert 20.0 < ran.time < 0.4 * longer.time
    assert watts == pytest.approx(steady_state(vessel, 0.0, 0.7, Flow(0.0, 0.0, 0.0, -5.0)).power.total, rel=0.003)


def test_two_legs_in_line_are_passed_as_one():
    """Straight on at a steady speed nothing changes where a leg ends but that the run goes on to the next one."""
    at_rest = begin([0, 0], [0, 0], [0, 0], [0, 0])
    one, both = runs_east(at_rest, (1e4,)), runs_east(at_rest, (6.0, 1e4))
    assert (both.moving.state.x > 4.0).all() and (both.moving.state.x >= one.moving.state.x).all()
    shared = runs_east(at_rest, (0.5, 1e4))  # Its end lies within the radius of the start: passed at once.
    assert (shared.time == one.time).all()
    np.testing.assert_allclose(shared.energy, one.energy, rtol=1e-12)


def test_holds_of_one_boat_that_last_differently_are_parts_of_one_run():
    """One boat holds for 100, 4 and 4.05 s: what it takes for 4 s is what a run of 4 s takes, in equal steps."""
    there = begin([-2.0, -2.0], [0, 0], [0, 0], [0.7, 0.7])
    both = run_stops(LUTRA, GAINS, there, np.full(2, np.nan), STILL, np.array([0, 1, 0, 0]),
                     np.array([100.0, 100.0, 4.0, 4.05]))
    alone = run_stops(LUTRA, GAINS, there, np.full(2, np.nan), STILL, np.arange(2), np.full(2, 4.0))
    np.testing.assert_allclose(both.energy[..., 2], alone.energy[..., 0], rtol=1e-9, atol=1e-12)
    assert both.moving.state.x[2] == pytest.approx(alone.moving.state.x[0], rel=1e-9)
    total = both.energy[CAUSES.index('total'), 1]
    assert total[2] < total[3] < total[0] == total[1]


def test_a_boat_that_stays_in_a_current_pays_its_drag():
    """d11 0.3^2 = 1.467 W against 0.3 m/s, once it lies; it begins at rest over ground with its bow against it."""
    current = Flow(np.full(2, -0.3), *np.zeros((3, 2)))
    there = begin([0, 0], [0, 0], [0, 0], [0.3, 0.3])
    long, short = (run_stops(LUTRA, GAINS, there, np.full(2, np.nan), current, np.arange(2), np.full(2, time))
                   for time in (400.0, 200.0))
    assert (long.energy - short.energy)[CAUSES.index('total'), 1] == pytest.approx(200.0 * 16.296 * 0.09, rel=0.01)
