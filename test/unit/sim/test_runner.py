
import math
from dataclasses import replace

import numpy as np
import pytest
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.deck_load import DeckLoad
from usv_energy.boats.load import Duty, Load, LoadRule, SpeedSwitch
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import read_flow
from usv_energy.powering.energy import CAUSES
from usv_energy.powering.power import CONVENTIONS
from usv_energy.sim import record
from usv_energy.sim.record import summary_of
from usv_energy.sim.runner import ScenarioRun, run_scenario
from usv_energy.sim.scenario import read_scenario

SEVEN = ('1', '2', '3', '4', '5', '6', '7')


@pytest.fixture(scope='module')
def runs():
    """Return the fourteen runs by scenario and convention, each run once."""
    return {(name, convention): run_scenario(read_scenario(name).with_options(convention=convention))
            for name in SEVEN for convention in CONVENTIONS}


def relative(run):
    published = run.scenario.published
    return run.duration / published.duration - 1.0, run.energy.total / published.energy - 1.0


# --- Against the thesis (issue 2, "Must show" B and C), by the one declared configuration


@pytest.mark.parametrize('name, convention, time_within, energy_within', [
    # Straight ways at full thrust. The thesis's d11 and u_max are rounded (1.34 or 1.35 m/s, 22 N), its stop is not
    # known to better than 1 m of 30 m, and it read its times off to half a second.
    ('1', 'rep103', 0.03, 0.03), ('1', 'as_published', 0.03, 0.03),
    ('2', 'rep103', 0.03, 0.03), ('2', 'as_published', 0.03, 0.03),
    # In a cross current its published formula on our data; its controller's gains and path are not printed.
    ('3', 'as_published', 0.05, 0.08), ('4', 'as_published', 0.05, 0.08),
    # Its 30.5 s at 1 m/s are 30 m in full and ours end 2.5 m short, so only the energy is asked for.
    ('5', 'rep103', math.inf, 0.05), ('5', 'as_published', math.inf, 0.05)])
def test_published_numbers(runs, name, convention, time_within, energy_within):
    time, energy = relative(runs[name, convention])
    assert abs(time) < time_within and abs(energy) < energy_within


def test_the_text_and_not_the_table_has_scenario_twos_energy(runs):
    """461.81 J (section 6.3.2), 441.81 J (table 6.1): the physics is within 2 % of the one, 5 % off the other."""
    energy = runs['2', 'rep103'].energy.total
    assert energy == pytest.approx(461.81, rel=0.02)
    assert energy > 1.05 * 441.81


def test_scenario_three_needs_the_published_mix_up(runs):
    """573.78 J in 18.5 s are 31.0 W, above the d11 u_max^2 = 29.7 W of full thrust; only as_published gets there."""
    ours, theirs = runs['3', 'rep103'], runs['3', 'as_published']
    assert 573.78 / 18.5 > 16.296 * 1.35 ** 2
    assert ours.energy.total / ours.duration < 16.296 * 1.364 ** 2
    assert theirs.energy.total / theirs.duration > 16.296 * 1.364 ** 2
    assert relative(ours)[1] < -0.14 and abs(relative(theirs)[1]) < 0.01


def test_scenarios_six_and_seven_are_reached_by_neither(runs):
    """The thesis's own numbers do not fit: its times are 16 % longer than the way at 1 m/s takes."""
    for name, convention in ((n, c) for n in ('6', '7') for c in CONVENTIONS):
        assert relative(runs[name, convention])[0] == pytest.approx(-0.165, abs=0.01)
    # What 6 spends too much and 7 too little, by any convention, the sum of both has right to 20 %.
    for convention in CONVENTIONS:
        total = runs['6', convention].energy.total + runs['7', convention].energy.total
        assert total == pytest.approx(305.73 + 898.44, rel=0.20)


@pytest.mark.parametrize('name', SEVEN)
def test_closure(runs, name):
    """The model's energy is the work of the plant's thrusters, to 0.5 %: here 0.001 %."""
    run = runs[name, 'rep103']
    assert run.outcome == record.REACHED
    assert abs(run.closure) < 2e-5
    assert run.thruster_energy == run.rows[-1].thruster_energy


