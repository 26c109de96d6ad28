import math

import numpy as np
import pytest
from kind_boats import cases_of_kind

from usv_energy.engine.boat_environment import OBSERVATION, BoatEnv
from usv_energy.files.errors import InputError
from usv_energy.powering.actuators import Setting
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')
VARY = {'current.speed': (0.0, 0.4), 'current.direction_deg': (0.0, 360.0), 'start.heading_deg': (-90.0, 90.0)}
NAMES = [name for name, _, _ in OBSERVATION]


@pytest.fixture(params=[True, False], ids=['compiled', 'plain'])
def compiled(request):
    if request.param:
        pytest.importorskip('numba')
    return request.param


def episode(env, seed, actions):
    observations, _ = env.reset(seed=seed)
    rows = [observations]
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        rows.append(np.append(observation, [reward, terminated, truncated, info['energy_j']]))
    return rows


def test_the_same_seed_and_actions_give_the_same_episode(compiled):
    actions = np.random.default_rng(1).uniform(-1.0, 1.0, (60, 2))
    first, again, other = (episode(BoatEnv(SIX, VARY, compiled=compiled), seed, actions) for seed in (7, 7, 8))
    assert all(np.array_equal(a, b) for a, b in zip(first, again))
    assert not np.array_equal(first[0], other[0])
    env = BoatEnv(SIX, VARY, compiled=compiled)
    env.reset(seed=7)
    assert not np.array_equal(env.reset()[0], first[0])  # goes on with the seed's numbers
    assert np.array_equal(env.reset(seed=7)[0], first[0])


def test_the_episode_is_the_plants(compiled):
    """Observations are the Plant's own motion under the same commands."""
    env = BoatEnv(SIX, newton=True, compiled=compiled)
    observation, _ = env.reset(seed=0)
    plant = Plant(SIX.plant.vessel, SIX.start, SIX.flow_at(), SIX.step)
    rng = np.random.default_rng(2)
    for _ in range(100):
        commands = rng.uniform(-15.0, 15.0, 2)  # beyond the limits, too
        observation, _, _, _, info = env.step(commands)
        plant.advance(commands.tolist())
    np.testing.assert_allclose(observation[3:6], plant.velocity_over_ground(), rtol=0.0, atol=1e-12)
    np.testing.assert_allclose((info['x_m'], info['y_m'], info['thruster_energy_j']),
                               (plant.state.x, plant.state.y, plant.state.work), rtol=1e-12)
    assert dict(zip(NAMES, observation))['yaw'] == pytest.approx(math.remainder(plant.state.yaw, math.tau), abs=1e-12)


def test_rewards_are_the_energy_and_the_goal_ends_it(compiled):
    env = BoatEnv(SIX, compiled=compiled)
    _, info = env.reset(options={'start.x': 262.0})
    assert info['x_m'] == 262.0
    total, terminated, truncated = 0.0, False, False
    while not (terminated or truncated):
        observation, reward, terminated, truncated, info = env.step((1.0, 1.0))
        total += reward
    assert terminated and not truncated and info['outcome'] == 'reached' and info['waypoint'] == 1
    assert -total == pytest.approx(info['energy_j'], rel=1e-12) and total < -100.0
    assert math.hypot(*observation[:2]) < SIX.radius
    with pytest.raises(InputError, match='call reset'):
        env.step((0.0, 0.0))


def test_the_timeout_truncates(compiled):
    env = BoatEnv(SIX, compiled=compiled)
    env.reset(options={'stop.timeout': 0.5})
    steps = [env.step((0.0, 0.0))[2:4] for _ in range(26)]
    assert steps[:25] == [(False, False)] * 25 and steps[25] == (False, True)


def test_shares_of_the_thrust():
    env = BoatEnv(SIX, compiled=False)
    limits = SIX.plant.vessel.thrusters[0]
    most, least = limits.max_thrust, limits.min_thrust
    for action, thrust in (((1.0, -1.0), (most, least)), ((3.0, 0.0), (most, 0.0)),
                           ((0.5, -0.5), (0.5 * most, 0.5 * least))):
        env.reset(seed=0)
        assert env.step(action)[0][NAMES.index('thrust_port'):].tolist() == pytest.approx(thrust)


