"""
The steps of one control period of a run: observe, steer, advance the plant, and tell whether the run has ended.

They follow `sim.runner`. The same functions run on numpy arrays and as compiled code.
"""

import math

from usv_energy.engine.run_state import BATTERY_EMPTY, RAN_AWAY, RUNNING, TIMED_OUT, plant_of, power_kept
from usv_energy.flow.grids.grid_lookup import flow_at
from usv_energy.physics.elementwise import each, kernel, record_where, select, sqrt, with_field
from usv_energy.physics.motion import Motion, Relative, relative_as_published, relative_rep103
from usv_energy.physics.parted_hull import WaterAround, calm_around
from usv_energy.physics.waves.added_resistance import mean_sea_action
from usv_energy.physics.waves.felt_waves import column_waves
from usv_energy.powering.power import next_mean_power_as_published, next_mean_power_rep103
from usv_energy.sim.control.control import controlled_setting
from usv_energy.sim.control.guidance import heading_on_leg, tacked_heading
from usv_energy.sim.observation import Observation, integrated, motion_and_relative, observation
from usv_energy.sim.plants.floating import wave_action_between
from usv_energy.sim.plants.plant_step import advanced, is_stable
from usv_energy.sim.plants.supplied_plant import advanced_on_supply, supplied_vessel, with_tables
from usv_energy.sim.plants.water_around import place_ahead, place_of_column, with_local_flow


@kernel
def run_around(run, number, case, clock, water, air):
    """
    Return the WaterAround the run's hull of parts in the middle of a step.

    It is None for a planar boat, and for a hull of parts in calm water with a uniform flow.

    :param run: The RunState.
    :param number: Index of the step in its control period.
    :param case: The Case.
    :param clock: The RunClock.
    :param water: Grid of the current; None if the current is uniform.
    :param air: Grid of the wind; None if the wind is uniform.
    """
    if run.plant.afloat is None:
        return None
    time, sea, hull = (run.periods * clock.steps + number) * clock.step, clock.sea, plant_of(case).parts
    place = place_ahead(run.plant, time, 0.5 * clock.step,
                        flow_at(time, run.plant.x, run.plant.y, case, water, air))
    if sea is None and water is None and air is None:
        return None
    waves = calm_around(0.0 * place.x, hull).columns if sea is None else column_waves(sea, place, hull)
    if water is None and air is None:
        return WaterAround(waves, 0.0 * place.x, 0.0 * place.x)
    there = each(_flow_at_column, (place, case, water, air), hull.columns)
    return with_local_flow(waves, flow_at(place.time, place.x, place.y, case, water, air), there, hull)


@kernel
def _flow_at_column(column, place, case, water, air):
    x, y = place_of_column(place, column)
    return flow_at(place.time, x, y, case, water, air)


@kernel
def time_of(run, clock):
    """Return the time of a run, s, counted in whole steps so that rounding does not accumulate."""
    return (run.periods * clock.steps) * clock.step


@kernel
def run_observed(run, case, clock, water, air):
    """
    Return the run after one more observation, whose power is added to the energy.

    :param run: The RunState; the new Observation replaces its `observation`.
    :param case: The Case.
    :param clock: The RunClock.
    :param water: Grid of the current; None if the current is uniform.
    :param air: Grid of the wind; None if the wind is uniform.
    """
    time, state, before = time_of(run, clock), run.plant, run.observation
    flow = flow_at(time, state.x, state.y, case, water, air)
    boat = case.boat if clock.tables is None else supplied_vessel(run.supply, case.boat, clock.tables.model_curves)
    waves = _wave_action(state, run.observed_plant, time - before.time, clock.sea)
    now, multipliers = _observed(before, time, state, flow, boat, clock.published, waves, run.multipliers)
    known = now.motion.u == now.motion.u
    motion = Motion(None, now.motion.u, now.motion.v, now.motion.r, None, None, None)
    kept = Observation(select(known, time, before.time), motion, now.flow, now.relative, power_kept(now.power.total),
                       now.speed_over_ground, now.speed_through_water)
    run = with_field(with_field(run, 'energy', integrated(run.energy, before, now)), 'observation', kept)
    run = with_field(with_field(run, 'multipliers', multipliers), 'lost', select(known, run.lost, 1.0))
    return with_field(run, 'observed_plant', record_where(known, state, run.observed_plant))


