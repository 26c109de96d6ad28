"""
The propeller of a thruster in a boat file, in one of four kinds, as the physics' `Propeller`.

- `map`: thrust at standstill to electrical power, with an optional `inflow`;
- `table`: electrical power over thrust and speed;
- `diameter` with a B-series screw, or with own curves `advance`, `kt`, `kq`; `rpm_limits` and `efficiency`;
- `model`, a thruster of config/thrusters, at a `voltage`; a `number` of them drives side by side as one.

Beside a map or a table, `rates` (rows of 1/min and thrust at standstill) say which thrust an rpm reading stands for; of
a screw and of a thruster of the library it follows.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..files import checked
from ..files.errors import InputError
from ..physics.open_water import Drive, OpenWater, inflow_of, tabled_propeller
from ..physics.propeller import Propeller
from ..physics.propeller_rate import Turning, turning_of, turning_of_screw
from ..physics.wageningen import thrust_coefficient, torque_coefficient
from .thruster_library import read_thruster
from .thruster_sheet import ThrusterSheet

KINDS = {  # The key that tells the kind, and what must and what may stand beside it.
    'map': ((), ('inflow', 'rates')),
    'table': ((), ('rates',)),
    'diameter': (('rpm_limits', 'efficiency'), ('pitch_ratio', 'area_ratio', 'blades', 'advance', 'kt', 'kq')),
    'model': (('voltage',), ('inflow', 'number')),
}
SCREW = ('pitch_ratio', 'area_ratio', 'blades')
CURVES = ('advance', 'kt', 'kq')
ADVANCES = np.linspace(0.0, 2.0, 401)  # At which the B-series' polynomials become curves.


@dataclass(frozen=True)
class DescribedPropeller:
    """
    A propeller as a boat file describes it.

    `kind`: the key that tells it, map, table, diameter or model. `correction`: where thrust and power under way are no
    measurements, what they follow from, as a sentence for reports; empty where nothing was corrected. `turning`: which
    thrust it gives at which rate, None where that is not known. Of a `model`: its name, its `voltage`, V, how many
    (`number`) drive as one, and whether the boat file itself says k, what the motor loses of its voltage (`own_drop`).
    """

    propeller: Propeller
    kind: str
    correction: str
    model: str = ''
    voltage: float | None = None
    turning: Turning | None = None
    number: int = 1
    own_drop: bool = False

    @property
    def limits(self) -> tuple[float, float]:
        """Least and largest thrust at standstill that the description covers, N."""
        p = self.propeller
        if p.tabled:
            return float(p.table_least[0]), float(p.table_most[0])
        return float(p.map_thrust[0]), float(p.map_thrust[-1])


def propeller_from(entry: dict[str, Any], where: str) -> DescribedPropeller:
    """
    Return a propeller from what stands under `propeller` of a thruster in a boat file.

    :param entry: The mapping, numbers bare or with unit and source.
    :param where: What stands before the key in an error: the file, a colon, and `thrusters.0.propeller`.
    :raises InputError: Key, value and what is allowed.
    """
    plain: dict[str, Any] = checked.values_of(entry)
    checked.check(plain, 'propeller', where)
    kind = _kind_of(plain, where)
    if kind == 'map':
        found = _with_map(np.array(plain['map'], dtype=float).T, plain.get('inflow'), where)
        return replace(found, turning=_rates(plain, where))
    if kind == 'table':
        return DescribedPropeller(_tabled(plain['table'], where), kind, '', turning=_rates(plain, where))
    if kind == 'diameter':
        return _screw(plain, where)
    return _model(plain, where)


def _kind_of(plain: dict[str, Any], where: str) -> str:
    kinds = [kind for kind in KINDS if kind in plain]
    if len(kinds) != 1:
        found = 'has ' + ' and '.join(kinds) if kinds else 'has none of them'
        raise InputError(f'{where} must have one of {", ".join(KINDS)}; it {found}')
    must, may = KINDS[kinds[0]]
    for key in must:
        if key not in plain:
            raise InputError(f'{where} has {kinds[0]!r} and lacks {key!r}; required beside it: {", ".join(must)}')
    for key in plain:
        if key not in (*must, *may, kinds[0], 'source'):
            raise InputError(f'{where}.{key} does not go with {kinds[0]!r}; allowed beside it: '
                             f'{", ".join((*must, *may)) or "nothing"}')
    return kinds[0]


def _with_map(knots: np.ndarray, inflow: dict[str, Any] | None, where: str) -> DescribedPropeller:
    thrust, power = knots.copy()
    _check_rising(thrust, f'{where}: map has the thrusts')
    if np.any(power < 0.0):
        raise InputError(f'{where}: map has the powers {power.tolist()}; must be at least 0')
    c, g, correction = _inflow(inflow, where)
    drop = float((inflow or {}).get('voltage_drop', 0.0))
    return DescribedPropeller(Propeller(thrust, power, c, g, voltage_drop=drop), 'map', correction)


def _rates(plain: dict[str, Any], where: str) -> Turning | None:
    """Return which thrust a propeller gives at which rate, as `rates` say it; None without these."""
    if 'rates' not in plain:
        return None
    rpm, thrust = np.array(plain['rates'], dtype=float).T
    _check_rising(rpm, f'{where}: rates has the rates of turning')
    _check_rising(thrust, f'{where}: rates has the thrusts')
    for rate, force in zip(rpm, thrust):
        if rate * force < 0.0 or (rate == 0.0) != (force == 0.0):
            raise InputError(f'{where}: rates has {force:g} N at {rate:g} 1/min; a rate above 0 must give a thrust '
                             'above 0, one below 0 a thrust below 0, and standstill none')
    return turning_of(rpm / 60.0, thrust)


def _inflow(inflow: dict[str, Any] | None, where: str) -> tuple[float, float, str]:
    """Return c, g and the sentence for reports of an `inflow`, or of none."""
    if inflow is None:
        return 0.0, 1.0, 'thrust and power under way are taken as at standstill: nothing is known of the inflow'
    if 'coefficient' in inflow:
        for key in ('diameter', *SCREW):
            if key in inflow:
                raise InputError(f'{where}.inflow.{key} stands beside coefficient; give one or the other')
        if 'torque_ratio' not in inflow:
            raise InputError(f'{where}.inflow has coefficient and lacks torque_ratio')
        c, g = float(inflow['coefficient']), float(inflow['torque_ratio'])
        return c, g, f'thrust and power under way follow from those at standstill by c = {c:.3g}, g = {g:.3g}, as given'
    for key in ('diameter', *SCREW):
        if key not in inflow:
            raise InputError(f'{where}.inflow lacks {key!r}; give coefficient and torque_ratio, or diameter, '
                             f'{", ".join(SCREW)}')
    c, g = inflow_of(_b_screw(inflow, f'{where}.inflow'), float(inflow['diameter']))
    screw = (f'B-screw of {inflow["blades"]:g} blades, P/D {inflow["pitch_ratio"]:g}, '
             f'A_E/A_0 {inflow["area_ratio"]:g}, D {inflow["diameter"]:g} m')
    return c, g, (f'thrust and power under way follow from those at standstill by a correction, c = {c:.3g}, '
                  f'g = {g:.3g}, of a Wageningen {screw}')


def _b_screw(numbers: dict[str, Any], where: str) -> OpenWater:
    screw = [float(numbers[key]) for key in SCREW]
    try:
        kt, kq = thrust_coefficient(ADVANCES, *screw), torque_coefficient(ADVANCES, *screw)
    except ValueError as error:
        raise InputError(f'{where}.{error}') from None
    last = int(np.argmax(kt <= 0.0)) + 1
    return OpenWater(ADVANCES[:last], kt[:last], kq[:last])


def _tabled(table: dict[str, Any], where: str) -> Propeller:
    where = f'{where}.table'
    thrusts, speeds = (np.array(table[key], dtype=float) for key in ('thrusts', 'speeds'))
    _check_rising(thrusts, f'{where}: thrusts are')
    _check_rising(speeds, f'{where}: speeds are')
    for number, row in enumerate(table['powers']):
        if len(row) != thrusts.size:
            raise InputError(f'{where}.powers.{number} has {len(row)} numbers; must be as many as thrusts, '
                             f'{thrusts.size}')
    powers = np.array(table['powers'], dtype=float)
    limits = {'least': np.full(speeds.size, thrusts[0]), 'most': np.full(speeds.size, thrusts[-1])}
    limits.update({key: np.array(table[key], dtype=float) for key in limits if key in table})
    for key, values in {'powers': powers, **limits}.items():
        if len(values) != speeds.size:
            raise InputError(f'{where}.{key} has {len(values)} entries; must be as many as speeds, {speeds.size}')
    crossed = np.flatnonzero(limits['least'] > limits['most'])
    if crossed.size:
        n = int(crossed[0])
        raise InputError(f'{where}.least is {limits["least"][n]:g} at {speeds[n]:g} m/s; must be at most most, '
                         f'{limits["most"][n]:g}')
    standstill = np.array([np.interp(0.0, speeds, column) for column in powers.T])
    return Propeller(thrusts, standstill, tabled=1.0, table_speed=speeds, table_place=np.arange(float(speeds.size)),
                     table_thrust=thrusts, table_power=powers, table_least=limits['least'], table_most=limits['most'])


def _screw(plain: dict[str, Any], where: str) -> DescribedPropeller:
    given = {name: [key for key in keys if key in plain] for name, keys in (('screw', SCREW), ('curves', CURVES))}
    if len(given['screw']) == len(SCREW) and not given['curves']:
        curves = _b_screw(plain, where)
        correction = 'thrust and power follow from the polynomials of the Wageningen B-series'
    elif len(given['curves']) == len(CURVES) and not given['screw']:
        curves, correction = _own_curves(plain, where), ''
    else:
        raise InputError(f'{where} has {", ".join((*given["screw"], *given["curves"])) or "neither"} beside diameter; '
                         f'must have either {", ".join(SCREW)}, or {", ".join(CURVES)}')
    least, most = (float(rpm) / 60.0 for rpm in plain['rpm_limits'])
    if not least <= 0.0 < most:
        raise InputError(f'{where}.rpm_limits is {plain["rpm_limits"]}; must be the least, at most 0, and the largest, '
                         'above 0')
    drive, diameter = Drive(least, most, *_efficiency(plain['efficiency'], where)), float(plain['diameter'])
    return DescribedPropeller(tabled_propeller(curves, diameter, drive), 'diameter', correction,
                              turning=turning_of_screw(curves, diameter, least, most))


def _own_curves(plain: dict[str, Any], where: str) -> OpenWater:
    advance, kt, kq = (np.array(plain[key], dtype=float) for key in CURVES)
    _check_rising(advance, f'{where}: advance is no function of J:')
    if advance[0] != 0.0:
        raise InputError(f'{where}.advance begins at {advance[0]:g}; must begin at 0, standstill')
    for key, values in (('kt', kt), ('kq', kq)):
        if values.size != advance.size:
            raise InputError(f'{where}.{key} has {values.size} numbers; must be as many as advance, {advance.size}')
    if np.any(np.diff(kt) >= 0.0) or kt[0] <= 0.0:
        raise InputError(f'{where}.kt is {kt.tolist()}; must begin above 0 and fall')
    if np.any(kq[kt > 0.0] <= 0.0):
        raise InputError(f'{where}.kq is {kq.tolist()}; must be above 0 wherever kt is')
    return OpenWater(advance, kt, kq)


def _efficiency(given: Any, where: str) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(given, list):
        return np.zeros(1), np.array([float(given)])
    power, efficiency = np.array(given, dtype=float).T.copy()
    _check_rising(power, f'{where}: efficiency has the shaft powers')
    if np.any(efficiency <= 0.0) or np.any(efficiency > 1.0):
        raise InputError(f'{where}: efficiency has the values {efficiency.tolist()}; must be above 0 and at most 1')
    return power, efficiency


def _model(plain: dict[str, Any], where: str) -> DescribedPropeller:
    thruster = read_thruster(plain['model'], f'{where}.model: ')
    voltage = float(plain['voltage'])
    sheet = thruster.at_voltage(voltage, f'{where}.')
    inflow = plain.get('inflow', thruster.inflow)
    c, g, correction = _inflow(inflow, where)
    drop = 0.0 if thruster.rpm_per_volt is None else sheet.voltage_drop(thruster.rpm_per_volt)
    drop = float((inflow or {}).get('voltage_drop', drop))
    number = int(plain.get('number', 1))
    sheet = replace(sheet, thrusts=number * sheet.thrusts, powers=number * sheet.powers)
    # Each has its part of the thrust: c sqrt(B / number) a propeller, k sqrt(B / number).
    propeller = Propeller(*sheet.bollard_map(), c * number ** 0.5, g, voltage_drop=drop / number ** 0.5)
    return DescribedPropeller(propeller, 'model', correction, thruster.name, voltage, _turning_of_sheet(sheet), number,
                              'voltage_drop' in (inflow or {}))


def _turning_of_sheet(sheet: ThrusterSheet) -> Turning | None:
    """Return which thrust a thruster of the library gives at which rate; None where its sheet has no rates."""
    if not np.isfinite(sheet.rpm).all():
        return None
    moves = (sheet.thrusts != 0.0) & (sheet.rpm > 0.0)
    rate = np.sign(sheet.thrusts[moves]) * sheet.rpm[moves] / 60.0
    return turning_of(rate, sheet.thrusts[moves]) if (np.diff(rate) > 0.0).all() else None


def _check_rising(values: np.ndarray, what: str) -> None:
    if np.any(np.diff(values) <= 0.0):
        raise InputError(f'{what} {values.tolist()}; they must rise')
