"""The summary of a run: what it took, beside what was published; ready for JSON."""

import math
from typing import Any

from ..files.json_file import without_nan
from ..physics.energy import CAUSES
from .record import Run

Summary = dict[str, Any]
COUNTS = ('samples', 'invalid_samples', 'gaps', 'segments')


def summary_of(run: Run, run_by: str) -> Summary:
    """
    Return the summary of a run. Units are in the keys; None where there is no number.

    :param run: The Run.
    :param run_by: What ran it: `usv-energy` or `ros`.
    """
    scenario, energy, published = run.scenario, run.energy, run.scenario.published
    payload = scenario.boat.hull.payload
    return without_nan({
        'scenario': scenario.name, 'title': scenario.title, 'boat': scenario.boat.name, 'plant': scenario.plant.name,
        **({'payload_kg': payload} if payload else {}),
        'convention': run.convention, 'run_by': run_by, 'outcome': run.outcome,
        'duration_s': run.duration, 'published_duration_s': published.duration,
        'duration_relative': relative(run.duration, published.duration),
        'energy_j': energy.total, 'published_energy_j': published.energy,
        'energy_relative': relative(energy.total, published.energy),
        'published_source': published.source, 'published_note': published.note,
        'closure_relative': run.closure, 'thruster_energy_j': run.thruster_energy,
        **{f'energy_{cause}_j': getattr(energy, cause) for cause in CAUSES if cause != 'total'},
        'distance_over_ground_m': energy.distance_over_ground,
        'distance_through_water_m': energy.distance_through_water,
        'energy_per_meter_j_m': energy.energy_per_meter,
        'mean_power_w': energy.total / energy.duration if energy.duration else math.nan,
        **{count: getattr(energy, count) for count in COUNTS},
        'samples_without_thruster_power': run.rows_without_thruster_power,
        'gap_duration_s': energy.gap_duration, 'stale_duration_s': energy.stale_duration,
    })


def relative(value: float, reference: float) -> float:
    """Return by how much a value exceeds its reference, as a share of it, (-); NaN where there is none."""
    return value / reference - 1.0 if reference else math.nan