def test_closure_error_is_that_of_means_over_steps():
    """What is left of the closure falls with the square of the odometry's period."""
    scenario = read_scenario('3')
    closures = [run_scenario(replace(scenario, step=period, period=period)).closure
                for period in (0.04, 0.02, 0.01, 0.005)]
    assert np.log2(np.array(closures[:-1]) / closures[1:]) == pytest.approx(2.0 * np.ones(3), abs=0.1)
    assert abs(closures[-1]) < 1e-6


def test_a_model_that_does_not_close_on_its_own_plant_is_an_error():
    """Samples every 4 s of a boat that turns in one: what it did between them was not seen."""
    scenario = replace(read_scenario('3'), start=(240.0, 95.0, math.pi), period=4.0)
    with pytest.raises(InputError, match=r'3\.yaml: the energy of the model is .* % off .*simulation\.period is 4, '):
        run_scenario(scenario)
    other = run_scenario(replace(scenario, boat=read_boat('lutra_prop_eq57')))
    assert other.closure_fault == '', 'another boat than the plant need not close'


@pytest.mark.parametrize('name', ['3', '4', '6', '7'])
def test_in_a_cross_current_as_published_does_not_close(runs, name):
    assert runs[name, 'as_published'].closure > 0.04


@pytest.mark.parametrize('speed, error', [(0.5, 1.89), (1.0, 0.445), (1.35, 0.070)])
def test_a_linear_model_of_a_quadratic_boat_is_right_at_one_speed_only(speed, error):
    """Steady at u the thesis's d11 says d11 u^2 where USVsim's hull takes 11.28 u^3: off by d11 / (11.28 u) - 1."""
    scenario = replace(read_scenario('5').with_options(plant='lutra_prop_usvsim'), speed=speed)
    last = run_scenario(scenario).rows[-1]
    assert 16.296 / (11.28 * speed) - 1.0 == pytest.approx(error, abs=0.001)
    # The still air's drag, the same in both, adds up to 0.6 % of the smaller power.
    assert last.power.thrust / last.thruster_power - 1.0 == pytest.approx(error, abs=0.007)


# --- Symmetry, convergence, repetition


@pytest.mark.parametrize('name', SEVEN)
@pytest.mark.parametrize('convention', CONVENTIONS)
def test_a_mirrored_scenario_costs_the_same(runs, name, convention):
    run = runs[name, convention]
    scenario = run.scenario
    mirrored = run_scenario(replace(scenario, current=UniformFlow(scenario.current.x, -scenario.current.y),
                                    wind=UniformFlow(scenario.wind.x, -scenario.wind.y)))
    assert mirrored.duration == run.duration
    assert mirrored.energy.total == pytest.approx(run.energy.total, rel=1e-12)
    assert [row.y - 95.0 for row in mirrored.rows] == pytest.approx([95.0 - row.y for row in run.rows], abs=1e-9)


@pytest.mark.parametrize('name', ['3', '7'])
def test_two_runs_are_the_same_to_the_last_bit(runs, name):
    again = run_scenario(read_scenario(name))
    assert repr(again.rows) == repr(runs[name, 'rep103'].rows)      # NaN of the first row included
    assert again.energy == runs[name, 'rep103'].energy


@pytest.mark.parametrize('name', ['1', '3', '5', '7'])
def test_the_plants_step_is_fine_enough(runs, name):
    """Half the step, the same odometry: the energy changes by less than 1e-8, where the controller's stop is 1e-3."""
    run = runs[name, 'rep103']
    finer = run_scenario(replace(run.scenario, step=0.5 * run.scenario.step))
    assert finer.duration == run.duration
    assert finer.energy.total == pytest.approx(run.energy.total, rel=1e-8)


