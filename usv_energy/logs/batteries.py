"""Volts and amperes of a boat's batteries: which of them are measured at all, and what they give together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import counted
from usv_energy.logs.assemble import Source
from usv_energy.logs.derive import interpolated
from usv_energy.logs.log import WARNING, Log, Note
from usv_energy.logs.quality import match

DERIVED = 'power_of_volts_amperes'  # The code of the note that watts are volts times amperes.
SENSORS = {'amperes': 'current', 'electrical_power': 'power', 'volts': 'voltage'}
UNKNOWN, ABOUT_ZERO, FEW = -1.0, 5.0, 5  # 1e-2 A, 1e-2 A, and how many samples on may be the next that is known.
CHARGING, DISCHARGING = 1, 2  # power_supply_status of a BatteryState.
LEAST_CHARGE = 0.005  # Change of the charge, (-), from which on it says whether a battery was charged.
SAG = 0.5  # Correlation of volts and current from which on they say so.
LEAST = 30  # Samples from which on a number that never changes is none that was measured.
# Times the power that 99 % of the samples stay below, in such a share of them, from which one is no measurement.
SPIKE, SELDOM = 20.0, 2e-3


class RecordedBattery(NamedTuple):
    """A battery as it was recorded: its name, stamps s, volts V and amperes A (discharging is positive), (m,) each."""

    name: str
    time: np.ndarray
    volts: np.ndarray
    amperes: np.ndarray


def known_current(hundredths: np.ndarray) -> np.ndarray:
    """
    Return the current of MAVLink's messages with NaN where it is not known, 1e-2 A, shape (n,).

    -1 says that it is not known; other negative values are of a battery that is charged. A few -1 in a row among values
    about zero are the sensor's noise.

    Source: MAVLink, common message set, SYS_STATUS and BATTERY_STATUS, current_battery.
    """
    unknown = hundredths == UNKNOWN
    if not unknown.any() or unknown.all():
        return np.where(unknown, np.nan, hundredths)
    known = np.flatnonzero(~unknown)
    places = np.flatnonzero(unknown)
    after = np.searchsorted(known, places)
    between = (after > 0) & (after < known.size)
    before, after = known[np.maximum(after - 1, 0)], known[np.minimum(after, known.size - 1)]
    near = np.maximum(np.abs(hundredths[before]), np.abs(hundredths[after])) <= ABOUT_ZERO
    noise = between & near & (after - before <= FEW)
    unknown[places[noise]] = False
    return np.where(unknown, np.nan, hundredths)


def discharging_sign(time: np.ndarray, current: np.ndarray, volts: np.ndarray, charge: np.ndarray | None,
                     status: np.ndarray | None, topic: str, notes: list[Note]) -> float:
    """
    Return the factor of a BatteryState's current that makes discharging positive: -1 by its definition, else 1.

    Against the definition stand, in this order: the message's own status; a current that is never negative, as of no
    boat under way; a charge, and else volts, that go the other way.

    :param time: s, rising, shape (n,).
    :param current: A, as it was recorded, shape (n,).
    :param volts: V, shape (n,).
    :param charge: 0 to 1, shape (n,); None: not recorded.
    :param status: power_supply_status, shape (n,); None: not recorded.
    :param topic: For notes.
    :param notes: What is assumed is added to these.

    Source: sensor_msgs/msg/BatteryState: current is negative when discharging; status 1 charging, 2 discharging.
    """
    known = np.isfinite(current) & (current != 0.0)
    ahead = current > 0.0
    evidence, against = '', False
    if not known.any():
        return -1.0
    if status is not None and (drawn := known & (status == DISCHARGING)).any():
        charged = known & (status == CHARGING)
        wrong, right = (int((drawn & one).sum() + (charged & ~one).sum()) for one in (ahead, ~ahead))
        evidence, against = 'its power_supply_status says so', wrong > right
    elif not (known & ~ahead).any():
        evidence, against = 'it is never negative, and its status does not say that the battery is charged', True
    elif charge is not None and abs(gained := _change(charge)) > LEAST_CHARGE:
        whole = np.where(np.isfinite(current), current, 0.0)
        fed = float(np.sum(0.5 * (whole[1:] + whole[:-1]) * np.diff(time)))
        evidence, against = 'the charge goes the other way', fed * gained < 0.0
    elif abs(follows := match(volts.astype(float), current.astype(float)).correlation) > SAG:
        evidence, against = 'the volts fall where it rises', follows < 0.0
    elif float(np.median(current[known])) > 0.0:
        notes.append(Note(WARNING, 'battery_sign_unsure', f'{topic} has a positive current most of the time, which is '
                          'charging by its definition, and nothing in it says otherwise: so it is taken'))
    if not against:
        return -1.0
    notes.append(Note(WARNING, 'battery_sign', f'{topic} gives discharging as positive, against its definition '
                      f'({evidence}); taken as discharging'))
    return 1.0


def _change(values: np.ndarray) -> float:
    known = values[np.isfinite(values)]
    return float(known[-1] - known[0]) if known.size else 0.0


def unmeasured(values: np.ndarray) -> str:
    """Return what shows that a sensor's series is no measurement: `is 0 all the time`; empty where it may be one."""
    known = values[np.isfinite(values)]
    if not known.size:
        return 'holds no number'
    if np.ptp(known) > 0.0 or (known[0] != 0.0 and known.size < LEAST):
        return ''
    return f'is {known[0]:g} all the time'


