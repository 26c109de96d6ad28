"""
Boats in a real Gazebo server against the embedded simulator with the same boat files.

1 % is what is asked for (ten times closer: docs/gazebo_accuracy.md); what Gazebo adds is its step of 4 ms, the
velocity from differences of places, and a degree of heel by the tilted thrusters.
"""

import math

import gz_world
import pytest
from gz_compile import CompileError
from gz_world import far_apart, open_water, running, world_text
from steady import BOATS, CASES, disturbed, drift, embedded, steady_states

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.flow_file import read_flow
from usv_energy.gazebo.model import Placement
from usv_energy.sim.scenario import read_scenario

pytestmark = pytest.mark.skipif(bool(gz_world.missing()), reason=gz_world.missing() or 'there is a server')


@pytest.fixture(scope='module', autouse=True)
def client():
    """Skip where the client does not compile, and say why."""
    try:
        return gz_world.client()
    except CompileError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope='module')
def states(tmp_path_factory):
    return steady_states(tmp_path_factory.mktemp('steady'))


@pytest.mark.parametrize('case', CASES)
@pytest.mark.parametrize('kind', BOATS)
def test_steady_velocities_are_the_embedded_simulators(states, kind, case):
    sample, state = states[0][kind, case]
    expected = {'u': state.u_r, 'v': state.v_r, 'r': state.r}
    for name in CASES[case].looked_at:
        assert getattr(sample, name) == pytest.approx(expected[name], rel=0.01)
    for name in set('uvr') - set(CASES[case].looked_at):
        assert abs(getattr(sample, name)) < 1e-3


@pytest.mark.parametrize('case', CASES)
@pytest.mark.parametrize('kind', BOATS)
def test_the_whole_way_from_rest_is_the_embedded_simulators(states, kind, case):
    """Places in the end, so the start, with inertia and added mass, counts too: 1 % of the way, and of the turn."""
    sample, state = states[0][kind, case]
    turned = math.remainder(sample.yaw - state.yaw, math.tau)
    assert abs(turned) < 0.01 * max(abs(state.r) * CASES[case].duration, 0.1)
    way = math.hypot(state.u_r, state.v_r) * CASES[case].duration
    assert math.hypot(sample.x - state.x, sample.y - state.y) < 0.01 * way + 0.01


@pytest.mark.parametrize('case', CASES)
@pytest.mark.parametrize('kind', BOATS)
def test_the_boat_stays_upright_and_afloat(states, kind, case):
    """The thrust's tilt: 6 N up lift the boat by 1.2 mm, opposed thrusters heel it by 0.5 N m / 460 N m/rad."""
    sample, _ = states[0][kind, case]
    assert abs(sample.z) < 0.002 and abs(sample.pitch) < math.radians(0.01) and abs(sample.roll) < math.radians(0.1)
    assert max(map(abs, (sample.w, sample.p, sample.q))) < 1e-3


def test_a_boat_that_does_not_keep_its_course_circles_as_the_embedded_one_does(states):
    """Quadratic damping alone: 22 N straight ahead end in a circle, 0.4 % slower; linear damping keeps the course."""
    sample = states[1]['quadratic']
    assert abs(sample.r) > 0.05
    state = disturbed(read_boat(BOATS['quadratic']), CASES['surge_22'].thrusts, sample.r)
    assert (sample.u, sample.v, sample.r) == pytest.approx((state.u_r, state.v_r, state.r), rel=0.01)
    assert abs(states[1]['linear'].r) < 1e-6


def test_a_free_boat_drifts_with_the_current(tmp_path):
    current, drifts = drift(tmp_path)
    for velocity in drifts.values():
        assert math.dist(velocity, current) < 0.01 * math.hypot(*current)


def test_a_current_that_the_world_file_gives_flows_from_the_start(tmp_path):
    """Scenario 2: 0.4 m/s east. After 10 s the linear boat, 0.6 s of time constant, goes with it."""
    scenario = read_scenario('2')
    placement = Placement(scenario.plant, 'diffboat', 240.0, 95.0, 0.0, (0.4, 0.0))
    text = world_text(scenario, 'open_water', [placement], 0.0, 'test')
    with running(text, ['diffboat'], tmp_path) as world:
        sample = world.run(10.0)['diffboat']
    assert (sample.u, sample.v) == pytest.approx((0.4, 0.0), abs=1e-3)
    # d11/m11 = 1.67/s: 0.4 m/s x (10 s - 0.598 s).
    assert (sample.x, sample.y) == pytest.approx((240.0 + 0.4 * (10.0 - 9.75 / 16.296), 95.0), abs=0.01)


def test_commands_beyond_a_thrusters_limits_are_cut(tmp_path):
    boat = read_boat('lutra_prop')
    boats = far_apart({'within': boat, 'beyond': boat})
    with running(open_water(boats), list(boats), tmp_path) as world:
        for thruster in ('left', 'right'):
            world.thrust('within', thruster, 11.5)
            world.thrust('beyond', thruster, 99.0)
        samples = world.run(10.0)
    assert samples['beyond'].u == pytest.approx(samples['within'].u, rel=1e-6)
    assert samples['within'].u == pytest.approx(embedded(boat, (11.5, 11.5), 10.0).state.u_r, rel=0.01)


def test_a_boat_cannot_leave_the_river(tmp_path):
    """Full thrust at the left bank, y = 125 m: it is stopped there, and still floats."""
    scenario, river = read_scenario('river/crossing_current'), read_flow('river')
    boat = read_boat('lutra_prop')
    text = world_text(scenario, 'river', [Placement(boat, 'diffboat', 200.0, 115.0, 0.5 * math.pi)], 0.0, 'test',
                      river=river)
    with running(text, ['diffboat'], tmp_path, 'river') as world:
        for thruster in ('left', 'right'):
            world.thrust('diffboat', thruster, 11.5)
        sample = world.run(20.0)['diffboat']
    assert 125.0 - 0.53 - 0.1 < sample.y + 0.53 * (1.0 - abs(math.sin(sample.yaw))) < 125.0
    assert abs(sample.z) < 0.05
