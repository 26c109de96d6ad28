"""
Airboat, rudder boat and sailboat in a real Gazebo server against the embedded simulator with the same commands.

The foils of the model are within 1 % of the boat file's (docs/gazebo_models.md), which is 0.5 % of a speed
that they drive and 1 % of the circle that a rudder turns; the airboat has none.
"""

import math

import gz_world
import kinds
import pytest
from gz_compile import CompileError
from steady import still_air

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.plan.polar import polar_of

pytestmark = pytest.mark.skipif(bool(gz_world.missing()), reason=gz_world.missing() or 'there is a server')


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    """Return the runs; skip where the client does not compile, and say why."""
    try:
        gz_world.client()
    except CompileError as reason:
        pytest.skip(str(reason))
    return kinds.runs(tmp_path_factory.mktemp('kinds'))


def radius(u, v, r):
    return math.hypot(u, v) / abs(r)


def test_the_airboat_reaches_its_published_top_speed(runs):
    """[S]: 0.67 m/s at full thrust; closed form sqrt(T / d)."""
    run, boat = runs['airboat_ahead'], read_boat(kinds.AIRBOAT)
    thrust, drag = kinds.cases()['airboat_ahead'].setting.commands[0], boat.vessel.damping.d11_q
    assert run.sample.u == pytest.approx(math.sqrt(thrust / drag), rel=1e-3)
    assert run.sample.u == pytest.approx(0.67, abs=0.005)


def test_a_fan_that_turns_drives_the_circle_of_the_embedded_one(runs):
    sample, state = runs['airboat_turning'].sample, runs['airboat_turning'].state
    assert (sample.u, sample.v, sample.r) == pytest.approx((state.u_r, state.v_r, state.r), rel=0.01)


@pytest.mark.parametrize('helm', ['rudder_10', 'rudder_20', 'rudder_35', 'rudder_beyond'])
def test_the_rudder_boat_turns_the_circle_of_the_embedded_one(runs, helm):
    """Beyond its limit, too: 85 degrees are asked for, and it turns to 60."""
    sample, state = runs[helm].sample, runs[helm].state
    assert sample.r < -0.01, 'to starboard'
    assert radius(sample.u, sample.v, sample.r) == pytest.approx(radius(state.u_r, state.v_r, state.r), rel=0.01)
    assert math.hypot(sample.u, sample.v) == pytest.approx(math.hypot(state.u_r, state.v_r), rel=0.01)


@pytest.mark.parametrize('angle', kinds.OFF_BOW)
def test_the_sailboat_sails_as_fast_as_the_embedded_one_and_its_polar_diagram(runs, angle):
    run = runs[f'sail_{angle:.0f}']
    speed = math.hypot(run.sample.u, run.sample.v)
    polar = polar_of(still_air(read_boat(kinds.SAILBOAT).vessel), [kinds.WIND], [angle])
    assert speed == pytest.approx(math.hypot(run.state.u_r, run.state.v_r), rel=0.005)
    assert speed == pytest.approx(polar.speed[0, 0], rel=0.005)
    assert abs(math.remainder(run.sample.yaw - run.yaw, math.tau)) < math.radians(0.1)


@pytest.mark.parametrize('name', ['airboat_ahead', 'airboat_turning', 'rudder_10', 'rudder_20', 'rudder_35'])
def test_the_work_of_the_thrusters_is_that_of_the_embedded_simulator(runs, name):
    assert runs[name].work == pytest.approx(runs[name].embedded_work, rel=0.005)


def test_they_stay_upright_and_afloat(runs):
    for run in runs.values():
        assert abs(run.sample.z) < 0.002 and max(abs(run.sample.pitch), abs(run.sample.roll)) < math.radians(0.2)
