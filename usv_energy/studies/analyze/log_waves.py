"""A log whose motion shows waves, as the power takes it: mean motion, current without drift, force of the waves."""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.flow.flow_file import FlowFile
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.motion.motion_estimate import MotionEstimate
from usv_energy.phrases import compass_words
from usv_energy.physics.motion import Motion
from usv_energy.studies.analyze.current.flow_along_log import ASSUMED_STILL, AnalysisOptions, FlowAlongLog
from usv_energy.studies.analyze.waves.sea_fit import TOLD, SeaSeen, told_sea
from usv_energy.studies.analyze.waves.wave_spectra import wave_series
from usv_energy.studies.analyze.waves.waves_along_log import (
    DRIFT,
    SurgeSource,
    WavesAlongLog,
    drift_of,
    less_drift,
    sea_of_log,
    waves_along_log,
)


class LogInWaves(NamedTuple):
    """What a log is in waves: `motion` without them, `along` without their drift, `waves`, None where none are seen."""

    motion: Motion
    along: FlowAlongLog
    waves: WavesAlongLog | None


def log_in_waves(log: Log, motion: Motion, along: FlowAlongLog, boat: Boat, options: AnalysisOptions,
                 estimate: MotionEstimate | None, recorded: Motion | None = None) -> LogInWaves:
    """
    Return what a log is in waves; what is done is added to the notes of `along`.

    :param log: The Log.
    :param motion: Its Motion.
    :param along: The FlowAlongLog.
    :param boat: The Boat.
    :param options: `waves`: whether they are looked for; `sea`: the one that is told; `drift_depth`, `drift`: where, or
        what, of their drift the current holds.
    :param estimate: Of the motion; None where it is the recorded one.
    :param recorded: The motion as it was measured; None where it was not, as in a log of places.
    """
    plain = LogInWaves(motion, along, None)
    if not options.waves or options.convention != 'rep103' or (options.sea is None and not wave_series(log)):
        return plain
    sea, why = sea_of_log(log, along.flow, boat) if options.sea is None else _told(options.sea, log, along)
    if sea is None:
        along.notes.append(Note(INFO, 'no_sea_seen', f'no sea is seen: {why}'))
        return plain
    along, drift = _without_drift(along, sea, options)
    source = SurgeSource(log.period, False) if estimate is None else SurgeSource(estimate.velocity_period,
                                                                                estimate.of_places)
    waves = waves_along_log(log, motion, along.flow, boat, sea, source, recorded)._replace(drift=drift)
    along.notes.append(_sea_note(sea, waves))
    mean = waves.mean_motion(log, motion)
    return LogInWaves(mean._replace(u=mean.u - waves.slip), along, waves)


def _told(state: tuple[float, float, float], log: Log, along: FlowAlongLog) -> tuple[SeaSeen | None, str]:
    return (told_sea(state, log, along.flow), '') if state[0] > 0.0 else (None, 'the water is said to be calm')


def _drift_depth(options: AnalysisOptions) -> float | None:
    """Return where the current holds the drift of the waves, m below the surface; None: it holds none."""
    if options.drift_depth is None and isinstance(options.current, FlowFile):
        return options.current.drift_depth
    return options.drift_depth


def _known_drift(options: AnalysisOptions) -> tuple[float, float] | None:
    """Return the drift that the current holds, m/s (ENU), where a run or a flow file knows it."""
    water = options.current
    if isinstance(water, FlowFile):
        return None if options.drift_depth is not None else water.drift
    return options.drift


def _without_drift(along: FlowAlongLog, sea: SeaSeen, options: AnalysisOptions,
                   ) -> tuple[FlowAlongLog, tuple[float, float]]:
    """Return a flow whose current does not hold the drift of the waves, and what was taken off by estimate, m/s."""
    source, depth, known = along.sources['current'], _drift_depth(options), _known_drift(options)
    nothing = 0.0, 0.0
    if source == ASSUMED_STILL:
        return along, nothing
    if known is not None:
        sources = {**along.sources, 'current': f"{source}, less the waves' own drift"}
        return along._replace(flow=less_drift(along.flow, known), sources=sources), nothing
    if depth is None or math.isnan(sea.direction):
        if source == 'log':
            along.notes.append(Note(INFO, 'drift_not_in_current', 'the current is taken to hold no drift of the waves, '
                                    'as a current meter at rest has it; of a drifter, or a model that has waves, '
                                    '--drift-depth says its depth'))
        return along, nothing
    place = f'{depth:g} m deep' if depth else 'at the surface'
    source = f"{source}, less the waves' drift {place}"
    drift = drift_of(sea, depth)
    return along._replace(flow=less_drift(along.flow, drift), sources={**along.sources, 'current': source}), drift


def _sea_note(sea: SeaSeen, waves: WavesAlongLog) -> Note:
    estimated = waves.told_by == DRIFT
    text = (f'the boat moves in waves of {sea.height:.2f} m (significant) and {sea.period:.1f} s (peak), by '
            f'{_by(sea)}: its power is that of the mean motion, and of the mean force of the waves by '
            f'{waves.told_by}')
    if estimated:
        text += (', an estimate that nothing was checked against: '
                 'give the parts of the hull in the boat file, or its coefficients (waves), for a better one')
    return Note(WARNING if estimated else INFO, 'in_waves', text,
                {'significant_height_m': sea.height, 'peak_period_s': sea.period})


def _by(sea: SeaSeen) -> str:
    return TOLD if sea.seen_from == TOLD else f'its {sea.seen_from}'


def sea_words(waves: WavesAlongLog | None, notes: tuple[Note, ...]) -> str:
    """Return the sea that a log shows in words; empty where nothing was looked at."""
    if waves is None:
        return next((note.text for note in notes if note.code == 'no_sea_seen'), '')
    sea = waves.sea
    way = 'from an unknown direction' if math.isnan(sea.direction) else \
        f'from {compass_words(sea.direction + math.pi)}'
    return (f'significant height {sea.height:.2f} m, peak period {sea.period:.1f} s, {way}, taken from '
            f'{sea.seen_from}; their force by {waves.told_by}')


def sea_figures(waves: WavesAlongLog | None) -> dict[str, object]:
    """Return the figures of the sea that a log shows, for JSON, NaN where it shows none."""
    sea = None if waves is None else waves.sea
    direction = math.nan if sea is None else math.degrees(sea.direction) % 360.0
    return {'significant_height_m': math.nan if sea is None else sea.height,
            'peak_period_s': math.nan if sea is None else sea.period, 'wave_direction_deg': direction,
            'sea_seen_from': None if sea is None else sea.seen_from,
            'wave_force_from': None if waves is None else waves.told_by,
            'wave_resistance_mean_n': math.nan if waves is None else float(np.nanmean(waves.resistance))}
