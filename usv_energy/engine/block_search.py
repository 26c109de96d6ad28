"""
The search for the cheapest thrusts of a block of boats, where a look at a start was not enough for some of them.

First it takes a few steps more from the same start. Where that does not do, all boats go through the whole search side
by side in the processor's vectors, a look of all after the other until the last is done; what was found is the start
of one more try.
"""

from ..boats.vessel import Haste
from ..physics.elementwise import kernel, select
from ..physics.price_search import MOST_STEPS, Look, first_look_at_once, next_look
from ..physics.price_track import track_restarted
from .run_start import plant_of
from .run_state import RunClock, RunState
from .run_steps import observed_with_prices, run_observed, run_steered, steered_with_prices
from .tuple_rows import BLOCK, read_column, write_column, write_column_where

LOOK_ROWS = 24  # That a Look may have.
SEARCH_ROWS, PART_ROWS = 32, 32  # That an AskedSearch may have, and a part in it.
FOUND = 0.0, 0.0, 0.0  # Prices as a PriceTrack keeps them, for their types.


@kernel
def rows_of_search(case):
    """Return how many rows an AskedSearch of a Case, its Look and the prices found have at most."""
    parts = max(len(case.boat.thrusters), len(plant_of(case).thrusters))
    return SEARCH_ROWS + PART_ROWS * parts + LOOK_ROWS + len(FOUND)


@kernel
def _with_haste(clock, haste):
    return RunClock(clock.step, clock.steps, clock.published, clock.lost, haste, clock.tables, clock.sea)


@kernel
def search_of_sample(run, case, clock, water, air):
    """Return the AskedSearch of a run's next sample; parameters as `run_observed`."""
    return observed_with_prices(run, case, _with_haste(clock, Haste(None, 1.0)), water, air)[1]


@kernel
def search_of_command(run, case, clock):
    """Return the AskedSearch of what is next asked of a run's actuators; parameters as `run_steered`."""
    return steered_with_prices(run, case, _with_haste(clock, Haste(None, 1.0)))[0][1]


@kernel
def observe_from_starts(case_template, state_template, clock, water, air, cases, states, missing):
    """
    Observe those boats of a block that are missing, with more steps from the starts of their searches.

    :param clock: The RunClock, in haste.
    :param states: Of the boats, as rows: of those that are missing before the sample, of the others after it.
    :param missing: 1.0 of those boats that have no power yet, else 0.0; changed.
    """
    again = _with_haste(clock, Haste(1.0, None))
    for k in range(BLOCK):
        case, state = read_column(case_template, cases, k, BLOCK), read_column(state_template, states, k, BLOCK)
        state = run_observed(state, case, again, water, air)
        power = state.observation.power.total
        found = (missing[k] > 0.0) & (power == power)
        write_column_where(found, state, states, k, BLOCK)
        missing[k] = 0.0 if found else missing[k]


@kernel
def steer_from_starts(case_template, state_template, clock, cases, states, commands, missing):
    """Steer those boats of a block that are missing, as `observe_from_starts`; their `commands` are put in."""
    again = _with_haste(clock, Haste(1.0, None))
    for k in range(BLOCK):
        case, state = read_column(case_template, cases, k, BLOCK), read_column(state_template, states, k, BLOCK)
        control, wanted = run_steered(state, case, again)
        found = (missing[k] > 0.0) & (wanted.thrusts[0] == wanted.thrusts[0])
        write_column_where(found, (control, wanted), commands, k, BLOCK)
        missing[k] = 0.0 if found else missing[k]


