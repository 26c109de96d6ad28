"""Whether enough of a log's time has a power to speak of its energy at all."""

import numpy as np

from ..files.errors import InputError
from .analysed_log import AnalysedLog

LEAST_INTEGRATED = 0.5  # Share of the time from which on the energy is a figure of that log.


def integrated(analysed: AnalysedLog) -> AnalysedLog:
    """
    Return an analysed log of which at least half of the time is in the energy.

    :raises InputError: If it is less: how much, why, and what to do.
    """
    log, energy = analysed.log, analysed.energy
    if not energy.duration < LEAST_INTEGRATED * log.duration:
        return analysed
    lost = [end - begin for begin, end in log.gaps]
    unknown = int((~np.isfinite(analysed.power.total)).sum())
    reasons = []
    if lost:
        reasons.append(f'{sum(lost):.1f} s lie in {_counted(len(lost), "hole")} between samples, longer than '
                       f'{log.max_gap:g} s (the samples are {log.period:.3g} s apart as a rule, the longest hole is '
                       f'{max(lost):.1f} s)')
    if unknown:
        reasons.append(f'{unknown} of {_counted(len(log), "sample")} have no power, since motion or flow is not known '
                       'there')
    remedy = ('say --max-gap S if samples that far apart belong together, or cut the file at its holes' if lost else
              'see which columns or topics are empty there, or cut that part off')
    raise InputError(f'{log.path}: only {energy.duration:.1f} of {log.duration:.1f} s '
                     f'({100.0 * energy.duration / log.duration:.1f} %) could be integrated, which is no energy of '
                     f'this log: {"; ".join(reasons)}. What to do: {remedy}')


def _counted(number: int, noun: str) -> str:
    return f'{number} {noun}' if number == 1 else f'{number} {noun}s'