def together(batteries: Sequence[RecordedBattery], time: np.ndarray, source: Source,
             notes: list[Note]) -> dict[str, np.ndarray]:
    """
    Return the series `volts`, `amperes` and, of several batteries, `electrical_power` at the times of a log.

    The amperes and watts of several are added, and the volts are those of the first. Of several, one whose current is
    no measurement is left out; a single one is returned as it is (`without_dead_sensors` looks at it).

    :param batteries: As they were recorded.
    :param time: Of the log, s, shape (n,).
    :param source: Of the log; says which steps are holes.
    :param notes: What was left out or added is added to these.
    """
    kept = list(batteries)
    for battery in batteries:
        if len(kept) > 1 and (what := unmeasured(battery.amperes)):
            kept.remove(battery)
            notes.append(_dead(battery.name, f'its current {what}'))
    if not kept:
        return {}
    at = [[interpolated(time, one.time, values, source.longest_interval(one.time))
           for values in (one.volts, one.amperes)] for one in kept]
    series = {'volts': at[0][0], 'amperes': np.sum([amperes for _, amperes in at], axis=0)}
    if len(kept) > 1:
        watts = [volts * amperes for volts, amperes in at]
        series['electrical_power'] = np.sum(watts, axis=0)
        means = [float(values[np.isfinite(values)].mean()) if np.isfinite(values).any() else np.nan for values in watts]
        shown = ', '.join(f'{one.name} {mean:.1f} W' for one, mean in zip(kept, means))
        notes.append(Note(WARNING, 'batteries_added', f'{len(kept)} batteries are measured; their watts are added '
                          f'(means: {shown}). If two sensors measure the same battery, that is too much'))
    return series


def without_dead_sensors(log: Log) -> Log:
    """Return a log without the volts, amperes and watts that no sensor measured, and a note for what was dropped."""
    dead = {name: found for name in ('amperes', 'electrical_power')
            if log.known(name) and (found := unmeasured(getattr(log, name)))}
    if log.known('volts') and not log.known('amperes') and not log.known('electrical_power'):
        dead['amperes'] = 'holds no number'
    if log.known('volts') and not np.nan_to_num(log.volts).any():
        dead['volts'] = 'is 0 all the time'
    if not dead:
        return log
    derived = any(note.code == DERIVED for note in log.notes)
    lost = {'volts', 'amperes', *(('electrical_power',) if derived or 'electrical_power' in dead else ())}
    name, what = next(iter(dead.items()))
    nothing = np.broadcast_to(np.nan, (len(log),))
    return replace(log, **{name: nothing for name in lost},  # type: ignore[arg-type]  # names of series only
                   notes=(*(note for note in log.notes if note.code != DERIVED),
                          _dead('the battery', f'its {SENSORS[name]} {what}')))


def without_wrong_readings(log: Log) -> Log:
    """Return a log without spikes of the battery and volts of 0 among others, which are noted."""
    wrong, power = {}, np.abs(log.electrical_power)
    if (known := np.isfinite(power)).sum() < LEAST:
        return log
    high = power > SPIKE * np.percentile(power[known], 99.0)
    if 0 < high.sum() <= SELDOM * known.sum():
        wrong['spikes of the battery'] = high
    if ((volts := log.volts == 0.0).any()) and np.nan_to_num(log.volts).any():
        wrong['volts of 0'] = volts
    if not wrong:
        return log
    rows = np.any(list(wrong.values()), axis=0)
    said = ', '.join(f'{name} ({counted(int(one.sum()), "sample")})' for name, one in wrong.items())
    return replace(log, **{name: np.where(rows, np.nan, getattr(log, name))  # type: ignore[arg-type]  # series only
                           for name in SENSORS}).noted(Note(
        WARNING, 'battery_readings', f'{said}: no measurement, left out', {'samples': int(rows.sum())}))


def _dead(name: str, what: str) -> Note:
    return Note(WARNING, 'sensor_dead', f'{name}: {what}, so that it is no measurement: its volts, amperes and watts '
                'are left out')
