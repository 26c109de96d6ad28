"""
The thrust of a thruster at standstill over the pulse width of its command: `pwm` of a thruster in a boat file.

It is a `table` in the file, or the sheet of a library thruster in config/thrusters (`model`) at a `voltage`. A thruster
whose `propeller` is such a model has that sheet's curve by default.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.thrusters.kind import DescribedPropeller
from usv_energy.thrusters.thruster_sheet import read_thruster

LONGEST = 3000.0  # us: servos and speed controllers accept 500 to 2500.


@dataclass(frozen=True, eq=False)
class PulseCurve:
    """
    Thrusts at standstill along the axis, N, astern below 0, at ascending pulse widths, us; linear between them.

    `source`: the origin of the curve, as a sentence for reports.
    """

    pulses: np.ndarray
    thrusts: np.ndarray
    source: str

    @property
    def limits(self) -> tuple[float, float]:
        """The shortest and the longest pulse of the curve, us."""
        return float(self.pulses[0]), float(self.pulses[-1])

    @property
    def thrust_limits(self) -> tuple[float, float]:
        """The least and the largest thrust of the curve, N."""
        return float(self.thrusts[0]), float(self.thrusts[-1])

    @property
    def dead_band(self) -> tuple[float, float]:
        """The shortest and the longest pulse that give no thrust, us."""
        return self._pulse(0.0, 'left'), self._pulse(0.0, 'right')

    def thrust(self, pulse: Any) -> Any:
        """
        Return the thrust at standstill, N, for a pulse, us; float or array.

        Beyond the curve it is that of the curve's end; NaN for NaN.
        """
        thrust = np.interp(pulse, self.pulses, self.thrusts)
        return float(thrust) if np.ndim(pulse) == 0 else thrust

    def knows(self, pulse: Any) -> Any:
        """Return whether pulses, us, are within the curve; False for NaN."""
        low, high = self.limits
        return (pulse >= low) & (pulse <= high)

    def pulse(self, thrust: float) -> float:
        """Return the pulse, us, nearest to the dead band that gives a thrust, N; for 0 N the middle of the band."""
        low, high = self.dead_band
        if math.isnan(thrust):
            return math.nan
        if thrust == 0.0:
            return 0.5 * (low + high)
        return self._pulse(thrust, 'left' if thrust > 0.0 else 'right')

    def _pulse(self, thrust: float, side: Literal['left', 'right']) -> float:
        """Return the first (`left`) or the last (`right`) of the pulses that give a thrust, us."""
        wanted = float(np.clip(thrust, self.thrusts[0], self.thrusts[-1]))
        found = int(np.searchsorted(self.thrusts, wanted, side))
        begin = max(found - 1, 0)
        return float(np.interp(wanted, self.thrusts[begin:found + 1], self.pulses[begin:found + 1]))


def curve_from(entry: Mapping[str, Any], described: DescribedPropeller | None, where: str) -> PulseCurve | None:
    """
    Return the curve of a thruster of a boat file; None if neither `pwm` nor its propeller has one.

    :param entry: The thruster's entry in the file.
    :param described: Its propeller.
    :param where: Prefix of a key in error messages: the file, a colon, and `thrusters.0`.
    :raises InputError: If it is wrong; the message names key, value and what is allowed.
    """
    given = entry.get('pwm')
    if not isinstance(given, dict):  # The boat file's schema refuses it.
        if described is None or not described.model or described.voltage is None:
            return None
        sheet = _of_sheet(described.model, described.voltage, f'{where}.propeller')
        # If several thrusters of the model act as one, the propeller has the thrust of all of them.
        return replace(sheet, thrusts=sheet.thrusts * (described.limits[1] / sheet.thrust_limits[1]))
    where = f'{where}.pwm'
    plain: dict[str, Any] = checked.values_of(given)
    checked.check(plain, 'pwm', where)
    if ('table' in plain) == ('model' in plain):
        raise InputError(f'{where} must have either table, or model and voltage')
    if 'table' in plain:
        if 'voltage' in plain:
            raise InputError(f'{where}.voltage is {plain["voltage"]:g} beside table; it goes with model')
        return _of_table(plain['table'], str(plain.get('source', 'a table of the boat file')), f'{where}.table')
    if 'voltage' not in plain:
        raise InputError(f"{where} has 'model' and lacks 'voltage'")
    return _of_sheet(plain['model'], float(plain['voltage']), where)


def _of_sheet(model: str, voltage: float, where: str) -> PulseCurve:
    sheet = read_thruster(model, f'{where}.model: ').at_voltage(voltage, f'{where}.')
    return PulseCurve(sheet.pulses, sheet.thrusts, f'sheet of {model} at {voltage:g} V')


def _of_table(rows: list[list[float]], source: str, where: str) -> PulseCurve:
    pulses, thrusts = np.array(rows, dtype=float).T.copy()
    if np.any(np.diff(pulses) <= 0.0):
        raise InputError(f'{where} has the pulses {pulses.tolist()}; they must rise')
    if pulses[0] <= 0.0 or pulses[-1] > LONGEST:
        raise InputError(f'{where} has the pulses {pulses.tolist()}; must be above 0 and at most {LONGEST:g} us')
    if np.any(np.diff(thrusts) < 0.0):
        raise InputError(f'{where} has the thrusts {thrusts.tolist()}; must not fall, a longer pulse being more ahead '
                         '(mirror the pulses of a thruster that is mounted the other way)')
    if thrusts[0] > 0.0 or thrusts[-1] <= 0.0:
        raise InputError(f'{where} has the thrusts {thrusts.tolist()}; must go from 0 or below, with the pulse that '
                         'gives no thrust, to above 0')
    return PulseCurve(pulses, thrusts, source)
