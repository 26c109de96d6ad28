"""What a hull of parts has around it in a run, step by step: waves, and current and wind at the places of its parts."""

from ..flow.grid_lookup import flow_at
from ..physics.elementwise import by_part, each_in, kernel
from ..physics.felt_waves import column_waves
from ..physics.parted_hull import WaterAround, calm_around
from ..sim.water_around import place_ahead, place_of_column, with_local_flow
from .run_start import plant_of


@kernel
def run_around(run, number, case, clock, water, air):
    """
    Return the WaterAround a run's hull of parts in the middle of a step; None of other boats, and where there is none.

    :param run: The RunState.
    :param number: Of the step in its period.
    :param case: The Case.
    :param clock: The RunClock.
    :param water: Grid of the current, or None.
    :param air: The same of the wind.
    """
    return by_part(run.plant.afloat, _none_of_plane, _of_parts, run, number, case, clock, water, air)


@kernel
def place_of_run(run, number, case, clock, water, air):
    """Return the PlaceInSea of a run in the middle of a step; parameters as `run_around`."""
    time = (run.periods * clock.steps + number) * clock.step
    return place_ahead(run.plant, time, 0.5 * clock.step,
                       flow_at(time, run.plant.x, run.plant.y, case, water, air))


@kernel
def _none_of_plane(run, number, case, clock, water, air):
    return None


@kernel
def _of_parts(afloat, run, number, case, clock, water, air):
    return by_part(clock.sea, _without_sea, _in_sea, run, number, case, clock, water, air)


@kernel
def _without_sea(run, number, case, clock, water, air):
    return by_part(water, _without_current, _in_current, run, number, case, clock, water, air)


@kernel
def _without_current(run, number, case, clock, water, air):
    return by_part(air, _none_of_plane, _in_current, run, number, case, clock, water, air)


@kernel
def _in_current(grid, run, number, case, clock, water, air):
    place = place_of_run(run, number, case, clock, water, air)
    hull = plant_of(case).parts
    return with_flow_at_parts(calm_around(0.0 * place.x, hull).columns, place, hull, case, water, air)


@kernel
def _in_sea(sea, run, number, case, clock, water, air):
    place = place_of_run(run, number, case, clock, water, air)
    hull = plant_of(case).parts
    return with_any_flow(column_waves(sea, place, hull), place, hull, case, water, air)


@kernel
def with_any_flow(waves, place, hull, case, water, air):
    """Return the WaterAround of a hull's ColumnWaves, with the flow at its parts where water or air is a Grid."""
    return by_part(water, _with_even_current, _with_flow, waves, place, hull, case, water, air)


@kernel
def _with_even_current(waves, place, hull, case, water, air):
    return by_part(air, _with_even_flow, _with_flow, waves, place, hull, case, water, air)


@kernel
def _with_even_flow(waves, place, hull, case, water, air):
    return WaterAround(waves, 0.0 * place.x, 0.0 * place.x)


@kernel
def _with_flow(grid, waves, place, hull, case, water, air):
    return with_flow_at_parts(waves, place, hull, case, water, air)


@kernel
def with_flow_at_parts(waves, place, hull, case, water, air):
    """Return the WaterAround of a hull's ColumnWaves with current and wind at its columns."""
    there = each_in((place, case, water, air), _flow_at_column, hull.columns)
    return with_local_flow(waves, flow_at(place.time, place.x, place.y, case, water, air), there, hull)


@kernel
def _flow_at_column(given, column):
    place, case, water, air = given
    x, y = place_of_column(place, column)
    return flow_at(place.time, x, y, case, water, air)
