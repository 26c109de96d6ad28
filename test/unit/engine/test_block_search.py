"""Blocks of boats as they are compiled, but in Python: the thrusts that are searched for side by side."""

import numpy as np
import pytest
from arrangements import TUNNEL, feasible, one_by_one, parts_of
from kind_boats import cases_of_kind

from usv_energy.engine import block_search, numba_engine
from usv_energy.engine.block_search import (
    FOUND,
    LOOK_ROWS,
    PART_ROWS,
    SEARCH_ROWS,
    look_until_settled,
    rows_of_search,
    search_of_command,
    search_of_sample,
    unsettled_of,
)
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.prepared_runs import prepared
from usv_energy.engine.results import Results
from usv_energy.engine.run_start import run_at_start
from usv_energy.engine.run_steps import run_observed, run_steered
from usv_energy.engine.single_run import RESULT_ROWS
from usv_energy.engine.tuple_rows import BLOCK, leaves, map_leaves, read_column, write_column
from usv_energy.physics.allocation import UNKNOWN
from usv_energy.physics.allocation_prices import search_for
from usv_energy.physics.price_search import first_look, next_look, prices
from usv_energy.physics.price_track import track_restarted
from usv_energy.physics.thrust_sharing import AskedSearch
from usv_energy.sim.guidance import leg_between


class Counted:
    """What a run of a block asked for: searches (missing, looks, left), and how many boats it did one by one."""

    def __init__(self, monkeypatch):
        self.searches, self.alone = [], []
        monkeypatch.setattr(block_search, 'look_until_settled', self.look)
        for name in ('observe_missing', 'steer_missing'):
            monkeypatch.setattr(numba_engine, name, self.counting(getattr(numba_engine, name)))

    def look(self, template, look_template, rows, looks):
        before = unsettled_of(look_template, looks)
        number = look_until_settled(template, look_template, rows, looks)
        self.searches.append((before, number, unsettled_of(look_template, looks)))
        return number

    def counting(self, function):
        def counted(*given):
            self.alone.append((function.__name__, numba_engine.number_of(given[-1])))
            return function(*given)
        return counted


@pytest.fixture(scope='module')
def boats(tmp_path_factory):
    """Return the cases of sixteen boats with a tunnel thruster, and what comes of them one by one."""
    cases = cases_of_kind('tunnel', tmp_path_factory.mktemp('boats'), BLOCK, seconds=0.2)
    return cases, run_ensemble(cases, 'python').columns()


def columns_of_block(cases):
    """Return what `run_block` makes of cases, by its columns; its templates are real ones, as Python needs them."""
    runs = prepared(cases)
    found, first = np.full((RESULT_ROWS, cases.number), np.nan), runs.first_case
    state = run_at_start(first, leg_between(0.0, 0.0, 1.0, 0.0), runs.clock)
    numba_engine.run_block(first, state, runs.clock, runs.hasty_clock, runs.water, runs.air, runs.rows, runs.ways,
                           found, 0, cases.number)
    return dict(zip(Results.COLUMNS, found))


def assert_same(found, expected):
    for name, column in expected.items():
        np.testing.assert_allclose(found[name], column, rtol=1e-9, atol=1e-9, err_msg=name)


@pytest.fixture
def counted(monkeypatch):
    """Count searches; divide by 0 as compiled code does: a boat that was observed already is observed for nothing."""
    monkeypatch.setattr(numba_engine, 'align_stack', lambda: None)
    for module in (block_search, numba_engine):
        monkeypatch.setattr(module, 'read_column', lambda *given: map_leaves(np.float64, read_column(*given)))
    with np.errstate(all='ignore'):
        yield Counted(monkeypatch)


def test_a_block_ends_as_its_boats_do_one_by_one(boats, counted):
    """They were searched for side by side, and all but the first sample and command hardly left a boat to itself."""
    cases, expected = boats
    assert_same(columns_of_block(cases), expected)
    needed = [one for one in counted.searches if one[0] > 0]
    assert len(needed) > 5 and max(before for before, _, _ in needed) == BLOCK
    assert all(looks < block_search.MOST_STEPS and left == 0 for _, looks, left in needed[2:])
    assert sum(number for _, number in counted.alone[2:]) <= BLOCK


