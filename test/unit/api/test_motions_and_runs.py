"""The public Python API, typed as a user would type it, against closed forms of the boat's printed coefficients."""

import math

import numpy as np
import pytest

import usv_energy

# lutra_prop as config/boats/lutra_prop.yaml prints it: kg, kg m^2, N s/m, N m s/rad; wind: kg/m^3, m^2, (-).
M11, M33, D11, D22, D33 = 9.75, 1.158, 16.296, 10.193, 4.63
AIR, FRONT, SIDE, C_X, C_Y = 1.184, 0.08, 0.18, 0.68, 1.11
SPEED = np.array([0.25, 0.5, 1.0, 1.35])


@pytest.fixture(scope='module')
def boat():
    return usv_energy.read_boat('lutra_prop')


# ---- the power of a motion

@pytest.mark.parametrize('u', [0.0, 0.7, 1, SPEED, SPEED.reshape(2, 2)])
def test_steady_and_straight_it_takes_drag_and_air(boat, u):
    """P = d11 u^2 and half rho A c_x u^3 against still air."""
    power = usv_energy.power(boat, u=u)
    np.testing.assert_allclose(power.damping, D11 * u ** 2, rtol=1e-14)
    np.testing.assert_allclose(power.wind, 0.5 * AIR * FRONT * C_X * u ** 3, rtol=1e-14)
    np.testing.assert_allclose(power.total, power.damping + power.wind, rtol=1e-14)
    assert np.shape(power.total) == np.shape(power.losses) == np.shape(u)


def test_a_float_gives_floats_and_a_list_gives_an_array(boat):
    assert all(type(value) is float for value in usv_energy.power(boat, u=1))
    assert isinstance(usv_energy.power(boat, u=[0.5, 1.0]).total, np.ndarray)


def test_accelerating_takes_the_kinetic_energy(boat):
    """m11 u u_dot and m33 r r_dot: the rate of change of the kinetic energy, added mass included."""
    power = usv_energy.power(boat, u=0.8, u_dot=0.1, r=0.2, r_dot=0.05)
    assert power.inertia == pytest.approx(M11 * 0.8 * 0.1 + M33 * 0.2 * 0.05, rel=1e-14)
    assert power.damping == pytest.approx(D11 * 0.64 + D33 * 0.04, rel=1e-14)


def test_braking_gives_nothing_back(boat):
    power = usv_energy.power(boat, u=0.5, u_dot=-2.0)
    assert power.thrust < 0.0
    assert power.total == pytest.approx(0.0, abs=1e-12)
    assert power.unrecovered == pytest.approx(-power.thrust, rel=1e-14)


@pytest.mark.parametrize('yaw', [0.0, 0.4, math.pi / 2, -2.0])
def test_current_and_wind_are_where_they_flow_to_in_the_earth_frame(boat, yaw):
    """Carried by the water with the air at rest to the boat: nothing. The same by directions and by components."""
    current = usv_energy.uniform_flow(0.4, 30.0)
    assert current == pytest.approx((0.4 * math.cos(math.pi / 6), 0.2), rel=1e-14)
    c, s = math.cos(yaw), math.sin(yaw)
    u, v = current.x * c + current.y * s, current.y * c - current.x * s
    power = usv_energy.power(boat, u=u, v=v, yaw=yaw, current=current, wind=current)
    assert power.total == pytest.approx(0.0, abs=1e-14)


def test_a_boat_held_still_in_a_cross_current_pays_for_its_sway(boat):
    """Heading east, water to the north at 0.3 m/s: through the water it sways to starboard, -0.3 m/s."""
    power = usv_energy.power(boat, u=0.0, current=(0.0, 0.3))
    assert (power.u_r, power.v_r) == pytest.approx((0.0, -0.3), abs=1e-15)
    assert power.damping == pytest.approx(D22 * 0.09, rel=1e-14)


