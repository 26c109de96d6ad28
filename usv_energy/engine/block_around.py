"""What hulls of parts in a block of boats have around them: wave after wave, each through the processor's vectors."""

from ..physics.elementwise import by_part, kernel
from ..physics.felt_waves import TOGETHER, PlaceInSea, with_waves
from ..physics.parted_hull import calm_around
from .run_around import place_of_run, run_around, with_any_flow
from .run_start import plant_of
from .tuple_rows import BLOCK, read_column, write_column

PLACE = PlaceInSea(0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def template_around(case, state_template, clock, water, air):
    """Return a WaterAround of floats for its types; None where `run_around` gives None."""
    return by_part(state_template.plant.afloat, _no_parts, _parts, case, clock, water, air)


@kernel
def _no_parts(case, clock, water, air):
    return None


@kernel
def _parts(afloat, case, clock, water, air):
    return by_part(clock.sea, _no_sea, _some_around, case, clock, water, air)


@kernel
def _no_sea(case, clock, water, air):
    return by_part(water, _no_current, _some_around, case, clock, water, air)


@kernel
def _no_current(case, clock, water, air):
    return by_part(air, _no_parts, _some_around, case, clock, water, air)


@kernel
def _some_around(part, case, clock, water, air):
    return calm_around(0.0, plant_of(case).parts)


@kernel
def fill_around(case_template, state_template, clock, water, air, cases, states, around, places, number):
    """Put what all boats of a block have around them in the middle of a step into their columns; return 0."""
    template = template_around(read_column(case_template, cases, 0, BLOCK), state_template, clock, water, air)
    return by_part(template, _nothing_filled, _filled, case_template, state_template, clock, water, air, cases, states,
                   around, places, number)


@kernel
def _nothing_filled(case_template, state_template, clock, water, air, cases, states, around, places, number):
    return 0


@kernel
def _filled(template, case_template, state_template, clock, water, air, cases, states, around, places, number):
    return by_part(clock.sea, _filled_by_flow, _filled_by_sea, template, case_template, state_template, clock, water,
                   air, cases, states, around, places, number)


@kernel
def _filled_by_flow(template, case_template, state_template, clock, water, air, cases, states, around, places, number):
    for k in range(BLOCK):
        case, state = read_column(case_template, cases, k, BLOCK), read_column(state_template, states, k, BLOCK)
        write_column(run_around(state, number, case, clock, water, air), around, k, BLOCK)
    return 0


@kernel
def _filled_by_sea(sea, template, case_template, state_template, clock, water, air, cases, states, around, places,
                   number):
    for k in range(BLOCK):
        case, state = read_column(case_template, cases, k, BLOCK), read_column(state_template, states, k, BLOCK)
        place = place_of_run(state, number, case, clock, water, air)
        write_column(place, places, k, BLOCK)
        write_column(calm_around(0.0 * place.x, plant_of(case).parts), around, k, BLOCK)
    for first in range(0, sea.size, TOGETHER):
        for k in range(BLOCK):
            hull = plant_of(read_column(case_template, cases, k, BLOCK)).parts
            waves = read_column(template, around, k, BLOCK).columns
            place = read_column(PLACE, places, k, BLOCK)
            write_column(with_waves(waves, first, sea, place, hull), around, k, BLOCK)
    for k in range(BLOCK):
        case = read_column(case_template, cases, k, BLOCK)
        waves, place = read_column(template, around, k, BLOCK).columns, read_column(PLACE, places, k, BLOCK)
        write_column(with_any_flow(waves, place, plant_of(case).parts, case, water, air), around, k, BLOCK)
    return 0