def test_boats_whose_search_is_given_up_are_done_one_by_one(boats, counted, monkeypatch):
    """After a single look hardly a price is found."""
    cases, expected = boats
    monkeypatch.setattr(block_search, 'MOST_STEPS', 1)
    assert_same(columns_of_block(cases), expected)
    needed = [one for one in counted.searches if one[0] > 0]
    assert {looks for _, looks, _ in needed} == {1} and max(left for _, _, left in needed) == BLOCK
    assert ('steer_missing', BLOCK) in counted.alone


def block_of(rng):
    """Return an AskedSearch a boat of a block, its first Look, and the rows of all of these, those of Looks behind."""
    parts = parts_of(TUNNEL)
    asked = [AskedSearch(search_for(demand, parts), parts, UNKNOWN, (0.0, 0.0, 0.0))
             for demand in one_by_one(feasible(rng, TUNNEL, BLOCK))]
    begun = [first_look(one.search, one.parts, one.start) for one in asked]
    rows = np.zeros((LOOK_ROWS + SEARCH_ROWS + PART_ROWS * len(parts)) * BLOCK)
    looks = rows[-LOOK_ROWS * BLOCK:]
    for k in range(BLOCK):
        write_column(asked[k], rows, k, BLOCK)
        write_column(begun[k], looks, k, BLOCK)
    return asked, begun, rows, looks


def test_all_are_looked_for_until_the_last_is_settled(rng):
    """As many looks as the slowest takes by itself, and the prices that each ends at by itself."""
    asked, begun, rows, looks = block_of(rng)
    assert unsettled_of(begun[0], looks) == BLOCK
    number = look_until_settled(asked[0], begun[0], rows, looks)
    assert unsettled_of(begun[0], looks) == 0
    taken = []
    for k, (one, look) in enumerate(zip(asked, begun)):
        assert read_column(begun[0], looks, k, BLOCK).price == prices(one.search, one.parts, one.start)
        steps = 0
        while look.unsettled > 0.0:
            look, steps = next_look(look, one.search, one.parts), steps + 1
        taken.append(steps)
    assert number == max(taken) > min(taken) > 0


def test_a_block_of_which_none_is_missing_is_not_looked_for(rng):
    """Their prices stay; of one that is missing they are those that it ends at by itself."""
    asked, begun, rows, looks = block_of(rng)
    for k, look in enumerate(begun):
        write_column(look._replace(unsettled=0.0), looks, k, BLOCK)
    before = looks.copy()
    assert look_until_settled(asked[0], begun[0], rows, looks) == 0 == unsettled_of(begun[0], looks)
    np.testing.assert_array_equal(looks, before)
    write_column(begun[3], looks, 3, BLOCK)
    assert unsettled_of(begun[0], looks) == 1 and look_until_settled(asked[0], begun[0], rows, looks) > 0
    one = asked[3]
    assert read_column(begun[0], looks, 3, BLOCK).price == prices(one.search, one.parts, one.start)


class ReachedError(Exception):
    """Raised where a run of a block has come to what was asked for."""


def block_before(function, cases, monkeypatch):
    """Return what a block's fourth call of a function of numba_engine is given."""
    calls, original = [], getattr(numba_engine, function)

    def counting(*given):
        calls.append(given)
        if len(calls) == 4:
            raise ReachedError
        return original(*given)

    with monkeypatch.context() as patched:
        patched.setattr(numba_engine, function, counting)
        with pytest.raises(ReachedError):
            columns_of_block(cases)
    return calls[-1]


def begun_at(track, found, share):
    """Return a PriceTrack whose next search begins at the prices found in another one, but for a share of them."""
    return track_restarted(track, tuple(price * (1.0 + share) for price in found.last))


@pytest.fixture
def free_boats(tmp_path, counted):
    """Return the cases of sixteen boats on their way that have a choice of thrusts, by thrusters of two sizes."""
    return cases_of(cases_of_kind('two sizes', tmp_path).scenario, BLOCK, **{
        'speed.target': np.linspace(0.1, 0.2, BLOCK), 'current.speed': 0.0, 'wind.speed': 0.0,
        'start.heading_deg': 0.1})


