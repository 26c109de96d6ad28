import math
from itertools import pairwise

import pytest

from usv_energy.sim.record import last_thruster_energy, summary_of
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario


@pytest.fixture(scope='module')
def run():
    return run_scenario(read_scenario('3'))


def without_thruster_power(run, places):
    """Return a run as the recorder has it where some of the simulator's messages were lost."""
    rows = [row._replace(thruster_power=math.nan, thruster_energy=math.nan) if place in places else row
            for place, row in enumerate(run.rows)]
    return run._replace(rows=rows, thruster_energy=last_thruster_energy(rows))


@pytest.mark.parametrize('lost', [1, 2, 30])
def test_a_lost_message_at_the_end_leaves_the_closure_as_it_is(run, lost):
    """Both energies end where the work is last known: the closure of a slightly shorter run."""
    number = len(run.rows)
    found = without_thruster_power(run, range(number - lost, number))
    assert found.closure == pytest.approx(run.closure, abs=2e-5 * lost)
    summary = summary_of(found, 'ros')
    assert summary['closure_relative'] == found.closure
    assert summary['samples_without_thruster_power'] == lost


def test_lost_messages_on_the_way_change_nothing_but_their_count(run):
    found = without_thruster_power(run, (3, 100, 101))
    assert found.closure == run.closure
    assert found.rows_without_thruster_power == 3


def test_the_closure_up_to_the_last_known_work_is_that_of_a_run_that_ends_there(run):
    """The thrust energy that is taken off is the integral of what came after."""
    lost, number = 40, len(run.rows)
    kept = run.rows[:number - lost]
    energy = sum((b.time - a.time) * (b.power.thrust + b.power.unrecovered) for a, b in pairwise(kept))
    found = without_thruster_power(run, range(number - lost, number))
    assert found.closure == pytest.approx(energy / kept[-1].thruster_energy - 1.0, abs=1e-12)


def test_without_a_plant_there_is_no_closure(run):
    found = without_thruster_power(run, range(len(run.rows)))
    assert math.isnan(found.closure) and found.rows_without_thruster_power == len(run.rows)
