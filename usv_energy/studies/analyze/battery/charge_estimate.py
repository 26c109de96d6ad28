"""
The charge and the resistance of a pack from its measured volts and amperes, with standard deviations.

An extended Kalman filter with the cell model of physics/batteries/cell.py. Its state holds the cell's state and the
unknown parameters of cell and sensors:

z charge of the cells, (-) v_fast, v_slow drops at the RC pairs, V x lag of the charge at the surface, (-) q log of the
factor on all resistances, (-) g correction of the current sensor: I = (1 + g) I_measured; it also absorbs an error of
the capacity b voltage error of model and sensor, V a cell, with the correlation time OFFSET_TIME

The measured volts determine the charge if the open-circuit voltage is steep, and the amperes its change. If the table
of the voltage is wrong or flat, b keeps the filter from treating many readings as independent.

Source: Plett, Extended Kalman filtering for battery management systems of LiPB-based HEV battery packs, part 3, J.
Power Sources 134 (2004) 277. An update is iterated about its own result (Bell and Cathey, IEEE Trans. Automatic Control
38 (1993) 294), since the voltage is curved over the charge where a wrong start is corrected. The derivatives are
central differences.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.physics.batteries.cell import CellState, Pack, cell_part, factors_of, voltage
from usv_energy.physics.batteries.cell_step import step_at_current, step_at_power, supply_at_power

DELTAS = np.array([5e-3, 1e-3, 1e-3, 1e-4, 1e-2, 1e-3, 1e-3])  # Of the central differences, in the state's units.
VOLTAGE_NOISE = 0.010    # V a cell, of each reading: noise of the sensor and of the model.
CURRENT_NOISE = 0.05     # A of the pack, of each reading.
START_OFFSET = 0.005     # V a cell, standard deviation of b.
OFFSET_TIME = 3600.0     # s.
START_GAIN = 0.03        # Standard deviation of g: a current sensor's 1 to 2 %, and a capacity known to 2 or 3 %.
START_LOG_FACTOR = 0.3   # Of q: age, contacts and cables.
LOG_FACTOR_DRIFT = 0.05  # Of q in an hour.
DROP_DRIFT = 0.001       # V in the root of a second, of each RC pair.
LAG_DRIFT = 1e-5         # In the root of a second.
MODEL_SHARE = 0.2        # Standard deviation of a modelled power, of itself: without readings,
UNHEARD_SHARE = 0.5      # and of one in a time of which nothing is known.
ROUNDS, SETTLED = 20, 1e-3  # Charge, (-): an update is iterated until the charge changes by less.
GATE, LEAST_GATE = 8.0, 0.15  # Standard deviations, and V a cell: largest innovation of a voltage.


class ChargeEstimate(NamedTuple):
    """Charge, (-), and R0 of the pack, Ohm, with standard deviations; V at rest, V at the present current; degC."""

    charge: float
    charge_std: float
    resistance: float
    resistance_std: float
    open_circuit_voltage: float
    voltage: float
    temperature_degc: float


class ChargeFilter:
    """The filter of one pack. Currents in A and powers in W are those of the pack, discharging is positive."""

    def __init__(self, pack: Pack, charge: float, charge_std: float, temperature: float) -> None:
        """Begin with cells that rested, at a charge, (-), known to a standard deviation, and at a temperature, K."""
        self._pack, self._ambient = pack, temperature
        self._mean = np.array([charge, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        spread = [max(charge_std, 1e-9), 0.002, 0.002, 1e-4, START_LOG_FACTOR, START_GAIN, START_OFFSET]
        self._covariance = np.diag(np.square(spread))
        self._temperature = temperature
        self._current = 0.0
        self._has_reading = False

    @property
    def cells(self) -> CellState:
        """The state of the cells."""
        z, fast, slow, lag = map(float, self._mean[:4])
        return CellState(z, fast, slow, lag, self._temperature)

    @property
    def ambient(self) -> float:
        """The temperature around the cells, K; that of the cells themselves once it was measured."""
        return self._ambient

    @property
    def current(self) -> float:
        """The current now, as estimated, A."""
        return self._current

    @property
    def pack(self) -> Pack:
        """The pack, its resistances as estimated."""
        return self._pack._replace(resistance_factor=self._pack.resistance_factor * math.exp(self._mean[4]))

    @property
    def estimate(self) -> ChargeEstimate:
        """The present estimate."""
        pack, cells = self.pack, self.cells
        part = cell_part(cells, factors_of(cells.temperature, pack), pack.cell)
        resistance = float(part.resistance * pack.series / pack.parallel)
        charge, spread = min(max(float(self._mean[0]), 0.0), 1.0), np.sqrt(np.diagonal(self._covariance))
        return ChargeEstimate(charge, float(spread[0]), resistance, resistance * float(spread[4]),
                              float(part.at_rest * pack.series), float(voltage(cells, self._current, pack)),
                              self._temperature - 273.15)

    def at_temperature(self, temperature: float) -> None:
        """Set the measured temperature of the cells, K."""
        self._temperature = self._ambient = temperature

    def go_on_by_power(self, power: float, dt: float, share: float = MODEL_SHARE) -> None:
        """Predict with a power, W, over a time, s, that is not measured, but known to a share of itself (std)."""
        cells, supply = step_at_power(self.cells, power, dt, self._ambient, self.pack)
        drawn = abs(self._mean[0] - cells.charge)
        self._take_cells(cells)
        self.widen(share * drawn)
        self._current = float(supply.current)

    def widen(self, more: float) -> None:
        """Add to the standard deviation of the charge, (-)."""
        wider = 1.0 + more / math.sqrt(self._covariance[0, 0])
        self._covariance[0, :] *= wider
        self._covariance[:, 0] *= wider

    def draw(self, power: float) -> None:
        """Set the present power, W, without a time step, for the voltage under load."""
        self._current = float(supply_at_power(self.cells, power, self.pack).current)

    def go_on_by_current(self, current: float, dt: float) -> None:
        """Predict with a measured current, A, over a time, s."""
        points, cells, pack = self._around()
        after = step_at_current(cells, current * (1.0 + points[5]), dt, self._ambient, pack)
        kept = math.exp(-dt / OFFSET_TIME)
        ends = np.vstack([*after[:4], points[4], points[5], kept * points[6]])
        jacobian = (ends[:, 1:8] - ends[:, 8:]) / (2.0 * DELTAS)
        share = CURRENT_NOISE * dt / (self._pack.parallel * self._pack.cell.capacity * self._pack.capacity_share)
        noise = np.array([share ** 2, DROP_DRIFT ** 2 * dt, DROP_DRIFT ** 2 * dt, LAG_DRIFT ** 2 * dt,
                          LOG_FACTOR_DRIFT ** 2 * dt / 3600.0, 0.0, START_OFFSET ** 2 * (1.0 - kept * kept)])
        self._mean, self._temperature = ends[:, 0].copy(), float(after.temperature[0])
        self._covariance = jacobian @ self._covariance @ jacobian.T + np.diag(noise)
        self._current = current * (1.0 + float(self._mean[5]))

    def take_voltage(self, volts: float, current: float) -> float:
        """
        Update the state by a measured voltage of the pack, V, at a measured current, A.

        :return: By how much the voltage is above what was expected, V; where that is not believed and therefore was not
            used. 0 where it was.
        """
        if not self._has_reading:
            self._begin_under_load(current)
        expected, slope = self._expected(current)
        difference = volts / self._pack.series - expected
        variance = float(slope @ self._covariance @ slope) + VOLTAGE_NOISE ** 2
        if abs(difference) > max(GATE * math.sqrt(variance), LEAST_GATE):
            return float(difference * self._pack.series)
        before, known = self._mean, self._covariance
        for _ in range(ROUNDS):
            gain = known @ slope / (slope @ known @ slope + VOLTAGE_NOISE ** 2)
            at = self._mean
            self._mean = before + gain * (volts / self._pack.series - expected - slope @ (before - at))
            if abs(self._mean[0] - at[0]) < SETTLED:
                break
            expected, slope = self._expected(current)
        self._mean[0] = min(max(self._mean[0], 0.0), 1.0)
        rest = np.eye(7) - np.outer(gain, slope)
        self._covariance = rest @ known @ rest.T + VOLTAGE_NOISE ** 2 * np.outer(gain, gain)
        self._has_reading = True
        return 0.0

    def _begin_under_load(self, current: float) -> None:
        """Enlarge the variance of drops and lag by the current of the first reading, whose duration is unknown."""
        part = cell_part(self.cells, factors_of(self._temperature, self._pack), self._pack.cell)
        each = current / self._pack.parallel
        cell = self._pack.cell
        spreads = part.fast_resistance * each, part.slow_resistance * each, cell.lag * each / cell.capacity
        for row, spread in enumerate(spreads, start=1):
            self._covariance[row, row] += float(spread) ** 2

    def _expected(self, current: float) -> tuple[float, np.ndarray]:
        """Return the predicted voltage of a cell at a measured current of the pack, V, and its derivative."""
        points, cells, pack = self._around()
        volts = voltage(cells, current * (1.0 + points[5]), pack) / self._pack.series + points[6]
        return float(volts[0]), (volts[1:8] - volts[8:]) / (2.0 * DELTAS)

    def _around(self) -> tuple[np.ndarray, CellState, Pack]:
        """Return the state and its perturbations by +-DELTAS, with their cells and packs."""
        points = self._mean[:, None] + np.hstack([np.zeros((7, 1)), np.diag(DELTAS), -np.diag(DELTAS)])
        pack = self._pack._replace(resistance_factor=self._pack.resistance_factor * np.exp(points[4]))
        z, fast, slow, lag = points[:4]
        return points, CellState(z, fast, slow, lag, np.full(len(z), self._temperature)), pack

    def _take_cells(self, cells: CellState) -> None:
        self._mean[:4] = cells[:4]
        self._temperature = float(cells.temperature)