@pytest.mark.parametrize(('share', 'searched'), [(0.03, False), (30.0, True)])
def test_samples_that_were_missing_are_those_of_a_boat_by_itself(free_boats, counted, monkeypatch, share, searched):
    """Every other boat begins off its prices: a few steps do from near, a search from far; none is observed twice."""
    given = block_before('observe_block', free_boats, monkeypatch)
    case_template, state_template, clock, _, water, air, cases, states, missing, _ = given
    expected = []
    for k in range(BLOCK):
        state = read_column(state_template, states, k, BLOCK)
        expected.append(run_observed(state, read_column(case_template, cases, k, BLOCK), clock, water, air))
        prices = begun_at(state.prices, expected[k].prices, share if k % 2 else 0.0)
        write_column(state._replace(prices=prices), states, k, BLOCK)
    del counted.searches[:], counted.alone[:]
    numba_engine.observe_block(*given)
    assert [one[0] for one in counted.searches] == ([BLOCK // 2] if searched else []) and counted.alone == []
    assert not missing.any()
    for k, wanted in enumerate(expected):
        found = read_column(state_template, states, k, BLOCK)
        assert found.energy.samples == wanted.energy.samples == 3.0
        np.testing.assert_allclose(list(leaves(found.energy)), list(leaves(wanted.energy)), rtol=1e-9, atol=1e-9)
        assert found.observation.power.total == pytest.approx(wanted.observation.power.total, rel=1e-8)
        np.testing.assert_allclose(list(leaves(found.prices)), list(leaves(wanted.prices)), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(('share', 'searched'), [(0.03, False), (30.0, True)])
def test_commands_that_were_missing_are_those_of_a_boat_by_itself(free_boats, counted, monkeypatch, share, searched):
    given = block_before('steer_block', free_boats, monkeypatch)
    case_template, state_template, clock, _, cases, states, commands, missing, _ = given
    expected = []
    for k in range(BLOCK):
        state = read_column(state_template, states, k, BLOCK)
        expected.append(run_steered(state, read_column(case_template, cases, k, BLOCK), clock))
        track = begun_at(state.control[1], expected[k][0][1], share if k % 2 else 0.0)
        write_column(state._replace(control=(state.control[0], track)), states, k, BLOCK)
    begun = states.copy()
    del counted.searches[:], counted.alone[:]
    numba_engine.steer_block(*given)
    assert [one[0] for one in counted.searches] == ([BLOCK // 2] if searched else []) and counted.alone == []
    assert not missing.any()
    for k, wanted in enumerate(expected):
        (integral, track), setting = read_column(wanted, commands, k, BLOCK)
        assert integral == pytest.approx(wanted[0][0], rel=1e-9)
        assert track.last == pytest.approx(wanted[0][1].last, rel=1e-6, abs=1e-6)
        np.testing.assert_allclose(list(leaves(setting)), list(leaves(wanted[1])), rtol=1e-8, atol=1e-9)
        assert (searched and k % 2) or np.array_equal(states[k::BLOCK], begun[k::BLOCK], equal_nan=True)


@pytest.mark.parametrize('kind', ['tunnel', 'two sizes', 'ferry'])
def test_there_is_room_for_a_search_and_its_look(kind, tmp_path):
    """The rows of an AskedSearch end before those of its Look begin, and these before those of what is found."""
    runs = prepared(cases_of_kind(kind, tmp_path, 1))
    case = runs.first_case
    state = run_at_start(case, leg_between(0.0, 0.0, 1.0, 0.0), runs.clock)
    room = rows_of_search(case) - LOOK_ROWS - len(FOUND)
    for asked in (search_of_sample(state, case, runs.clock, runs.water, runs.air),
                  search_of_command(state, case, runs.clock)):
        look = first_look(asked.search, asked.parts, asked.start)
        assert len(list(leaves(asked))) <= room and len(list(leaves(look))) <= LOOK_ROWS