def test_a_beam_wind_on_a_drifting_boat(boat):
    """Wind to the north at 4 m/s on a boat that sways with it at 0.5 m/s: the wind's force does work, none is taken."""
    power = usv_energy.power(boat, u=0.0, v=0.5, wind=(0.0, 4.0))
    assert power.wind == pytest.approx(-0.5 * AIR * SIDE * C_Y * 3.5 ** 2 * 0.5, rel=1e-14)


# ---- energy, runs

def test_energy_of_a_steady_motion_is_power_times_time_and_holes_are_counted(boat):
    time = np.array([0.0, 1.0, 2.0, 5.0, 6.0])
    energy = usv_energy.energy(time, usv_energy.power(boat, u=np.ones(5)), max_gap=1.0)
    assert energy.damping == pytest.approx(3.0 * D11, rel=1e-14)
    assert (energy.gaps, energy.gap_duration, energy.duration) == (1, 3.0, 3.0)
    assert energy.distance_over_ground == pytest.approx(3.0)
    with pytest.raises(usv_energy.InputError, match='shape'):
        usv_energy.energy(time[:3], usv_energy.power(boat, u=np.ones(5)))


def test_the_power_of_a_runs_samples_is_the_runs_power():
    """Closure: the model's thrust energy is the work of the simulated thrusters, to the 0.1 % of the README."""
    pytest.importorskip('xarray')
    run = usv_energy.run_scenario('3')
    assert run.outcome == 'reached'
    assert abs((run.energy.thrust + run.energy.unrecovered) / run.thruster_energy - 1.0) < 1e-4
    data = usv_energy.to_dataset(run)
    power = usv_energy.power('lutra_prop', **{name: data[name].values for name in (
        'u', 'v', 'r', 'u_dot', 'v_dot', 'r_dot', 'yaw')}, current=(data.current_x.values, data.current_y.values))
    # The samples' accelerations are means over the step before, which at their instants are half a step late.
    assert usv_energy.energy(data.time.values, power).total == pytest.approx(run.energy.total, rel=5e-3)
    np.testing.assert_allclose(power.total[-20:], data.power_total.values[-20:], rtol=1e-3)


def test_a_run_takes_another_boat_and_convention():
    run = usv_energy.run_scenario(usv_energy.read_scenario('1'), boat='lutra_prop_usvsim', convention='as_published')
    assert (run.scenario.boat.name, run.convention) == ('lutra_prop_usvsim', 'as_published')


def test_a_run_takes_a_boat_that_was_fitted_out(tmp_path):
    run = usv_energy.run_scenario('1', boat=usv_energy.fit_out('lutra_prop', hotel=7.0))
    assert run.energy.static_load == pytest.approx(7.0 * run.duration, rel=1e-9)
    plan = str(tmp_path / 'three.plan')
    route = usv_energy.route('blueboat', (0.0, 0.0), (30.0, 0.0), origin=(45.6, 9.5))
    usv_energy.write_plan(route.as_mission(), plan)
    by_name, read = (usv_energy.run_scenario(plan, boat=boat, payload=9.0)
                     for boat in ('blueboat', usv_energy.read_boat('blueboat')))
    assert read.energy == by_name.energy
    assert read.scenario.boat.hull.payload == 9.0


def test_figures_of_a_runs_track_are_those_of_its_samples():
    run = usv_energy.run_scenario('2')
    figures = usv_energy.track_figures(run)
    speeds = [math.hypot(row.motion.u, row.motion.v) for row in run.rows]
    assert figures['peak_speed_over_ground_m_s'] == pytest.approx(max(speeds), rel=1e-12)
    assert figures['path_deviation_max_m'] == pytest.approx(max(abs(row.y - 95.0) for row in run.rows), abs=1e-9)
    assert (figures['collisions'], figures['least_clearance_m']) == (0, None)


# ---- many runs, maps, range