def test_the_lookahead_leaves_the_offset_that_the_current_asks_for():
    """
    Steady on a long leg, the boat crabs at asin(V_cy / u_r) and lies lookahead x tan of it beside the leg.

    There is no integral action against it (Fossen's (10.73) as it stands). Without air the hull makes no leeway; the
    still air that it crosses pushes it back by 6 mm/s.
    """
    scenario = replace(read_scenario('3'), waypoints=((400.0, 95.0),), timeout=200.0)
    vessel = scenario.plant.vessel
    airless = replace(scenario.plant, vessel=vessel._replace(windage=vessel.windage._replace(air_density=0.0)))
    last = run_scenario(replace(scenario, plant=airless)).rows[-1]
    crab = math.asin(scenario.current.y / last.power.u_r)
    assert last.power.v_r == pytest.approx(0.0, abs=1e-9)
    assert last.y - 95.0 == pytest.approx(2.12 * math.tan(crab), abs=1e-6)
    assert last.motion.yaw == pytest.approx(-crab, abs=1e-6)
    assert run_scenario(scenario).rows[-1].power.v_r == pytest.approx(-0.006, abs=0.0005)


# --- What a run holds


@pytest.mark.parametrize('convention', CONVENTIONS)
def test_rows_and_energy_agree(runs, convention):
    run = runs['7', convention]
    times = np.array([row.time for row in run.rows])
    assert run.duration == times[-1] and times[0] == 0.0
    np.testing.assert_allclose(np.diff(times), run.scenario.period, rtol=1e-9)
    for cause in CAUSES:
        values = np.array([getattr(row.power, cause) for row in run.rows[1:]])
        assert getattr(run.energy, cause) == pytest.approx((values * np.diff(times)).sum(), rel=1e-12, abs=1e-12)
    assert run.rows[-1].energy == run.energy.total
    assert run.energy.total == pytest.approx(
        run.energy.thrust + run.energy.unrecovered + run.energy.losses + run.energy.static_load, rel=1e-12)
    assert [row.status for row in run.rows] == [1] + [0] * (len(run.rows) - 1)
    assert math.isnan(run.rows[0].power.total) and run.energy.invalid_samples == 1 and run.energy.gaps == 0
    assert run.convention == convention == run.scenario.convention


def test_distances_over_ground_and_through_water(runs):
    """Scenario 2 goes straight with a following 0.4 m/s; over ground scenario 3's way is the length of its track."""
    straight = runs['2', 'rep103'].energy
    assert straight.distance_over_ground - straight.distance_through_water == pytest.approx(0.4 * straight.duration)
    track = np.array([(row.x, row.y) for row in runs['3', 'rep103'].rows])
    length = np.sum(np.hypot(*np.diff(track, axis=0).T))
    # Chords against trapezoids of the speed: 1e-6 at 0.02 s.
    assert runs['3', 'rep103'].energy.distance_over_ground == pytest.approx(length, rel=1e-5)


def test_a_run_ends_at_the_stop_radius(runs):
    for name in SEVEN:
        run = runs[name, 'rep103']
        (goal,), rows = run.scenario.waypoints, run.rows
        assert math.dist(goal, (rows[-1].x, rows[-1].y)) < run.scenario.radius
        assert math.dist(goal, (rows[-2].x, rows[-2].y)) >= run.scenario.radius


def test_the_timeout_ends_a_run():
    run = run_scenario(replace(read_scenario('1'), timeout=3.0))
    assert run.outcome == record.TIMED_OUT and run.duration == pytest.approx(3.0, abs=0.021)
    assert 0.0 < run.energy.total < 100.0


def test_a_boat_that_starts_at_its_goal_has_nothing_to_do():
    run = run_scenario(replace(read_scenario('1'), waypoints=((241.0, 95.0),)))
    assert run.outcome == record.REACHED and len(run.rows) == 1 and run.duration == 0.0
    assert run.energy.total == 0.0 and math.isnan(run.closure)


def test_waypoints_are_taken_in_turn():
    way = ((255.0, 95.0), (255.0, 110.0), (240.0, 110.0))
    scenario = replace(read_scenario('5'), waypoints=way)
    run = run_scenario(scenario)
    assert run.outcome == record.REACHED and abs(run.closure) < 0.005
    nearest = [np.argmin([math.dist(point, (row.x, row.y)) for row in run.rows]) for point in way]
    assert nearest == sorted(nearest) and nearest[-1] == len(run.rows) - 1
    assert all(math.dist(p, (run.rows[i].x, run.rows[i].y)) < scenario.radius for p, i in zip(way, nearest))


