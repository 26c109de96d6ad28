"""What the loads of a boat that vary took along a log, each by itself: by time, by speed, by leg where it has legs."""

from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import HOLD_AT, rules_with_names, share_of, unmatched_legs
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.powering.loads import mean_load_powers
from usv_energy.powering.power import Power
from usv_energy.powering.record_energy import IntegratedSteps
from usv_energy.sim.control.autopilot import SAME_TIME


class LogLoads(NamedTuple):
    """
    Loads along a log.

    `powers`: of each the mean of the step that ends at a sample, W, shape (loads, n), 0 where none does; `energies`: of
    each, J; `shares`: the mean share of its power that leg and topic left it, (-).
    """

    powers: np.ndarray
    energies: tuple[float, ...]
    shares: tuple[float, ...]


def loads_along(log: Log, boat: Boat, steps: IntegratedSteps, speed_over_ground: np.ndarray) -> LogLoads:
    """
    Return what the loads of a boat took along a log; time counts from the log's first sample.

    :param log: The Log.
    :param boat: The Boat.
    :param steps: Those that are integrated over.
    :param speed_over_ground: At each sample, m/s, shape (n,).
    """
    begins, ends = steps.begins, steps.ends
    powers, shares = np.zeros((len(boat.load_rules), len(log))), []
    by_leg = [_shares(log, boat, number)[ends] for number in range(len(boat.load_rules))]
    loads = tuple(load._replace(share=share) for load, share in zip(boat.vessel.loads, by_leg))
    for row, watts in enumerate(mean_load_powers(loads, log.time[begins], log.time[ends], speed_over_ground[begins],
                                                 speed_over_ground[ends])):
        powers[row, ends] = watts
        shares.append(float(np.average(by_leg[row], weights=steps.durations)) if ends.size else 0.0)
    energies = tuple(float(np.sum(row[ends] * steps.durations)) for row in powers)
    return LogLoads(powers, energies, tuple(shares))


def _shares(log: Log, boat: Boat, number: int) -> np.ndarray:
    """Return the share of its power that a load has by leg and topic at each sample, shape (n,)."""
    rule = rules_with_names(boat.load_rules, leg_names(log))[number]
    if rule.legs is None or not log.legs:
        return np.full(len(log), share_of(rule))
    begins = np.array([leg.time for leg in log.legs])
    # A step belongs to the leg that began last before its end, as everywhere.
    which = np.maximum(np.searchsorted(begins + SAME_TIME, log.time, side='left') - 1, 0)
    return np.array([share_of(rule, leg.name) for leg in log.legs])[which]


def leg_names(log: Log) -> list[str]:
    """Return the names of the legs of a log in their order; a stay at the end of a leg is part of it."""
    names: list[str] = []
    for leg in log.legs:
        way = leg.name.removeprefix(HOLD_AT)
        if way and (not names or way != names[-1] or way == leg.name):
            names.append(way)
    return names


def power_with_log_loads(power: Power, loads: LogLoads) -> Power:
    """Return the Power along a log with its loads in it."""
    if not loads.energies:
        return power
    watts = loads.powers.sum(axis=0) + 0.0 * power.total
    return power._replace(loads=watts, total=power.total + watts)


def load_notes(log: Log, boat: Boat) -> list[Note]:
    """Say what is not known of the loads: the leg, and what topics said."""
    notes = []
    by_leg = [rule.name for rule in boat.load_rules if rule.legs is not None]
    if by_leg and not log.legs:
        notes.append(Note(WARNING, 'loads_by_leg_off', f'the log does not say the leg, so loads by leg are taken as '
                          f'off: {", ".join(by_leg)}'))
    if log.legs:
        notes += [Note(WARNING, 'load_without_leg', text)
                  for text in unmatched_legs(boat.load_rules, leg_names(log))]
    by_topic = [f'{rule.name} {100.0 * rule.topic.unheard:g} %' for rule in boat.load_rules if rule.topic is not None]
    if by_topic:
        notes.append(Note(INFO, 'loads_by_topic_assumed', 'loads that topics switch have the share that the boat file '
                          f'says for where these are not heard: {", ".join(by_topic)}'))
    return notes