def test_a_sweep_is_what_single_runs_are_and_labels_its_axes():
    pytest.importorskip('xarray')
    data = usv_energy.run_sweep('6', {'speed.target': [0.6, 1.0]}, {'current.speed': [0.0, 0.1, 0.2],
                                                                   'boat.damping.linear.d11': [16.0, 16.5, 17.0]})
    assert data.energy_total.dims == ('speed_target', 'sample')
    assert data.energy_total.attrs['units'] == 'J'
    assert data.boat_damping_linear_d11.attrs == {'units': 'N s/m', 'long_name': 'boat.damping.linear.d11'}
    alone = usv_energy.run_sweep('6', {'speed.target': 1.0, 'current.speed': 0.2, 'boat.damping.linear.d11': 17.0})
    assert alone.energy_total.dims == ()
    assert float(alone.current_speed) == 0.2
    assert float(data.energy_total.sel(speed_target=1.0)[2]) == pytest.approx(float(alone.energy_total), rel=1e-12)
    run = usv_energy.run_scenario('5')
    plain = usv_energy.run_sweep('5', backend='numpy')
    assert float(plain.energy_total) == pytest.approx(run.energy.total, rel=1e-9)


def test_an_energy_map_holds_the_closed_form_in_a_following_current(boat):
    """J/m = d11 (V - c)^2 / V with the air moving along with the boat's ground speed left out: wind = V."""
    pytest.importorskip('xarray')
    data = usv_energy.energy_map(boat, 0.0, SPEED, current=[(0.0, 0.0), (0.2, 0.0)])
    for number, c in enumerate((0.0, 0.2)):
        through = SPEED - c
        air = 0.5 * AIR * FRONT * C_X * SPEED ** 2
        expected = np.where(through > 0.0, (D11 * through + air) * through / SPEED, np.nan)
        np.testing.assert_allclose(data.energy_per_meter[0, :, number, 0], expected, rtol=1e-9)
    assert data.energy_per_meter.attrs['units'] == 'J m-1'
    with pytest.raises(usv_energy.InputError, match='greater than 0'):
        usv_energy.energy_map(boat, 0.0, [0.0, 1.0])


def test_the_range_of_a_boat_with_a_static_load(tmp_path):
    """P = P_s + d11 u^2 (no air): best at u = sqrt(P_s / d11), where a metre costs 2 sqrt(P_s d11)."""
    (tmp_path / 'boat.yaml').write_text('base: lutra_prop\nname: mine\nstatic_load: {value: 9.0, unit: W, source: x}\n'
                                        'windage: {c_x: 0.0, c_y: 0.0}\n')
    found = usv_energy.range_study(tmp_path / 'boat.yaml', 90.0, energy_wh=10.0)
    assert found.best.speed == pytest.approx(math.sqrt(9.0 / D11), rel=1e-6)
    assert found.best.range == pytest.approx(36000.0 / (2.0 * math.sqrt(9.0 * D11)), rel=1e-9)
    np.testing.assert_allclose(found.curve.endurance, 36000.0 / (9.0 + D11 * found.curve.speed ** 2), rtol=1e-9)


def test_a_boat_without_a_battery_asks_for_the_energy():
    with pytest.raises(usv_energy.InputError, match='energy_wh'):
        usv_energy.range_study('wamv')


def test_a_range_in_a_sea_says_what_waves_cost():
    """The Otter's 70.6 N/m^2 from ahead at 2.5 s, times (0.3 m)^2 and the speed."""
    found = usv_energy.range_study('otter_parts', sea=(0.3, 2.5, 180.0))
    assert found.in_sea.power == pytest.approx(70.6 * 0.09 * found.best.speed, rel=1e-9)
    assert found.best.range < found.in_sea.calm.range
    with pytest.raises(usv_energy.InputError, match='says nothing of its added resistance'):
        usv_energy.range_study('lutra_prop', sea=(0.3, 2.5, 180.0))
