"""
What a run does in a period, as sim.runner has it: observe, steer, advance. One body for arrays, numba and a GPU.

Nothing here branches on a value: what a run has and another has not (a map of losses, a grid, a speed to hold) is None
in its types, and compiled code has no trace of it.
"""

import math

from ..boats.vessel import Vessel
from ..flow.grid_lookup import flow_at
from ..physics.elementwise import by_part, kernel, select, sqrt
from ..physics.mean_sea import mean_sea_action
from ..physics.needed_force import WaveAction
from ..physics.power import (
    Motion,
    Relative,
    priced_mean_power_as_published,
    priced_mean_power_rep103,
    relative_as_published,
    relative_rep103,
)
from ..physics.price_track import no_track, track_with
from ..sim.control import priced_control
from ..sim.floating import Afloat, mean_wave_action
from ..sim.guidance import heading_on_leg, tacked_heading, untacked_heading
from ..sim.observation import Observation, integrated, priced_observed
from ..sim.plant_step import PlantState, advanced, is_stable
from ..sim.supplied_plant import advanced_on_supply, supplied_vessel, with_tables
from .run_start import plant_of, power_kept
from .run_state import BATTERY_EMPTY, RAN_AWAY, RUNNING, TIMED_OUT, RunState


@kernel
def time_of(run, clock):
    """Return the time of a run, s: of whole steps, so it does not drift."""
    return (run.periods * clock.steps) * clock.step


@kernel
def searching_from(track, hasty, vessel):
    """Return a Vessel whose search for the cheapest way begins as a PriceTrack says; as it is without one (None)."""
    return by_part(track, _as_it_is, _with_start, hasty, vessel)


@kernel
def _as_it_is(hasty, vessel):
    return vessel


@kernel
def _with_start(track, hasty, vessel):
    return Vessel(vessel.inertia, vessel.damping, vessel.windage, vessel.thrusters, vessel.losses, vessel.static_load,
                  vessel.foils, vessel.arranged, vessel.free, vessel.only_way, vessel.foiled, track.start, hasty,
                  vessel.loads, vessel.parts)


@kernel
def _boat_of_file(run, case):
    return case.boat


@kernel
def _boat_on_supply(tables, run, case):
    return supplied_vessel(run.supply, case.boat, tables.model_curves)


@kernel
def run_observed(run, case, clock, water, air):
    """
    Return a run with one more sample integrated.

    :param run: The RunState; its `observation` becomes this sample.
    :param case: The Case.
    :param clock: The RunClock.
    :param water: Grid of the current, or None.
    :param air: The same of the wind.
    """
    state, before = run.plant, run.observation
    seen, found = observed_with_prices(run, case, clock, water, air)
    time = seen.time
    known = seen.motion.u == seen.motion.u
    energy = integrated(run.energy, before, seen)
    motion = Motion(None, seen.motion.u, seen.motion.v, seen.motion.r, None, None, None)
    kept = Observation(select(known, time, before.time), motion, seen.flow, seen.relative, power_kept(seen.power.total),
                       seen.speed_over_ground, seen.speed_through_water)
    return RunState(state, run.setting, run.periods, run.leg, kept, state_where(known, state, run.observed_plant),
                    energy, run.control, by_part(run.prices, no_track, track_with, found),
                    select(known, run.lost, 1.0), run.supply)


@kernel
def observed_with_prices(run, case, clock, water, air):
    """Return a run's next Observation and what its search for thrusts gave (`shared_out`); as `run_observed`."""
    time, state, before = time_of(run, clock), run.plant, run.observation
    flow = flow_at(time, state.x, state.y, case, water, air)
    boat = searching_from(run.prices, clock.hasty, by_part(clock.tables, _boat_of_file, _boat_on_supply, run, case))
    action = by_part(run.energy.waves, _no_wave_action, _wave_action, state, run.observed_plant, time - before.time,
                     clock.sea)
    return _observed(before, time, state, flow, boat, clock.published, action)


@kernel
def _observed(before, time, state, flow, boat, published, waves):
    if published is None:
        return priced_observed(before, time, state, flow, boat, relative_rep103, priced_mean_power_rep103, waves)
    return priced_observed(before, time, state, flow, boat, relative_as_published, priced_mean_power_as_published,
                           waves)


@kernel
def _no_wave_action(state, before, elapsed, sea):
    return None


@kernel
def _wave_action(waves, state, before, elapsed, sea):
    return by_part(state.afloat, _action_in_plane, _action_afloat, state, before, elapsed, sea)


@kernel
def _action_in_plane(state, before, elapsed, sea):
    return mean_sea_action(sea, before.yaw, state.yaw)


@kernel
def _action_afloat(afloat, state, before, elapsed, sea):
    return mean_wave_action(before.afloat, afloat, elapsed)


@kernel
def run_steered(run, case, clock):
    """
    Return the next integral of the controller, N, with its PriceTrack, and the Setting that it asks for now.

    :param run: The RunState, its leg the one to be steered along.
    :param case: The Case.
    :param clock: The RunClock.
    """
    (integral, found), wanted = steered_with_prices(run, case, clock)
    return (integral, by_part(run.control[1], no_track, track_with, found)), wanted


