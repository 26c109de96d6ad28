"""Places where a boat on cells cannot be held against current and wind, at the voltage that is left on arrival."""

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.batteries.cell_step import supply_at_power
from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.lattice import FlowsAtPoints
from usv_energy.studies.maps.pack_ways import PackShares
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.thrusters.voltage_curves import curves_of, vessel_at_voltage

VOLTAGES = 6    # Under load, from the cutoff to full, at which thrusters with sheets at several voltages are looked at.


def not_held(vessel: Vessel, shares: PackShares, flows: FlowsAtPoints, used: np.ndarray) -> np.ndarray:
    """
    Return at which points a boat cannot be held because of its battery, shape (points,).

    It is where the pack, rested at what is used by then, does not give the power of staying there above its cutoff, or
    not at a voltage at which the thrusters have the thrust. Where they have not at the boat file's voltage either, it
    is the current's doing, and not said here.

    :param vessel: The boat's, as it is to be held.
    :param flows: At the points.
    :param used: Share of the battery on arrival, (-), shape (points,); not finite where the boat does not come.
    """
    there = np.flatnonzero(flows.inside & np.isfinite(used))
    found = np.zeros(used.size, dtype=bool)
    if not there.size:
        return found
    different, which = np.unique(flows.values[there], axis=0, return_inverse=True)
    flow, still = Flow(*different.T), np.zeros(len(different))
    state, pack = shares.state_at(used[there]), shares.energy.pack
    held, curves = np.zeros(there.size, dtype=bool), curves_of(shares.boat)
    low, high = pack.series * pack.cell.cutoff_voltage, pack.series * pack.cell.full_voltage
    by_voltage = any(curve is not None for curve in curves)
    for voltage in np.linspace(low, high, VOLTAGES) if by_voltage else (low,):
        supplied = vessel_at_voltage(vessel, float(voltage), 1.0, curves) if by_voltage else vessel
        steady = steady_state(supplied, still, still, flow)
        power = np.where(steady.feasible, steady.power.total, np.inf)[np.ravel(which)]
        able = np.isfinite(power)
        supply = supply_at_power(state, np.where(able, power, 0.0), pack)
        held |= able & (supply.lacking == 0.0) & (supply.voltage >= voltage - 1e-6)
    can_at_all = steady_state(vessel, still, still, flow).feasible[np.ravel(which)]
    found[there] = can_at_all & ~held
    return found
