"""The compiled loop, the loop on arrays, and run_scenario give the same runs: seven scenarios, and what they lack."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.vessel import Losses
from usv_energy.engine.cases import Results, cases_of
from usv_energy.engine.ensemble import pieces_of, run_ensemble
from usv_energy.engine.run_state import BLOCK, RAN_AWAY, REACHED, TIMED_OUT
from usv_energy.files.errors import InputError
from usv_energy.powering.power import CONVENTIONS
from usv_energy.sim.scenario import read_scenario, scenario_names

SIX = read_scenario('6')
ONE_PART_IN_1E9 = 1e-9
MAP = Losses(1.0, 1.0, np.array([-12.0, 0.0, 12.0]), np.array([90.0, 1.0, 150.0]))


@pytest.fixture(params=['numba', 'numpy'])
def backend(request):
    if request.param == 'numba':
        pytest.importorskip('numba')
    return request.param


def difference(ours: Results, theirs: Results) -> dict[str, float]:
    """
    Return the largest differences by column: of energies and final motion relative to the largest of their kind in the
    run, of all else relative to itself. A residual yaw rate of 1e-7 rad/s has no nine digits to agree in.
    """
    mine, other = ours.columns(), theirs.columns()
    causes = [name for name in mine if name.startswith('energy_')]
    scales = {name: np.abs(other[name]) for name in mine}
    scales |= dict.fromkeys(causes, np.max([np.abs(other[name]) for name in causes], axis=0))
    scales |= {name: np.maximum(np.abs(other[name]), 1.0) for name in ('x', 'y', 'yaw', 'u_r', 'v_r', 'r', 'outcome')}
    return {name: float(np.max(np.abs(mine[name] - other[name]) / np.where(scales[name] > 0.0, scales[name], 1.0)))
            for name in mine if not (np.isnan(mine[name]) & np.isnan(other[name])).all()}


def worst(ours: Results, theirs: Results) -> float:
    return max(difference(ours, theirs).values())


def sailed(scenario, backend='python', number=1, **overrides):
    return run_ensemble(cases_of(scenario, number, **overrides), backend)


# --- That the ROS graph equals run_scenario, to the last bit, is for test/node/test_lockstep_graph.py to show.


def alone(scenario, backend):
    theirs = sailed(scenario)
    assert theirs.outcome[0] == REACHED and theirs.energy['total'][0] > 300.0
    return worst(sailed(scenario, backend), theirs)


@pytest.mark.parametrize('convention', CONVENTIONS)
@pytest.mark.parametrize('name', scenario_names())
def test_the_seven_scenarios_compiled(name, convention):
    """Plain Python's own figures are held by test/golden."""
    pytest.importorskip('numba')
    assert alone(read_scenario(name).with_options(convention=convention), 'numba') < ONE_PART_IN_1E9


@pytest.mark.parametrize('name, convention', [('1', 'rep103'), ('3', 'as_published'), ('7', 'rep103')])
def test_scenarios_on_arrays(name, convention):
    """Slow on one boat; test_two_hundred_random_boats has the loop on arrays against the compiled one."""
    assert alone(read_scenario(name).with_options(convention=convention), 'numpy') < ONE_PART_IN_1E9


def test_a_block_of_boats_is_each_boat_alone():
    """The compiled loop has two forms: boats side by side, and one by itself."""
    pytest.importorskip('numba')
    scenario = read_scenario('7')
    speeds = np.linspace(0.5, 1.2, 21)  # More than a block, and none full.
    together = sailed(scenario, 'numba', 21, **{'speed.target': speeds})
    for index in (0, 7, 20):
        alone = sailed(scenario, 'numba', 1, **{'speed.target': speeds[index]})
        one = Results.of_columns({name: column[index:index + 1] for name, column in together.columns().items()})
        assert worst(one, alone) < 1e-11


# --- What the seven have not


def special(name):
    scenario = read_scenario('6')
    if name == 'waypoints':
        return replace(scenario, waypoints=((247.0, 95.0), (247.5, 96.0), (250.0, 105.0), (240.0, 108.0)))
    if name == 'fine steps':
        return replace(scenario, step=0.01, period=0.04, timeout=20.0)
    if name == 'other plant, straight at the goal':
        return replace(scenario.with_options(plant='lutra_prop_usvsim'), lookahead=None)
    vessel = scenario.boat.vessel
    thrusters = tuple(t._replace(lag=0.3) for t in vessel.thrusters)
    boat = replace(scenario.boat, vessel=vessel._replace(
        thrusters=thrusters, losses=MAP, static_load=4.0, inertia=vessel.inertia._replace(m23=0.4)))
    return replace(scenario, boat=boat, plant=boat)


