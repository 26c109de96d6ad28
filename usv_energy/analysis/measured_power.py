"""The model against the measured electrical power, where a log has it."""

import math
from typing import NamedTuple

import numpy as np

from ..physics.record_energy import steps_between
from .analysed_log import AnalysedLog


class MeasuredPower(NamedTuple):
    """
    Model against measurement where both have a number.

    Samples and time s; energies J; mean error (model less measured) and root mean square error, W; share of the
    measured power's variance that the model explains, (-); slope and offset W of measured = slope model + offset.
    """

    samples: int
    duration: float
    model_energy: float
    measured_energy: float
    mean_error: float
    rms_error: float
    r2: float
    slope: float
    offset: float

    @property
    def energy_error(self) -> float:
        """Model's energy over the measured one, less 1, (-); NaN without one."""
        return self.model_energy / self.measured_energy - 1.0 if self.measured_energy else math.nan


def measured_power(analysed: AnalysedLog) -> MeasuredPower | None:
    """Return the model against the measurement; None where the log has fewer than two samples with both."""
    measured, model = analysed.log.electrical_power, analysed.power.total
    both = np.isfinite(measured) & np.isfinite(model)
    if both.sum() < 2:
        return None
    steps = steps_between(analysed.log.time, measured + model, analysed.options.max_gap)
    error = model[both] - measured[both]
    variance, spread = float(np.var(measured[both])), float(np.var(model[both]))
    slope = float(np.cov(model[both], measured[both], bias=True)[0, 1]) / spread if spread > 0.0 else math.nan
    return MeasuredPower(
        samples=int(both.sum()), duration=float(steps.durations.sum()),
        model_energy=float(steps.trapezoids(model).sum()), measured_energy=float(steps.trapezoids(measured).sum()),
        mean_error=float(error.mean()), rms_error=float(np.sqrt(np.mean(error * error))),
        r2=1.0 - float(np.mean(error * error)) / variance if variance > 0.0 else math.nan,
        slope=slope, offset=float(measured[both].mean() - slope * model[both].mean()))