def test_goal_guidance_without_disturbance_is_the_same_way(runs):
    """On a straight way in still water both guidances steer straight ahead."""
    run = run_scenario(replace(read_scenario('1'), lookahead=None))
    assert run.energy == runs['1', 'rep103'].energy


def test_a_step_too_long_for_the_boat_is_named():
    with pytest.raises(InputError, match=r'3\.yaml: simulation\.step is 0\.9 s; must be at most 0\.233 s'):
        run_scenario(replace(read_scenario('3'), step=0.9, period=0.9))


def test_a_simulation_that_runs_away_all_the_same_is_named():
    """A boat that its drag turns faster and faster, which no file may hold."""
    scenario = read_scenario('3')
    vessel = scenario.boat.vessel
    driven = replace(scenario.boat, vessel=vessel._replace(damping=vessel.damping._replace(d33=-40.0)))
    with pytest.raises(InputError, match=r'3\.yaml: the simulation runs away at .* simulation\.step is 0\.02'):
        run_scenario(replace(scenario, boat=driven, plant=driven))


def test_progress_is_told_the_time_and_may_end_the_run():
    times = []

    def stop_at_half_a_second(time):
        times.append(time)
        if time > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_scenario(read_scenario('1'), stop_at_half_a_second)
    assert times == pytest.approx([0.02 * n for n in range(27)])


def test_closure_of_no_work_is_no_number():
    assert math.isnan(record.relative(3.0, 0.0)) and record.relative(3.0, 2.0) == 0.5
    scenario = read_scenario('1')
    assert record.Run(scenario, 'rep103', record.ABORTED, [], run_scenario(replace(scenario, timeout=0.1)).energy, 0.0
                      ).duration == 0.0


def test_a_load_on_deck_takes_its_kinetic_energy():
    """From rest to the speed of full thrust, nearly: inertia is 0.5 (m11 + load) u^2, in waterless surge."""
    for load in (None, DeckLoad(3.0, 0.1, 0.0, 0.3)):
        going = ScenarioRun(read_scenario('1'), load)
        while going.advance() and going.plant.time < 6.0:
            pass
        run, mass = going.result(), going.plant.vessel.inertia.m11
        assert mass == read_boat('lutra_prop').vessel.inertia.m11 + (3.0 if load else 0.0)
        speed = run.rows[-1].motion.u
        assert run.energy.inertia == pytest.approx(0.5 * mass * speed ** 2, rel=1e-3)
        assert run.closure == pytest.approx(0.0, abs=1e-3)


def test_a_load_that_leaves_gives_the_boat_back_as_it_was():
    scenario = read_scenario('waves/otter_head_sea')
    going = ScenarioRun(scenario, DeckLoad(3.0, 0.1, 0.1, 0.4))
    assert going.plant.vessel.parts.rest_roll < -1e-3
    going.set_deck_load(None)
    going.advance()
    assert going.plant.vessel.parts == scenario.plant.vessel.parts
    assert going.plant.vessel.inertia == scenario.plant.vessel.inertia


def test_what_is_drawn_for_others_is_of_the_cells_alone(tmp_path):
    """20 W for the time of the run: so much more do the cells give, and the energy by cause is the same."""
    (tmp_path / 'cells.yaml').write_text('base: lutra_prop\nname: cells\nbattery: {chemistry: nmc, series: 4, '
                                         'capacity_ah: 15.6, nominal_voltage: 14.8, capacity_wh: null}\n')
    scenario = read_scenario('1').with_options(boat=str(tmp_path / 'cells.yaml'))
    runs = []
    for watts in (0.0, 20.0):
        going = ScenarioRun(scenario)
        going.set_extra_power(watts)
        while going.advance():
            pass
        runs.append(going.result())
    plain, drawn = runs
    assert drawn.supply.energy - plain.supply.energy == pytest.approx(20.0 * plain.duration, rel=1e-3)
    assert drawn.energy.total == pytest.approx(plain.energy.total, rel=1e-3)


THRUST = ('inertia', 'damping', 'wind', 'foils', 'waves', 'side_force', 'residual')


