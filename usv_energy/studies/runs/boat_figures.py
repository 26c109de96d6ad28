"""The figures of a boat that runs now, for a terminal or another program: keys with units, from messages or types."""

import math
from typing import Any

from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.powering.energy import CAUSES
from usv_energy.sim.record import COUNTS

HULL_STATES = {0: 'unknown', 1: 'healthy', 2: 'more drag', 3: 'current unknown'}  # By HullHealth.state.


def power_figures(power: Any) -> dict[str, Any]:
    """Return the causes of a Power, or of a message with its fields, W."""
    return {f'power_{cause}_w': getattr(power, cause) for cause in CAUSES}


def energy_figures(energy: Any) -> dict[str, Any]:
    """Return an Energy, or a message with its fields, with what it was integrated over."""
    return {**{f'energy_{cause}_j': getattr(energy, cause) for cause in CAUSES},
            **{name: getattr(energy, name) for name in COUNTS},
            'duration_s': energy.duration, 'distance_over_ground_m': energy.distance_over_ground,
            'distance_through_water_m': energy.distance_through_water,
            'energy_per_meter_j_m': energy.energy_per_meter,
            'gap_duration_s': energy.gap_duration, 'stale_duration_s': energy.stale_duration}


def level_figures(charge: float, voltage: float, current: float, ampere_hours: float) -> dict[str, Any]:
    """
    Return the state of a battery.

    :param charge: State of charge, (-).
    :param voltage: V.
    :param current: A, negative while it is discharged.
    :param ampere_hours: Charge left, Ah.
    """
    left, drawn = ampere_hours * voltage * JOULES_PER_WH, -current * voltage
    return {'state_of_charge': charge, 'battery_voltage_v': voltage, 'battery_charge_ah': ampere_hours,
            'remaining_energy_j': left, 'remaining_duration_s': left / drawn if drawn > 0.0 else None}


def estimate_figures(estimate: Any) -> dict[str, Any]:
    """Return a BatteryReport, or a BatteryEstimate, with standard deviations; empty for None."""
    if estimate is None:
        return {}
    return {'state_of_charge_std': estimate.state_of_charge_std, 'battery_resistance_ohm': estimate.resistance,
            'battery_resistance_std_ohm': estimate.resistance_std,
            'battery_open_circuit_v': estimate.open_circuit_voltage,
            'battery_temperature_degc': estimate.temperature, 'battery_energy_left_j': estimate.energy_left,
            'battery_status': int(estimate.status), 'battery_message': estimate.message}


def hull_figures(report: Any) -> dict[str, Any]:
    """Return a HullReport, or a HullHealth, of hull and propellers; empty for None."""
    if report is None:
        return {}
    return {'hull_state': HULL_STATES.get(int(report.state), str(report.state)), 'drag_ratio': report.drag_ratio,
            'drag_ratio_lower': report.drag_ratio_lower, 'drag_ratio_upper': report.drag_ratio_upper,
            'hull_since_s': report.since, 'hull_observed_s': report.observed, 'hull_message': report.message}


def home_figures(answer: Any) -> dict[str, Any]:
    """Return a HomeAnswer, or a HomeMargin, of the way home; empty for None."""
    if answer is None:
        return {}
    return {'home_place': answer.home, 'home_distance_m': answer.distance, 'home_duration_s': answer.duration,
            'home_energy_j': answer.energy_home, 'home_energy_upper_j': answer.energy_home_upper,
            'home_reserve_j': answer.reserve, 'home_margin_j': answer.margin,
            'no_return_duration_s': answer.no_return_duration, 'no_return_distance_m': answer.no_return_distance,
            'return_home': answer.return_home, 'home_status': int(answer.status), 'home_message': answer.message}


def flow_figures(x: float, y: float, status: str) -> dict[str, Any]:
    """Return a current or a wind, m/s along east and north, and a word for where it comes from, or what is wrong."""
    return {'x_m_s': x, 'y_m_s': y, 'speed_m_s': math.hypot(x, y), 'direction_deg': math.degrees(math.atan2(y, x)),
            'status': status}