@pytest.mark.parametrize('name', ['waypoints', 'fine steps', 'other plant, straight at the goal', 'lag and map'])
def test_what_the_seven_scenarios_have_not(name, backend):
    scenario = special(name)
    theirs = sailed(scenario)
    assert theirs.waypoint[0] == (len(scenario.waypoints) if theirs.outcome[0] == REACHED else 0)
    assert worst(sailed(scenario, backend), theirs) < ONE_PART_IN_1E9


def test_a_run_that_times_out(backend):
    """Its thrusters work for one period more than it is observed, in all of them."""
    scenario = replace(read_scenario('1'), timeout=3.0)
    ours, theirs = sailed(scenario, backend), sailed(scenario)
    assert ours.outcome[0] == TIMED_OUT and ours.duration[0] == pytest.approx(3.0, abs=1e-9)
    assert worst(ours, theirs) < ONE_PART_IN_1E9


def test_a_run_that_is_over_before_it_begins(backend):
    scenario = replace(read_scenario('1'), waypoints=((241.0, 95.0),))
    ours = sailed(scenario, backend)
    assert ours.outcome[0] == REACHED and ours.duration[0] == 0.0 and ours.samples[0] == 0
    assert all(energy[0] == 0.0 for energy in ours.energy.values())


def test_a_run_whose_step_is_too_long_ran_away_and_the_others_did_not(backend):
    """h d33 / m33 up to 1 is allowed: at 0.2 s up to d33 = 5.8; up to 2.785 (16.1) the method would be stable."""
    scenario = replace(read_scenario('6'), step=0.2, period=0.2)
    ours = sailed(scenario, backend, 4, **{'boat.damping.linear.d33': [4.63, 40.0, 4.0, 8.0]})
    assert ours.outcome.tolist() == [REACHED, RAN_AWAY, REACHED, RAN_AWAY]
    assert np.isfinite(ours.energy['total'][[0, 2]]).all() and np.isnan(ours.energy['total'][[1, 3]]).all()
    assert ours.samples[1] == ours.waypoint[3] == 0 and ours.samples[0] > 10
    assert sailed(scenario, 'python', 1, **{'boat.damping.linear.d33': 40.0}).outcome[0] == RAN_AWAY


def test_two_hundred_random_boats():
    """Issue 5: the loop on arrays gives what the compiled one does, to rounding, whatever varies."""
    pytest.importorskip('numba')
    rng, number = np.random.default_rng(5), 240
    cases = cases_of(read_scenario('6'), number, **{
        'boat.inertia.m11': rng.uniform(8.0, 14.0, number), 'boat.inertia.m22': rng.uniform(8.0, 14.0, number),
        'boat.inertia.m33': rng.uniform(0.8, 2.0, number), 'boat.inertia.m23': rng.uniform(-0.5, 0.5, number),
        'boat.damping.linear.d11': rng.uniform(5.0, 20.0, number),
        'boat.damping.quadratic.d22': rng.uniform(0.0, 30.0, number),
        'boat.windage.frontal_area': rng.uniform(0.05, 0.2, number),
        'boat.windage.lateral_x': rng.uniform(-0.1, 0.1, number), 'boat.windage.yaw_arm': rng.uniform(0.0, 0.2, number),
        'boat.thrusters.*.max_thrust': rng.uniform(8.0, 14.0, number),
        'boat.thrusters.*.lag': rng.choice([0.0, 0.2], number), 'boat.thrusters.*.tilt_deg': rng.uniform(0, 20, number),
        'boat.losses.efficiency': rng.uniform(0.3, 1.0, number), 'boat.static_load': rng.uniform(0.0, 20.0, number),
        'start.heading_deg': rng.uniform(-180.0, 180.0, number), 'start.x': rng.uniform(235.0, 262.0, number),
        'waypoints.0.y': rng.uniform(85.0, 105.0, number), 'speed.target': rng.uniform(0.3, 1.3, number),
        'current.speed': rng.uniform(0.0, 0.5, number), 'current.direction_deg': rng.uniform(0.0, 360.0, number),
        'wind.speed': rng.uniform(0.0, 4.0, number), 'wind.direction_deg': rng.uniform(0.0, 360.0, number),
        'controller.heading.kp': rng.uniform(5.0, 15.0, number), 'controller.speed.ki': rng.uniform(0.0, 60.0, number),
        'guidance.lookahead': rng.uniform(1.0, 4.0, number), 'stop.radius': rng.uniform(1.5, 3.0, number),
        'stop.timeout': rng.uniform(10.0, 30.0, number)})
    compiled, arrays = run_ensemble(cases, 'numba', threads=2), run_ensemble(cases, 'numpy')
    assert {REACHED, TIMED_OUT} == set(compiled.outcome.tolist())
    assert worst(arrays, compiled) < ONE_PART_IN_1E9
    for index in (0, 100, 239):
        plain = run_ensemble(cases.part(index, index + 1), 'python')
        one = Results.of_columns({name: column[index:index + 1] for name, column in compiled.columns().items()})
        assert worst(one, plain) < ONE_PART_IN_1E9