def run_in(folder, towards, height=0.3, period=2.5):
    """Return a run of 30 s at 1 m/s to the east, and that in calm water; the current holds no drift."""
    path = folder / f'sea{towards}.yaml'
    path.write_text(yaml.safe_dump({'title': 'a sea', 'medium': 'water', 'waves': {
        'kind': 'irregular', 'significant_height': height, 'peak_period': period, 'direction_deg': towards, 'seed': 77,
        'drift_depth': 50.0}}))
    scenario = replace(read_scenario('waves/otter_head_sea'), timeout=30.0)
    return run_scenario(replace(scenario, current=read_flow(str(path)))), run_scenario(
        replace(scenario, current=read_scenario('1').current))


@pytest.mark.parametrize(('towards', 'least', 'most'), [(180.0, 0.04, 0.12), (90.0, -0.015, 0.015), (0.0, -0.06, 0.0)])
def test_the_causes_are_the_work_of_the_thrusters(tmp_path, towards, least, most):
    """
    Within 0.05 % (0.01 % on the runs of docs/waves.md), where the model without `waves` errs by -5.5 to +3.7 %.

    Head seas cost, following seas push, beam seas do neither; damping is that of calm water within 3 %: the yaw swings.
    """
    run, calm = run_in(tmp_path, towards)
    energy, work = run.energy, run.rows[-1].thruster_energy
    assert energy.thrust + energy.unrecovered == pytest.approx(work, rel=5e-4)
    assert sum(getattr(energy, cause) for cause in THRUST) == pytest.approx(energy.thrust, rel=1e-9)
    assert least * work < energy.waves < most * work
    assert energy.damping == pytest.approx(calm.energy.damping, rel=0.03)
    assert calm.energy.waves == 0.0 and all(row.power.waves == 0.0 for row in calm.rows[1:])


LOADS = {'sonar': Load(20.0, Duty(0.1, 4.0)), 'radio': Load(3.5), 'pump': Load(12.0, speed=SpeedSwitch(below=0.5))}


def run_with(loads, scenario='5'):
    own = read_scenario(scenario)
    boat = replace(own.boat, vessel=own.boat.vessel._replace(loads=tuple(loads.values())),
                   load_rules=tuple(map(LoadRule, loads)))
    return run_scenario(replace(own, boat=boat, plant=boat))


@pytest.fixture(scope='module')
def run():
    return run_with(LOADS)


def test_the_energy_by_name_sums_to_the_cause_and_the_causes_to_the_total(run):
    energy = run.energy
    assert sum(run.by_load) == pytest.approx(energy.loads, rel=1e-9)
    parts = energy.thrust + energy.unrecovered + energy.losses + energy.allocation + energy.static_load + energy.loads
    assert parts == pytest.approx(energy.total, rel=1e-9)


def test_each_load_is_its_closed_form(run):
    whole, rest = divmod(run.duration, 4.0)
    assert run.by_load[0] == pytest.approx(20.0 * (0.4 * whole + min(rest, 0.4)), rel=1e-9)
    assert run.by_load[1] == pytest.approx(3.5 * run.duration, rel=1e-12)
    slow = [1.0 if (row.motion.u ** 2 + row.motion.v ** 2) ** 0.5 < 0.5 else 0.0 for row in run.rows]
    steps = zip(run.rows, run.rows[1:], slow, slow[1:])
    assert run.by_load[2] == pytest.approx(
        sum(12.0 * 0.5 * (one + other) * (after.time - before.time) for before, after, one, other in steps), rel=1e-9)


def test_the_boat_moves_as_without_loads(run):
    plain = run_with({})
    assert run.energy.total - run.energy.loads == pytest.approx(plain.energy.total, rel=1e-12)
    assert [row.motion for row in run.rows[1:]] == [row.motion for row in plain.rows[1:]]
    assert plain.energy.loads == 0.0 and plain.by_load == ()
    assert 'energy_by_load_j' not in summary_of(plain, 'test')


def test_the_summary_names_them(run):
    summary = summary_of(run, 'test')
    assert list(summary['energy_by_load_j']) == list(LOADS)
    assert sum(summary['energy_by_load_j'].values()) == pytest.approx(summary['energy_loads_j'], rel=1e-9)
