"""A run whose search for the cheapest thrusts gave up in haste, and goes on where it ended, with more steps."""

from ..boats.vessel import Haste
from ..physics.elementwise import by_part, kernel
from ..physics.price_track import track_restarted
from .run_state import RunClock, RunState


@kernel
def clock_of_second_try(clock):
    """Return a hasty RunClock for those that the first try left unknown."""
    return RunClock(clock.step, clock.steps, clock.published, clock.lost, Haste(1.0), clock.tables, clock.sea)


@kernel
def run_sought_on(run, first):
    """
    Return a run whose search goes on where a hasty one of the same sample ended, whether it found a power or not.

    :param run: The RunState before the sample.
    :param first: The one after it, with the prices at which the search ended.
    """
    return RunState(run.plant, run.setting, run.periods, run.leg, run.observation, run.observed_plant, run.energy,
                    run.control, by_part(run.prices, _no_track_on, _track_on, first.prices), run.lost,
                    run.supply)


@kernel
def run_steered_on(run, control):
    """
    Return a run whose search goes on where a hasty one for the same thrusts ended.

    :param run: The RunState.
    :param control: What `run_steered` gave.
    """
    integral, track = run.control
    return RunState(run.plant, run.setting, run.periods, run.leg, run.observation, run.observed_plant, run.energy,
                    (integral, by_part(track, _no_track_on, _track_on, control[1])), run.prices, run.lost,
                    run.supply)


@kernel
def _no_track_on(ahead):
    return None


@kernel
def _track_on(track, ahead):
    return track_restarted(track, ahead.last)
