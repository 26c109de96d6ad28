"""Loads in a run: energy by name sums to the total, by closed form, and a boat without loads runs as ever."""

from dataclasses import replace

import pytest

from usv_energy.boats.load import Duty, Load, LoadRule, SpeedSwitch
from usv_energy.sim.record import summary_of
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

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
