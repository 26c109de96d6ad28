"""What the monitor says of battery, hull and propellers, and the way home: figures with units in their keys."""

from typing import Any

from .messages import BatteryEstimate, HomeMargin, HullHealth

HULL_STATES = {HullHealth.UNKNOWN: 'unknown', HullHealth.HEALTHY: 'healthy', HullHealth.MORE_DRAG: 'more drag',
               HullHealth.CURRENT_UNKNOWN: 'current unknown'}


def estimate_figures(msg: BatteryEstimate | None) -> dict[str, Any]:
    """Return what is known of the battery, with its standard deviations; nothing where nobody says it."""
    if msg is None:
        return {}
    return {'state_of_charge_std': msg.state_of_charge_std, 'battery_resistance_ohm': msg.resistance,
            'battery_resistance_std_ohm': msg.resistance_std, 'battery_open_circuit_v': msg.open_circuit_voltage,
            'battery_temperature_degc': msg.temperature, 'battery_energy_left_j': msg.energy_left,
            'battery_status': msg.status, 'battery_message': msg.message}


def hull_figures(msg: HullHealth | None) -> dict[str, Any]:
    """Return how hull and propellers are; nothing where nobody says it."""
    if msg is None:
        return {}
    return {'hull_state': HULL_STATES.get(msg.state, str(msg.state)), 'drag_ratio': msg.drag_ratio,
            'drag_ratio_lower': msg.drag_ratio_lower, 'drag_ratio_upper': msg.drag_ratio_upper,
            'hull_since_s': msg.since, 'hull_observed_s': msg.observed, 'hull_message': msg.message}


def home_figures(msg: HomeMargin | None) -> dict[str, Any]:
    """Return what is said of the way home: units in the keys; nothing where nobody watches it."""
    if msg is None:
        return {}
    return {'home_place': msg.home, 'home_distance_m': msg.distance, 'home_duration_s': msg.duration,
            'home_energy_j': msg.energy_home, 'home_energy_upper_j': msg.energy_home_upper,
            'home_reserve_j': msg.reserve, 'home_margin_j': msg.margin,
            'no_return_duration_s': msg.no_return_duration, 'no_return_distance_m': msg.no_return_distance,
            'return_home': msg.return_home, 'home_status': msg.status, 'home_message': msg.message}