@kernel
def _observed(before, time, state, flow, boat, published, waves, start):
    """Return the next Observation, and the multipliers of its thrust allocation."""
    if published is None:
        motion, relative = motion_and_relative(before, time, state, flow, relative_rep103)
        power, multipliers = next_mean_power_rep103(before.relative, relative, time - before.time, boat, waves, start)
        return observation(before, time, motion, flow, relative, power, boat), multipliers
    motion, relative = motion_and_relative(before, time, state, flow, relative_as_published)
    power, multipliers = next_mean_power_as_published(before.relative, relative, time - before.time, boat, waves, start)
    return observation(before, time, motion, flow, relative, power, boat), multipliers


@kernel
def _wave_action(state, before, elapsed, sea):
    """Return the mean WaveAction since the previous observation; None if there is no sea."""
    if sea is None:
        return None
    if state.afloat is None:
        return mean_sea_action(sea, before.yaw, state.yaw)
    return wave_action_between(before.afloat, state.afloat, elapsed)


@kernel
def run_steered(run, case, clock):
    """
    Return the controller's next ControlState and the Setting that it commands.

    :param run: The RunState; `run.leg` is the leg that is steered.
    :param case: The Case.
    :param clock: The RunClock.
    """
    state, leg, now = run.plant, run.leg, run.observation
    # The boat has no measurement of the current, so its controller takes ground velocity for velocity through water.
    at = Relative(now.motion.u, now.motion.v, state.r, now.relative.u_w, now.relative.v_w)
    heading = heading_on_leg(state.x, state.y, leg, case.lookahead)
    if case.tacking is not None:
        heading = tacked_heading(case.tacking, heading, state.x, state.y, state.yaw, at, leg)
    elapsed = select(run.periods > 0.0, clock.steps * clock.step, math.nan)
    return controlled_setting(run.control, elapsed, heading, case.speed, state.yaw, at, now.motion.u, case.gains,
                              plant_of(case))


@kernel
def is_at_goal(run, case):
    """Return whether a boat is within the goal's radius; a run that is lost is not."""
    x, y = run.leg.goal_x - run.plant.x, run.leg.goal_y - run.plant.y
    return (sqrt(x * x + y * y) < case.radius) & (run.lost == 0.0)


@kernel
def run_advanced(run, number, wanted, control, case, clock, water, air, around):
    """
    Return the run after one more step of the plant.

    :param run: The RunState.
    :param number: Index of the step in its control period.
    :param wanted: The Setting that the controller commands.
    :param control: The ControlState.
    :param case: The Case.
    :param clock: The RunClock.
    :param water: Grid of the current; None if the current is uniform.
    :param air: Grid of the wind; None if the wind is uniform.
    :param around: The result of `run_around` for this step.
    """
    old, time = run.plant, (run.periods * clock.steps + number) * clock.step
    places, around = (case, water, air), clock.sea if old.afloat is None else around
    if clock.tables is None:
        new, setting = advanced(old, run.setting, wanted, case.lags, time, clock.step, plant_of(case), flow_at, places,
                                around)
        supply = None
    else:
        new, setting, supply = advanced_on_supply(
            run.supply, with_tables(case.on_board, clock.tables), old, run.setting, wanted, case.lags, time, clock.step,
            plant_of(case), flow_at, places, around)
    known = (new.x == new.x) & (new.u_r == new.u_r)
    run = with_field(with_field(run, 'plant', record_where(known, new, old)), 'setting', setting)
    run = with_field(with_field(run, 'control', control), 'lost', select(known, run.lost, 1.0))
    return with_field(run, 'supply', supply)


@kernel
def run_a_period_later(run):
    """Return the run with its count of control periods increased by one."""
    return with_field(run, 'periods', run.periods + 1.0)


@kernel
def run_on_leg(run, leg):
    """Return the run with another leg to steer."""
    return with_field(run, 'leg', leg)


@kernel
def outcome_of(run, case, clock):
    """Return the outcome of a run after a control period, a value of `run_state`; RUNNING if it has not ended."""
    late = select(time_of(run, clock) > case.timeout, TIMED_OUT, RUNNING)
    ended = late if run.supply is None else select(run.supply.alive != 0.0, late, BATTERY_EMPTY)
    return select(run.lost != 0.0, clock.lost, select(is_stable(run.plant), ended, RAN_AWAY))


@kernel
def duration_of(run):
    """Return the time of the last observation, s; 0 if there was none."""
    time = run.observation.time
    return select(time == time, time, 0.0)