@kernel
def search_samples(case_template, state_template, clock, water, air, cases, states, missing, rows):
    """
    Search for the prices of the samples of those boats of a block that are missing, put them into `states`; return 0.

    :param rows: Room for `rows_of_search` a boat; the other parameters as `observe_from_starts`.
    """
    template = search_of_sample(state_template, read_column(case_template, cases, 0, BLOCK), clock, water, air)
    for k in range(BLOCK):
        case, state = read_column(case_template, cases, k, BLOCK), read_column(state_template, states, k, BLOCK)
        write_column(search_of_sample(state, case, clock, water, air), rows, k, BLOCK)
    at = found_of_block(template, missing, rows)
    for k in range(BLOCK):
        state = read_column(state_template, states, k, BLOCK)
        track = track_restarted(state.prices, read_column(FOUND, rows, at + k, BLOCK))
        write_column_where(missing[k] > 0.0, RunState(
            state.plant, state.setting, state.periods, state.leg, state.observation, state.observed_plant,
            state.energy, state.control, track, state.lost, state.supply), states, k, BLOCK)
    return 0


@kernel
def search_commands(case_template, state_template, clock, cases, states, missing, rows):
    """Search for the prices of the commands to those boats of a block that are missing; as `search_samples`."""
    template = search_of_command(state_template, read_column(case_template, cases, 0, BLOCK), clock)
    for k in range(BLOCK):
        case, state = read_column(case_template, cases, k, BLOCK), read_column(state_template, states, k, BLOCK)
        write_column(search_of_command(state, case, clock), rows, k, BLOCK)
    at = found_of_block(template, missing, rows)
    for k in range(BLOCK):
        state = read_column(state_template, states, k, BLOCK)
        integral, track = state.control
        track = track_restarted(track, read_column(FOUND, rows, at + k, BLOCK))
        write_column_where(missing[k] > 0.0, RunState(
            state.plant, state.setting, state.periods, state.leg, state.observation, state.observed_plant,
            state.energy, (integral, track), state.prices, state.lost, state.supply), states, k, BLOCK)


@kernel
def found_of_block(template, missing, rows):
    """
    Search for all boats of a block that are missing; return where in `rows` the prices begin that are kept of it.

    :param template: An AskedSearch of floats, for its types.
    :param missing: 1.0 of those boats that are searched for, else 0.0.
    :param rows: The AskedSearch of each boat; behind these rows is room for their Looks, and for what is returned.
    """
    look_template = first_look_at_once(template.search, template.parts, template.start)
    looks = rows[rows.shape[0] - (LOOK_ROWS + len(FOUND)) * BLOCK:]
    at = rows.shape[0] - len(FOUND) * BLOCK
    for k in range(BLOCK):
        asked = read_column(template, rows, k, BLOCK)
        look = first_look_at_once(asked.search, asked.parts, asked.start)
        write_column(Look(look.price, look.left, look.move, look.share, look.fresh,
                          select(missing[k] > 0.0, look.unsettled, 0.0)), looks, k, BLOCK)
    look_until_settled(template, look_template, rows, looks)
    for k in range(BLOCK):
        price, velocity = (read_column(look_template, looks, k, BLOCK).price,
                           read_column(template, rows, k, BLOCK).velocity)
        write_column((price[0] - velocity[0], price[1] - velocity[1], price[2] - velocity[2]), rows, at + k, BLOCK)
    return at


@kernel
def look_until_settled(template, look_template, rows, looks):
    """
    Look on for all boats of a block, until none is unsettled, or there were too many looks; return how many.

    :param template: An AskedSearch of floats, for its types.
    :param look_template: A Look of floats, for its types.
    :param rows: The AskedSearch of each boat.
    :param looks: The Look of each boat; changed.
    """
    number = 0
    while number < MOST_STEPS and unsettled_of(look_template, looks) > 0:
        for k in range(BLOCK):
            asked, look = read_column(template, rows, k, BLOCK), read_column(look_template, looks, k, BLOCK)
            write_column(next_look(look, asked.search, asked.parts), looks, k, BLOCK)
        number += 1
    return number


@kernel
def unsettled_of(look_template, looks):
    """Return how many searches of a block are not done."""
    unsettled = 0
    for k in range(BLOCK):
        unsettled += 1 if read_column(look_template, looks, k, BLOCK).unsettled > 0.0 else 0
    return unsettled
