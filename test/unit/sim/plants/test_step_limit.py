"""The longest step: rates against eigenvalues by numpy of the plant's own derivative, and what a step costs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.dynamics import acceleration
from usv_energy.sim.maneuver import read_maneuver, run_maneuver
from usv_energy.sim.plants.step_limit import check_step, fastest_rate, longest_step
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario, scenario_names
from usv_energy.studies.plan.polar import polar_of

LUTRA = read_boat('lutra_prop')


def eigenvalue(vessel, u, v, r):
    """Return the largest eigenvalue, by size, of d nu_r_dot / d nu_r, by central differences."""
    at, step = np.array([u, v, r]), 1e-6
    columns = [np.subtract(acceleration(*(at + shift), (0.0, 0.0, 0.0), vessel),
                           acceleration(*(at - shift), (0.0, 0.0, 0.0), vessel)) / (2.0 * step)
               for shift in step * np.eye(3)]
    return np.abs(np.linalg.eigvals(np.column_stack(columns))).max()


@pytest.mark.parametrize('name', sorted({*names('boats')} - {'lutra_sail', 'blueboat_watts_only'}))
def test_the_fastest_rate_bounds_that_of_the_motions_that_a_boat_makes(name):
    vessel = read_boat(name).vessel
    fastest, damping = fastest_rate(vessel), vessel.damping
    thrust = sum(t.max_thrust * t.efficiency_of_tilt for t in vessel.thrusters)
    u = np.linspace(0.0, 10.0, 200001)
    top = u[np.argmax(damping.d11 * u + damping.d11_q * u * u >= thrust)]
    straight = eigenvalue(vessel, top, 0.0, 0.0)
    assert straight <= fastest * (1.0 + 1e-4), 'but for the speeds that are tried'
    assert eigenvalue(vessel, 0.5 * top, 0.2 * top, 0.1) <= 1.6 * fastest, 'eq57: m22 is a sixth of m11'
    assert fastest < 5.0 * straight, 'and not far above: the airboat is nine times as hard to push sideways as ahead'


@pytest.mark.parametrize('wind', [2.0, 6.0])
def test_a_boat_under_sail_is_as_fast_as_its_wind_allows(wind):
    """The keel's and rudder's lift at the speed that the sail's most lift holds: rho A lift u / m22, nearly."""
    sail = read_boat('lutra_sail')
    u = wind * np.sqrt(0.5 * 1.2041 * 2.0 * 8.0 / 60.0)
    assert u > polar_of(sail.vessel, [wind], [90.0]).speed[0, 0]
    assert fastest_rate(sail.vessel, wind) == pytest.approx((8000.0 + 1500.0) * u / 56.0, rel=0.15)
    check_step(0.006, sail, Path('any.yaml'), UniformFlow(0.0, 2.0))
    with pytest.raises(InputError, match=r'simulation\.step is 0\.006 s'):
        check_step(0.006, sail, Path('any.yaml'), UniformFlow(0.0, -6.0))
    with pytest.raises(InputError, match=r'simulation\.step is 0\.006 s'):
        check_step(0.006, sail, Path('any.yaml'))


def test_quadratic_drag_in_closed_form():
    """Straight ahead d/du (q u^2) at the speed of full thrust is 2 q u = sqrt(4 q F): 63.3 1/s with 0.5 kg."""
    usvsim = read_boat('lutra_prop_usvsim').vessel
    light = usvsim._replace(inertia=usvsim.inertia._replace(m11=0.5))
    thrust = 2.0 * 11.5 * np.cos(np.radians(15.0))
    assert fastest_rate(light) == pytest.approx(np.sqrt(4.0 * 11.28 * thrust) / 0.5, rel=1e-9)
    assert longest_step(light) == pytest.approx(1.0 / 63.3, rel=1e-3)


def test_linear_yaw_drag_in_closed_form_and_coupled_inertia_by_eigenvalues():
    stiff = LUTRA.vessel._replace(damping=LUTRA.vessel.damping._replace(d33=400.0))
    assert fastest_rate(stiff) == pytest.approx(400.0 / 1.158, rel=0.01)
    damping = stiff.damping._replace(d11=100.0, d22=60.0, d33=30.0, d23=4.0, d32=-3.0)  # 0.22 m/s: C is slight
    coupled = LUTRA.vessel._replace(damping=damping, inertia=LUTRA.vessel.inertia._replace(m23=1.5))
    assert fastest_rate(coupled) == pytest.approx(eigenvalue(coupled, 22.2 / 100.0, 0.0, 0.0), rel=1e-3)


def test_arrays_of_boats_and_a_boat_without_drag():
    vessel = LUTRA.vessel
    d33 = np.array([4.63, 40.0, 400.0])
    many = fastest_rate(vessel._replace(damping=vessel.damping._replace(d33=d33)))
    each = [fastest_rate(vessel._replace(damping=vessel.damping._replace(d33=float(value)))) for value in d33]
    np.testing.assert_allclose(many, each, rtol=1e-14)
    free = vessel._replace(damping=vessel.damping._replace(d11=0.0, d22=0.0, d33=0.0),
                           inertia=vessel.inertia._replace(m22=vessel.inertia.m11))
    assert longest_step(free) == np.inf
    check_step(1e3, replace(LUTRA, vessel=free), Path('any.yaml'))


def test_the_longest_that_is_told_is_allowed_and_a_little_more_is_not():
    with pytest.raises(InputError, match=r'way\.yaml: simulation\.step is 5 s; must be at most 0\.233 s') as error:
        check_step(5.0, LUTRA, Path('way.yaml'))
    told = float(str(error.value).split('at most ')[1].split()[0])
    check_step(told, LUTRA, Path('way.yaml'))
    with pytest.raises(InputError):
        check_step(told * 1.01, LUTRA, Path('way.yaml'))


@pytest.mark.parametrize('name', ['1', '5', '6'])
@pytest.mark.parametrize('m11', [0.5, 9.75])
def test_the_longest_step_costs_no_energy(name, m11):
    """The work of the thrusters with the longest step against a tenth of it: what the bound is for, 0.01 %."""
    scenario = read_scenario(name)
    vessel = scenario.boat.vessel
    boat = replace(scenario.boat, vessel=vessel._replace(inertia=vessel.inertia._replace(m11=m11)))
    period = 0.02 * np.floor(float(longest_step(boat.vessel)) / 0.02)
    long, short = (run_scenario(replace(scenario, boat=boat, plant=boat, step=period / parts, period=period,
                                        timeout=12.0)) for parts in (1, 10))
    assert long.thruster_energy == pytest.approx(short.thruster_energy, rel=1e-4)


def test_all_that_is_shipped_may_run():
    for name in scenario_names():
        for boat in ('lutra_prop', 'lutra_prop_eq57', 'lutra_prop_usvsim', 'wamv', 'blueboat_start'):
            scenario = read_scenario(name).with_options(boat=boat)
            assert scenario.step < 0.5 * longest_step(scenario.plant.vessel)


def test_a_maneuver_is_refused_as_a_scenario_is():
    stiff = replace(LUTRA, vessel=LUTRA.vessel._replace(damping=LUTRA.vessel.damping._replace(d33=400.0)))
    with pytest.raises(InputError, match=r'c\.yaml: simulation\.step is 0\.01 s; must be at most 0\.00289 s'):
        run_maneuver(read_maneuver('c'), LUTRA, stiff)
    with pytest.raises(InputError, match=r'6\.yaml: simulation\.step'):
        run_scenario(replace(read_scenario('6'), boat=stiff, plant=stiff))
