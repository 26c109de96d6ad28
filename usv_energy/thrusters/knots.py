"""What several kinds of propellers read alike: knots that must rise, and rates of turning."""

from typing import Any

import numpy as np

from ..files.errors import InputError
from .rates import Turning, turning_of

RATES_SCHEMA = {
    'description': 'Rows of the rate of turning (1/min, rising, astern below 0) and the thrust at standstill (N): what '
                   'an rpm reading stands for. Beside map or table.',
    'type': 'array', 'minItems': 1,
    'items': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'type': 'number'}}}


def check_rising(values: np.ndarray, what: str) -> None:
    """See whether knots rise; InputError, which begins with `what`, if not."""
    if np.any(np.diff(values) <= 0.0):
        raise InputError(f'{what} {values.tolist()}; they must rise')


def turning_of_rates(plain: dict[str, Any], where: str) -> Turning | None:
    """Return which thrust a propeller gives at which rate, as its `rates` say it; None without these."""
    if 'rates' not in plain:
        return None
    rpm, thrust = np.array(plain['rates'], dtype=float).T
    check_rising(rpm, f'{where}: rates has the rates of turning')
    check_rising(thrust, f'{where}: rates has the thrusts')
    for rate, force in zip(rpm, thrust):
        if rate * force < 0.0 or (rate == 0.0) != (force == 0.0):
            raise InputError(f'{where}: rates has {force:g} N at {rate:g} 1/min; a rate above 0 must give a thrust '
                             'above 0, one below 0 a thrust below 0, and standstill none')
    return turning_of(rpm / 60.0, thrust)