@kernel
def steered_with_prices(run, case, clock):
    """Return what `run_steered` does, with what its search for thrusts gave (`shared_out`) in place of the track."""
    state = run.plant
    leg, at = run.leg, _as_known(run)
    heading = by_part(case.tacking, untacked_heading, tacked_heading,
                      heading_on_leg(state.x, state.y, leg, case.lookahead), state.x, state.y, state.yaw, at, leg)
    elapsed = select(run.periods > 0.0, clock.steps * clock.step, math.nan)
    integral, track = run.control
    vessel = searching_from(track, clock.hasty, plant_of(case))
    return priced_control(integral, elapsed, heading, case.speed, state.yaw, at, run.observation.motion.u, case.gains,
                          vessel)


@kernel
def _as_known(run):
    """Return the Relative that a boat knows of itself: as if the water stood still, and the air as its vane has it."""
    seen = run.observation
    return Relative(seen.motion.u, seen.motion.v, run.plant.r, seen.relative.u_w, seen.relative.v_w)


@kernel
def is_at_goal(run, case):
    """Return whether a boat is within the radius of the goal it steers for."""
    x, y = run.leg.goal_x - run.plant.x, run.leg.goal_y - run.plant.y
    return (sqrt(x * x + y * y) < case.radius) & (run.lost == 0.0)


@kernel
def run_advanced(run, number, wanted, control, case, clock, water, air, around):
    """
    Return a run after one more step of the plant.

    :param run: The RunState.
    :param number: Of the step in its period.
    :param wanted: The Setting that is asked for.
    :param control: The controller's integral and PriceTrack.
    :param case: The Case.
    :param clock: The RunClock.
    :param water: Grid of the current, or None.
    :param air: The same of the wind.
    :param around: Of `run_around`, for this step.
    """
    old, time = run.plant, (run.periods * clock.steps + number) * clock.step
    new, setting, supply = by_part(clock.tables, _advanced_on_file, _advanced_on_cells, run, wanted, case, time,
                                   clock.step, (case, water, air),
                                   by_part(old.afloat, _sea_of_plane, _around_parts, around, clock.sea))
    known = (new.x == new.x) & (new.u_r == new.u_r)
    return RunState(state_where(known, new, old), setting, run.periods, run.leg, run.observation, run.observed_plant,
                    run.energy, control, run.prices, select(known, run.lost, 1.0), supply)


@kernel
def _sea_of_plane(around, sea):
    return sea


@kernel
def _around_parts(afloat, around, sea):
    return around


@kernel
def _advanced_on_file(run, wanted, case, time, step, places, around):
    new, setting = advanced(run.plant, run.setting, wanted, case.lags, time, step, plant_of(case), flow_at, places,
                            around)
    return new, setting, None


@kernel
def _advanced_on_cells(tables, run, wanted, case, time, step, places, around):
    return advanced_on_supply(run.supply, with_tables(case.on_board, tables), run.plant, run.setting, wanted, case.lags,
                              time, step, plant_of(case), flow_at, places, around)


@kernel
def state_where(condition, new, old):
    """Return one PlantState where a condition holds, else the other."""
    return PlantState(select(condition, new.x, old.x), select(condition, new.y, old.y),
                      select(condition, new.yaw, old.yaw), select(condition, new.u_r, old.u_r),
                      select(condition, new.v_r, old.v_r), select(condition, new.r, old.r),
                      select(condition, new.work, old.work),
                      by_part(new.afloat, _no_afloat, _afloat_where, old.afloat, condition))


@kernel
def _no_afloat(old, condition):
    return None


@kernel
def _afloat_where(new, old, condition):
    return Afloat(select(condition, new.height, old.height), select(condition, new.roll, old.roll),
                  select(condition, new.pitch, old.pitch), select(condition, new.w, old.w),
                  select(condition, new.p, old.p), select(condition, new.q, old.q),
                  _action_where(condition, new.waves, old.waves))


@kernel
def _action_where(condition, new, old):
    return WaveAction(select(condition, new.surge, old.surge), select(condition, new.sway, old.sway),
                      select(condition, new.moment, old.moment), select(condition, new.ahead, old.ahead),
                      select(condition, new.aside, old.aside), select(condition, new.turning, old.turning))


@kernel
def run_a_period_later(run):
    """Return a run with one more period counted."""
    return RunState(run.plant, run.setting, run.periods + 1.0, run.leg, run.observation, run.observed_plant, run.energy,
                    run.control, run.prices, run.lost, run.supply)


@kernel
def run_on_leg(run, leg):
    """Return a run on another leg."""
    return RunState(run.plant, run.setting, run.periods, leg, run.observation, run.observed_plant, run.energy,
                    run.control, run.prices, run.lost, run.supply)


@kernel
def outcome_of(run, case, clock):
    """Return the outcome of a run that has ended after a period; RUNNING where it has not."""
    late = select(time_of(run, clock) > case.timeout, TIMED_OUT, RUNNING)
    empty = by_part(run.supply, _as_late, _or_empty, late)
    return select(run.lost != 0.0, clock.lost, select(is_stable(run.plant), empty, RAN_AWAY))


@kernel
def _as_late(late):
    return late


@kernel
def _or_empty(supply, late):
    return select(supply.alive != 0.0, late, BATTERY_EMPTY)


@kernel
def duration_of(run):
    """Return the time of the last sample, s; 0 where there was none."""
    time = run.observation.time
    return select(time == time, time, 0.0)
