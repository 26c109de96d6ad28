"""The boat file of a fit of power to revolutions: what each thruster draws for its thrust, by its own revolutions."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.studies.identify.electrical.electrical_reports import rotor_summary
from usv_energy.studies.identify.electrical.rotor_fit import RotorResult
from usv_energy.thrusters.drive import Turning
from usv_energy.thrusters.rotor_power import rotor_power
from usv_energy.thrusters.thruster import Thruster

KNOTS = 16          # Of the map of a thruster, for each direction.
TORQUE_RATIO = 0.8  # (-), slope of K_Q over that of K_T, where the base does not say it: B-screws have 0.67 to 0.96.


def rotor_boat(result: RotorResult, boat: Boat, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file: the base with the power of its thrusters, and their standby, replaced.

    Thrust over the rate of turning is that of the base's propellers; a thrust takes the power that the fit has at its
    rate in still water. The relief c of the power by the inflow is (c / k) v / n of it, which is the correction of a
    map (docs/propellers.md) with the coefficient (c / k) sqrt(T / n^2) / g.

    :param boat: The base; each of its propellers must say its thrust over the rate of turning.
    :param name: Of the new boat.
    :param provenance: Date, command and so on, kept with the errors.
    :raises InputError: If a thruster has no thrust over its rate of turning.
    """
    document = checked.read_with_base('boats', boat.path)
    load, number = result.fit.load, len(boat.vessel.thrusters)
    logs, entries = ', '.join(result.names), []
    source = f'usv-energy identify electrical, revolutions of {logs}'
    for place, (entry, thruster) in enumerate(zip(document['thrusters'], boat.vessel.thrusters)):
        propeller = boat.propellers[place] if boat.propellers else None
        if propeller is None or propeller.turning is None:
            raise InputError(f'{boat.path}: thrusters.{place}.propeller has no rates; power over revolutions needs the '
                             'thrust over them (rates: rows of 1/min and N), or choose --use thrust or --use command')
        entries.append(_entry(entry, thruster, propeller.turning, result, source))
    return document | {
        'name': name, 'description': f'{boat.name} with the electrical power that was found in {logs}',
        'thrusters': entries,
        'static_load': {'value': round(number * load.standby, 3), 'unit': 'W',
                        'source': f'{source}: standby of {number} thrusters; nothing else is in these logs'},
        'identification': {**document.get('identification', {}),
                           'electrical': {**provenance, **rotor_summary(result)}}}


def _entry(entry: Mapping[str, Any], thruster: Thruster, turning: Turning, result: RotorResult,
           source: str) -> dict[str, Any]:
    """Return a thruster's entry with a map by its own revolutions in the place of what its propeller had."""
    load = result.fit.load
    low, high = float(thruster.min_thrust), float(thruster.max_thrust)
    share = np.linspace(0.0, 1.0, KNOTS + 1)[1:]
    thrusts = np.concatenate([low * share[::-1] ** 2 if low < 0.0 else [], [0.0], high * share ** 2])
    rates = _rate_of(thrusts, turning)
    still = np.zeros(rates.size)
    powers = rotor_power(rates, still, still, load._replace(standby=0.0))
    old = checked.values_of(entry['propeller']).get('inflow', {})
    ratio = float(old.get('torque_ratio', TORQUE_RATIO))
    root = float(np.sqrt(high) / rates[-1]) if high > 0.0 else 0.0
    relief = load.inflow / load.ahead if load.ahead > 0.0 else 0.0
    limits = {'min_thrust': low, 'max_thrust': high}
    return {**limits, **entry, 'propeller': {
        'source': f'{source}; thrust over revolutions as the base has it',
        'map': [[float(f'{thrust:.6g}'), float(f'{power:.6g}')] for thrust, power in zip(thrusts, powers)],
        'rates': [[float(f'{60.0 * rate:.6g}'), float(f'{root * abs(root):.6g}')] for rate, root in zip(
            turning.rate.tolist(), turning.root.tolist())],
        'inflow': {'coefficient': float(f'{relief * root / ratio:.5g}'), 'torque_ratio': ratio}}}


def _rate_of(thrusts: np.ndarray, turning: Turning) -> np.ndarray:
    """Return the rates, 1/s, at which thrusts at standstill, N, are given; beyond the Turning by the square law."""
    wanted = np.sign(thrusts) * np.sqrt(np.abs(thrusts))
    rates = np.interp(wanted, turning.root, turning.rate)
    for end in (0, -1):
        beyond = wanted * np.sign(turning.root[end]) > abs(turning.root[end])
        if turning.root[end] != 0.0 and beyond.any():
            rates[beyond] = turning.rate[end] * wanted[beyond] / turning.root[end]
    return np.asarray(rates)
