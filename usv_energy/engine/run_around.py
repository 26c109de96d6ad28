"""What a hull of parts has around it in a run, step by step: waves, and current and wind at the places of its parts."""

from ..flow.grid_lookup import flow_at
from ..physics.elementwise import each, kernel
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
    return _run_around(run, number, case, clock, water, air, run.plant.afloat, clock.sea)


@kernel
def _run_around(run, number, case, clock, water, air, afloat, sea):
    if afloat is None:
        return None
    time = (run.periods * clock.steps + number) * clock.step
    place = place_ahead(run.plant, time, 0.5 * clock.step,
                        flow_at(time, run.plant.x, run.plant.y, case, water, air))
    return _at_parts(place, plant_of(case).parts, case, water, air, sea)


@kernel
def _at_parts(place, hull, case, water, air, sea):
    if sea is None:
        return _in_flow_alone(place, hull, case, water, air)
    return _with_flow(column_waves(sea, place, hull), place, hull, case, water, air)


@kernel
def _in_flow_alone(place, hull, case, water, air):
    if water is None and air is None:
        return None
    return _with_local_flow(calm_around(0.0 * place.x, hull).columns, place, hull, case, water, air)


@kernel
def _with_flow(waves, place, hull, case, water, air):
    """Return the WaterAround of a hull's ColumnWaves, with the flow at its parts where water or air is a Grid."""
    if water is None and air is None:
        return WaterAround(waves, 0.0 * place.x, 0.0 * place.x)
    return _with_local_flow(waves, place, hull, case, water, air)


@kernel
def _with_local_flow(waves, place, hull, case, water, air):
    there = each(_flow_at_column, (place, case, water, air), hull.columns)
    return with_local_flow(waves, flow_at(place.time, place.x, place.y, case, water, air), there, hull)


@kernel
def _flow_at_column(column, place, case, water, air):
    x, y = place_of_column(place, column)
    return flow_at(place.time, x, y, case, water, air)
