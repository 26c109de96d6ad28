"""Summaries of runs with just the causes that a test is about."""

from usv_energy.studies.compare.comparison import PARTS


def summary(name, **causes):
    """Return the figures of a run of 10 s and 20 m whose energy by cause, J, is given; the other causes are 0."""
    parts = {f'energy_{cause}_j': causes.get(cause, 0.0) for cause in PARTS}
    total = sum(parts.values())
    return {'name': name, 'boat': 'lutra_prop', 'convention': 'rep103', 'energy_j': total, 'duration_s': 10.0,
            'distance_over_ground_m': 20.0, 'distance_through_water_m': 20.0, 'mean_power_w': total / 10.0,
            'energy_per_meter_j_m': total / 20.0, **parts}
