import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow
from usv_energy.planning.corner_runs import Moving, Steering, runs_onto_legs, stops
from usv_energy.power.actuators import resting_setting
from usv_energy.power.energy import CAUSES
from usv_energy.sim.course_gains import course_gains
from usv_energy.sim.guidance import leg_between
from usv_energy.sim.plant_step import PlantState

LUTRA = read_boat('lutra_prop').vessel
GAINS, AHEAD = course_gains(LUTRA, 0.7, 3.0)
STILL = Flow(*np.zeros((4, 2)))


def begin(x, y, yaw, speed):
    """Return two boats of one kind."""
    zero = np.zeros(2)
    return Moving(PlantState(*(np.array(part, dtype=float) for part in (x, y, yaw, speed)), zero, zero, zero),
                  resting_setting(zero, LUTRA), zero)


def test_turns_to_either_side_are_mirrored():
    zero, speed = np.zeros(2), np.full(2, 0.7)
    ran = runs_onto_legs(LUTRA, Steering(GAINS, AHEAD), begin([0, 0], [0, 0], [-1.0, 1.0], speed),
                         leg_between(zero, zero, zero + 1e4, zero), speed, STILL)
    state = ran.moving.state
    assert state.x[0] == pytest.approx(state.x[1], rel=1e-9) and state.y[0] == pytest.approx(-state.y[1], rel=1e-9)
    assert ran.energy[:, 0] == pytest.approx(ran.energy[:, 1], rel=1e-9, abs=1e-9)


def test_energy_is_that_of_motion_and_drag():
    """Straight on from rest: what the thrusters gave is the kinetic energy and the drag's work, nothing else."""
    zero, speed = np.zeros(2), np.full(2, 0.7)
    ran = runs_onto_legs(LUTRA, Steering(GAINS, AHEAD), begin([0, 0], [0, 0], [0, 0], zero),
                         leg_between(zero, zero, zero + 1e4, zero), speed, STILL)
    by_cause = dict(zip(CAUSES, ran.energy))
    assert by_cause['inertia'] == pytest.approx(0.5 * 9.75 * ran.moving.state.u_r ** 2, rel=1e-9)
    assert by_cause['total'] == pytest.approx(by_cause['inertia'] + by_cause['damping'] + by_cause['wind'], rel=1e-6)


def test_a_boat_that_stays_in_a_current_pays_its_drag():
    """d11 0.3^2 = 1.467 W against 0.3 m/s, once it lies; it begins at rest over ground with its bow against it."""
    current = Flow(np.full(2, -0.3), *np.zeros((3, 2)))
    there = begin([0, 0], [0, 0], [0, 0], [0.3, 0.3])
    long, short = (stops(LUTRA, GAINS, there, np.full(2, np.nan), np.full(2, time), current) for time in (400.0, 200.0))
    assert (long.energy - short.energy)[CAUSES.index('total')] == pytest.approx(200.0 * 16.296 * 0.09, rel=0.01)
