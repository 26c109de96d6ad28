import importlib.util
import math
import sys

import pytest
from places import ROOT

from usv_energy.powering.energy import Accumulation, Sample, accumulate, restarted
from usv_energy.powering.power import Power

PERIOD_NS = 100_000_000
MAX_GAP = 1.0


@pytest.fixture
def load():
    """Return a function that imports a file of bench/, which is no package."""
    names = []

    def one(name):
        names.append(f'bench_{name}')
        spec = importlib.util.spec_from_file_location(names[-1], ROOT / 'bench' / f'{name}.py')
        module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield one
    for name in names:
        del sys.modules[name]


def watts(number):
    return 20.0 + 5.0 * math.sin(0.3 * number)


class Graph:
    """Powers and what the product's own integral makes of them, told to an account as a graph would."""

    def __init__(self, module):
        self.module = module
        self.account = module.Account()
        self.number = -1
        self.stamp = 1_790_000_000 * 10**9
        self.origin = self.stamp
        self.state = Accumulation()
        self.account.expect_all(-1)

    def tell(self, count=1, total=watts, step=PERIOD_NS, heard=True, counted=True, said=True, begins=False):
        for _ in range(count):
            self.number += 1
            self.stamp += step
            power = total(self.number) if callable(total) else total
            if heard:
                self.account.hear_power(self.module.HeardPower(self.number, self.stamp, power, begins))
            if counted:
                values = Power(**{name: power for name in Power._fields})
                if begins:
                    values = values._replace(u_r=1.0)
                sample = Sample((self.stamp - self.origin) * 1e-9, values, 1.0, 1.0, False)
                self.state = accumulate(self.state, sample, MAX_GAP)
            if said and counted:
                self.say()

    def say(self):
        energy = self.state.energy
        fields = self.module.HeardEnergy._fields[1:]
        self.account.hear_energy(self.module.HeardEnergy(self.number, *(getattr(energy, name) for name in fields)))

    def reset(self):
        """Reset; the answer comes when `answer` is called."""
        self.account.ask_reset()
        energy = self.state.energy
        self.answer = f'{energy.total:.2f} J in {energy.duration:.2f} s until here; counting from 0 J'
        self.state = restarted(self.state)


@pytest.fixture
def graph(load):
    return Graph(load('soak_account'))


def assert_right(found):
    assert found.faults == []
    assert (found.differing, found.lost_powers, found.skipped_odometry, found.unheard) == (0, 0, 0, 0)
    assert found.worst < 1e-12
    assert abs(found.lost_joules) <= 1e-12 * max(1.0, found.joules)


def test_a_right_graph_with_gaps_jumps_and_bad_samples_is_found_right(graph):
    graph.tell(50)
    graph.tell(1, total=math.nan)
    graph.tell(20)
    graph.tell(1, step=5_000_000_000)
    graph.tell(20)
    graph.tell(1, step=-4_000_000_000)
    graph.tell(20)
    energy = graph.state.energy
    assert (energy.gaps, energy.segments, energy.invalid_samples) == (1, 2, 1)
    found = graph.account.close()
    assert_right(found)
    assert found.graph_joules == energy.total
    assert found.powers == found.energies == graph.number + 1


def test_energies_that_the_probe_does_not_hear_are_no_loss(graph):
    graph.tell(10)
    graph.tell(30, said=False)
    graph.tell(10)
    found = graph.account.close()
    assert_right(found)
    assert found.graph_joules == graph.state.energy.total


@pytest.mark.parametrize('silent', [0, 3])
def test_a_reset_is_found_where_it_was(graph, silent):
    graph.tell(40)
    graph.reset()
    graph.tell(silent, said=False)
    graph.tell(25)
    graph.account.hear_reset(graph.answer)
    found = graph.account.close()
    assert_right(found)
    assert found.resets == 1
    assert found.joules > graph.state.energy.total


def test_an_answer_of_reset_that_is_wrong_is_found(graph):
    graph.tell(40)
    graph.reset()
    graph.tell(5)
    graph.account.hear_reset('1.00 J in 3.90 s until here; counting from 0 J')
    assert graph.account.close().differing == 1


def test_a_reset_that_nobody_heard_of_is_no_longer_expected(graph):
    """A graph that was just killed is still asked; a drop of the energy after that would be a loss again."""
    graph.tell(40)
    graph.account.ask_reset()
    graph.tell(25)
    assert graph.account.resets_asked == 1
    graph.account.give_up_resets()
    assert graph.account.resets_asked == 0
    graph.tell(5)
    found = graph.account.close()
    assert_right(found)
    assert (found.resets, found.unseen_resets) == (0, 1)
    graph.state = restarted(graph.state)
    graph.tell(1)
    assert graph.account.close().lost_powers > 0


def test_a_reset_that_is_hidden_by_what_was_not_heard_does_not_keep_its_answer_for_the_next(graph):
    """Forty powers are counted, a reset, and more than forty are counted again, which the probe does not hear."""
    graph.tell(40)
    graph.reset()
    hidden = graph.answer
    graph.account.disturb()
    graph.tell(41, heard=False, said=False)
    graph.tell(1)
    graph.account.hear_reset(hidden)
    assert graph.account.resets_asked == 1
    graph.account.give_up_resets()
    graph.tell(20)
    graph.reset()
    graph.tell(10)
    graph.account.hear_reset(graph.answer)
    found = graph.account.close()
    assert (found.faults, found.differing, found.resets, found.unseen_resets) == ([], 0, 1, 1)
    assert found.unheard > 0