@pytest.mark.parametrize('arguments, words', [
    (('gpu',), "no backend named 'gpu'; there are: auto, numba, numpy"), (('numba', 0), '0 threads')])
def test_a_backend_that_is_none(arguments, words):
    with pytest.raises(InputError, match=words):
        run_ensemble(cases_of(SIX, 1), *arguments)
    with pytest.raises(InputError, match='0 runs'):
        cases_of(SIX, 0)


def test_without_numba(monkeypatch):
    """`auto` is the loop on arrays then; numba by name says what to install."""
    monkeypatch.setitem(sys.modules, 'numba', None)
    short = cases_of(SIX, 2, **{'stop.timeout': 1.0})
    assert run_ensemble(short).samples.tolist() == [50, 50]
    with pytest.raises(InputError, match='pip install numba'):
        run_ensemble(short, 'numba')


def test_chunks_parts_and_threads_change_nothing():
    pytest.importorskip('numba')
    number = 300
    cases = cases_of(SIX, number, **{'current.speed': np.linspace(0.0, 0.5, number), 'stop.timeout': 5.0})
    told = []
    whole = run_ensemble(cases, 'numba', threads=1)
    chunked = run_ensemble(cases, 'numba', threads=2, chunk=130, progress=lambda *done: told.append(done))
    assert told == [(130, 300), (260, 300), (300, 300)]
    part = run_ensemble(cases.part(100, 200), 'numba')
    for name, column in whole.columns().items():
        np.testing.assert_array_equal(column, chunked.columns()[name])
        np.testing.assert_array_equal(column[100:200], part.columns()[name])
    assert list(whole.columns()) == list(Results.COLUMNS) and whole.number == number


def test_a_progress_that_raises_ends_the_ensemble():
    def stop(done, number):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_ensemble(cases_of(SIX, 4, **{'stop.timeout': 1.0}), 'numpy', chunk=2, progress=stop)


def test_energy_is_the_sum_of_its_causes_and_closes():
    cases = cases_of(SIX, 5, **{'wind.speed': np.linspace(0.0, 4.0, 5), 'boat.static_load': 3.0})
    results = run_ensemble(cases, 'numpy')
    energy = results.energy
    np.testing.assert_allclose(sum(energy[c] for c in ('inertia', 'damping', 'wind', 'side_force')), energy['thrust'],
                               rtol=1e-12)
    np.testing.assert_allclose(sum(energy[c] for c in ('thrust', 'unrecovered', 'losses', 'static_load')),
                               energy['total'], rtol=1e-12)
    np.testing.assert_allclose(energy['static_load'], 3.0 * results.duration, rtol=1e-12)
    np.testing.assert_allclose(energy['thrust'] + energy['unrecovered'], results.thruster_energy, rtol=1e-5)


@pytest.mark.parametrize(('number', 'threads', 'pieces'), [
    (17, 2, 1), (200, 2, 2), (1600, 2, 12), (1600, 8, 8), (1600, 5, 10), (1_000_000, 3, 24)])
def test_pieces_of_work_are_alike_but_for_a_block_and_leave_nothing_out(number, threads, pieces):
    found = pieces_of(number, threads)
    assert len(found) == pieces
    assert [first for first, _ in found] == [0, *(last for _, last in found[:-1])] and found[-1][1] == number
    sizes = [last - first for first, last in found]
    assert max(sizes) - min(sizes) <= 2 * BLOCK and all(first % BLOCK == 0 for first, _ in found)
