"""The figures of an analysed log for JSON: units in the keys, None where there is no number."""

import math

from ..files.json_file import without_nan
from ..logs.log import Log
from ..powering.energy import CAUSES
from ..sim.record import COUNTS, Summary, by_load_figures
from .analysed_log import AnalysedLog, mean_or_nan
from .hull_along_log import hull_figures
from .leg_shares import leg_shares, share_figures
from .log_report import LogReport
from .log_waves import sea_figures

ALIKE = ('samples', 'bag')  # Names of files and folders that do not say what is in them.


def log_title(log: Log) -> str:
    """Return what a log is called: its file's name, or the folder's where all files are named alike."""
    path = log.path.resolve()
    while path.stem in ALIKE or path.name.endswith(('_0.mcap', '_0.db3')):
        path = path.parent
    return path.stem if path.is_file() else path.name


def energy_figures(analysed: AnalysedLog) -> Summary:
    """Return the energy of a log and what it was integrated over."""
    energy, log = analysed.energy, analysed.log
    duration = energy.duration or math.nan
    return without_nan({
        'source': str(log.path), 'name': log_title(log), 'boat': analysed.boat.name,
        'convention': analysed.options.convention,
        'run_by': 'analyze', 'log_duration_s': log.duration, 'log_samples': len(log), 'period_s': log.period,
        'duration_s': energy.duration, 'energy_j': energy.total,
        **{f'energy_{cause}_j': getattr(energy, cause) for cause in CAUSES if cause != 'total'},
        **by_load_figures(analysed.boat.load_names, analysed.by_load),
        'distance_over_ground_m': energy.distance_over_ground,
        'distance_through_water_m': energy.distance_through_water, 'energy_per_meter_j_m': energy.energy_per_meter,
        'mean_power_w': energy.total / duration, 'mean_speed_over_ground_m_s': energy.distance_over_ground / duration,
        **{count: getattr(energy, count) for count in COUNTS},
        'gap_duration_s': energy.gap_duration, 'stale_duration_s': energy.stale_duration,
        'legs': [share_figures(leg) for leg in leg_shares(analysed)]})


def report_figures(report: LogReport) -> Summary:
    """Return all figures of a report."""
    analysed, estimate, measured = report.analysed, report.estimate, report.measured
    interval, parameters = report.interval, report.parameters
    return {**energy_figures(analysed), **without_nan({
        'state_of_charge_used': analysed.state_of_charge_used,
        'current_source': analysed.flow_sources['current'], 'wind_source': analysed.flow_sources['wind'],
        **{f'{name}_mean_m_s': mean_or_nan(getattr(analysed.flow, name))
           for name in ('current_x', 'current_y', 'wind_x', 'wind_y')},
        'energy_low_j': math.nan if interval is None else interval.low,
        'energy_high_j': math.nan if interval is None else interval.high,
        'energy_low_by_parameters_j': math.nan if parameters is None else parameters.low,
        'energy_high_by_parameters_j': math.nan if parameters is None else parameters.high,
        'integrated_share': report.integrated_share,
        **sea_figures(analysed.waves),
        'live_energy_j': report.live_energy, 'live_relative': report.live_relative,
        'thruster_energy_j': report.thruster_energy, 'closure_relative': report.closure_relative,
        'side_force_relative': report.side_force_share,
        'actuators': analysed.actuators.source if analysed.by_thrusts and analysed.actuators else 'cheapest way',
        'allocation_relative': report.allocation_share,
        'current_estimate': None if estimate is None else {
            'std_x_m_s': estimate.std_x, 'std_y_m_s': estimate.std_y, 'knots': int(estimate.knots.size),
            'surge_residual_n': estimate.residual, 'blocks': estimate.blocks},
        'flow_from_side_force': [{
            'name': one.name, **{f'{name}_m_s': value for name, value in one.flow._asdict().items()},
            'evidence': one.evidence, 'sway_scatter_m_s': one.scatter} for one in analysed.explanations],
        'measured': None if measured is None else {
            'samples': measured.samples, 'duration_s': measured.duration, 'model_energy_j': measured.model_energy,
            'measured_energy_j': measured.measured_energy, 'energy_relative': measured.energy_error,
            'mean_error_w': measured.mean_error, 'rms_error_w': measured.rms_error, 'r2': measured.r2,
            'slope': measured.slope, 'offset_w': measured.offset},
        'hull': hull_figures(report.hull),
        'steady_energy_j': report.steady.energy,
        'what_if': [{'name': one.name, 'energy_j': one.energy, 'duration_s': one.duration, 'change_j': one.change,
                     'change_relative': one.relative, 'beyond_thrust_share': one.beyond} for one in report.changes],
        'notes': [{'level': note.level, 'code': note.code, 'text': note.text} for note in report.notes]})}