def test_a_reset_of_nothing_is_none_that_shows(graph):
    """A graph that was started anew is asked before it has counted anything."""
    graph.reset()
    graph.account.hear_reset(graph.answer)
    graph.tell(25)
    graph.account.give_up_resets()
    found = graph.account.close()
    assert_right(found)
    assert (found.resets, found.unseen_resets) == (0, 1)


def test_a_reset_that_hides_what_was_counted_before_the_probe_heard_is_no_fault(graph):
    """Of a graph that is found late, the first energy counts one power and the joules since the one before."""
    graph.tell(7, heard=False, said=False)
    graph.reset()
    graph.account.hear_reset(graph.answer)
    graph.tell(30)
    graph.account.give_up_resets()
    found = graph.account.close()
    assert_right(found)
    assert (found.resets, found.unseen_resets) == (0, 1)
    assert found.joules == pytest.approx(graph.state.energy.total, rel=1e-12)


def test_an_answer_of_reset_that_did_nothing_is_found(graph):
    graph.tell(40)
    graph.account.ask_reset()
    graph.account.hear_reset('100.00 J in 3.90 s until here; counting from 0 J')
    graph.tell(25)
    graph.account.give_up_resets()
    found = graph.account.close()
    assert found.differing == 1
    assert len(found.faults) == 1 and 'and the energy goes on' in found.faults[0]


def test_a_sample_that_the_graph_loses_is_found_with_its_joules(graph):
    graph.tell(40)
    graph.tell(3, counted=False)
    graph.tell(40)
    found = graph.account.close()
    assert (found.lost_powers, found.skipped_odometry) == (3, 0)
    # The mean after the hole is what the graph has instead of those of its three samples.
    assert 0.0 < abs(found.lost_joules) < 1.0
    assert 'were not counted' in found.faults[0]


def test_an_energy_that_is_wrong_is_found(graph):
    graph.tell(40)
    energy = graph.state.energy
    graph.state = graph.state._replace(energy=energy._replace(total=energy.total * (1.0 + 1e-8)))
    graph.tell(1)
    found = graph.account.close()
    assert found.differing == 1
    assert found.worst == pytest.approx(1e-8, rel=0.1)


def test_a_power_that_only_the_probe_loses_is_not_the_graphs_fault(graph):
    graph.tell(40)
    graph.tell(2, heard=False)
    graph.tell(40)
    found = graph.account.close()
    assert (found.unheard, found.lost_powers, found.differing) == (2, 0, 0)
    assert found.skipped_odometry == found.unheard
    assert abs(found.lost_joules) <= 1e-12 * found.joules


def test_powers_before_the_probe_was_connected_are_not_the_graphs_fault(graph):
    graph.tell(7, heard=False, said=False)
    graph.tell(30)
    found = graph.account.close()
    assert (found.unheard_at_start, found.unheard, found.lost_powers, found.differing) == (7, 0, 0, 0)


def test_odometry_without_a_power_is_found_unless_the_graph_was_disturbed(graph):
    graph.tell(10)
    graph.number += 4
    graph.tell(10)
    assert graph.account.findings.skipped_odometry == 4
    graph.account.disturb()
    graph.tell(3)
    assert not graph.account.undisturbed
    graph.account.expect_answers(graph.number)
    graph.number += 50
    graph.tell(10)
    assert graph.account.is_catching_up
    graph.account.expect_all(graph.number + 5)
    graph.tell(3)
    graph.number += 7
    graph.tell(10)
    assert graph.account.findings.skipped_odometry == 4
    graph.number += 2
    graph.tell(1)
    assert graph.account.close().skipped_odometry == 6


@pytest.mark.parametrize('soon', [False, True])
def test_what_went_by_while_the_accumulator_was_inactive_is_a_gap(graph, soon):
    """`soon`: the next disturbance comes before the accumulator was heard again."""
    graph.tell(30)
    graph.account.disturb(accumulator=True)
    graph.tell(2)
    graph.tell(40, counted=False)
    graph.account.expect_answers(graph.number)
    if soon:
        graph.account.disturb()
    graph.tell(30)
    assert graph.state.energy.gaps == 1
    assert_right(graph.account.close())


def test_growth_is_the_slope_times_the_duration_of_the_mean(load):
    growth = load('soak_memory').growth_percent
    assert growth(range(10), [100.0] * 10) == 0.0
    assert growth(range(11), [95.0 + moment for moment in range(11)]) == pytest.approx(10.0)
    assert growth([0.0], [1.0]) == 0.0


def test_a_sample_that_only_begins_a_step_is_one(graph):
    """The first of a graph, one after a gap, and one of a calculator that was restarted, which changes nothing."""
    graph.tell(1, total=math.nan, begins=True)
    graph.tell(20)
    graph.tell(1, total=math.nan, begins=True)
    graph.tell(20)
    graph.tell(1, total=math.nan, begins=True, step=5 * 10**9)
    graph.tell(20)
    found = graph.account.close()
    assert_right(found)
    assert graph.state.energy.duration == pytest.approx(6.1)
    assert (graph.state.energy.gaps, graph.state.energy.gap_duration) == (1, pytest.approx(5.0))


def test_a_graph_is_in_step_once_an_energy_has_counted_just_what_was_heard(graph):
    """One that was started anew is heard late; what disturbs it before would be taken for that."""
    graph.tell(5, heard=False, said=False)
    graph.tell(3, said=False)
    assert not graph.account.in_step
    graph.tell(1)
    assert not graph.account.in_step
    graph.tell(1)
    assert graph.account.in_step
    assert graph.account.close().unheard_at_start == 5