def test_what_is_wrong_is_named():
    with pytest.raises(InputError, match='no parameter'):
        BoatEnv(SIX, {'nonsense': (0.0, 1.0)})
    with pytest.raises(InputError, match='lowest, then the highest'):
        BoatEnv(SIX, {'current.speed': (1.0, 0.0)})
    env = BoatEnv(SIX, compiled=False)
    with pytest.raises(InputError, match='call reset'):
        env.step((0.0, 0.0))
    env.reset()
    for bad in ((1.0,), (math.nan, 0.0), 1.0):
        with pytest.raises(InputError, match='two finite numbers'):
            env.step(bad)


def test_gymnasium_takes_it():
    """Its checker wants a subclass; spaces and return values are what can be asked of a class that is none."""
    gymnasium = pytest.importorskip('gymnasium')
    env = BoatEnv(SIX, compiled=False)
    assert isinstance(env.action_space, gymnasium.spaces.Box)
    assert env.observation_space.contains(env.reset(seed=1)[0])
    assert env.observation_space.contains(env.step(env.action_space.sample())[0])


@pytest.mark.parametrize(('name', 'fast'), [('rudder', True), *((name, False) for name in (
    'rudder', 'ferry', 'sail', 'tunnel', 'pair with propellers'))])
def test_any_arrangement_is_steered_by_thrusts_and_angles_and_moves_as_its_plant(name, fast, tmp_path):
    """Thrusts, then angles of thrusters, then those of foils, in N and rad, beyond their limits, too."""
    compiled = fast and pytest.importorskip('numba') is not None
    kind = cases_of_kind(name, tmp_path).scenario
    env = BoatEnv(kind, newton=True, compiled=compiled)
    observation, _ = env.reset(seed=0)
    vessel = kind.plant.vessel
    assert len(observation) == 10 + len(env.actions) == len(env.observations)
    plant = Plant(vessel, kind.start, kind.flow_at(), kind.step)
    rng = np.random.default_rng(2)
    low, high = np.array([row[2:] for row in env.actions]).T
    for _ in range(20):
        asked = rng.uniform(1.2 * low, 1.2 * high)
        observation, _, _, _, info = env.step(asked)
        numbers = iter(asked.tolist())
        thrusts = tuple(next(numbers) for _ in vessel.thrusters)
        angles, foils = (tuple(None if part is None else next(numbers) for part in parts) for parts in
                         ([one.azimuth for one in vessel.thrusters], [one.steer for one in vessel.foils]))
        for _ in range(kind.steps_per_period):
            plant.advance(Setting(thrusts, angles, foils))
    np.testing.assert_allclose(observation[3:6], plant.velocity_over_ground(), rtol=0.0, atol=1e-11)
    np.testing.assert_allclose((info['x_m'], info['y_m'], info['thruster_energy_j']),
                               (plant.state.x, plant.state.y, plant.state.work), rtol=1e-11)
    does = [value for part in plant.setting for value in part if value is not None]
    np.testing.assert_allclose(observation[10:], does, rtol=0.0, atol=1e-12)


def test_shares_of_angles_go_evenly_from_the_least_to_the_largest(tmp_path):
    scenario = cases_of_kind('rudder', tmp_path).scenario
    env = BoatEnv(scenario, compiled=False)
    assert [row[:2] for row in env.actions] == [('thrust_screw', 'N'), ('angle_rudder', 'rad')]
    np.testing.assert_allclose(np.degrees(env.actions[1][2:]), (-40.0, 40.0))
    env.reset(seed=0)
    for _ in range(200):
        observation = env.step((0.5, -0.5))[0]
    assert math.degrees(observation[-1]) == pytest.approx(-20.0)
    with pytest.raises(InputError, match='2 finite numbers: thrust_screw, angle_rudder'):
        env.step((0.5,))
    if hasattr(env, 'action_space'):
        assert env.action_space.shape == (2,) and env.observation_space.shape == (12,)
