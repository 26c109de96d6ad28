"""What an identification is asked for, and what it gives."""

from dataclasses import dataclass

from .form_choice import FormTrial, RolloutErrors
from .normal_equations import Nuisances
from .residual_tests import ResidualTest
from .rollout_fit import RolloutFit
from .tracks import LogTrack
from .uncertainty import (
    BoatCovariance,
    ParameterEstimate,
    Uncertainty,
    boat_covariance,
    boat_estimates,
    parameter_estimates,
)

AUTO = 'auto'


@dataclass(frozen=True)
class FitSettings:
    """
    How to identify: the form or `auto`, duration of a roll-out, s, steady currents and winds that logs did not record,
    errors by leaving logs out, and how many processes share the work (None: one a core; the result is the same).
    """

    form: str = AUTO
    horizon: float = 10.0
    currents: bool = True
    winds: bool = True
    leave_one_out: bool = False
    workers: int | None = None

    @property
    def nuisances(self) -> Nuisances:
        """What of water and air is fitted."""
        return Nuisances(self.currents, self.winds)


@dataclass(frozen=True, eq=False)
class Identification:
    """
    The result of an identification.

    `found`: the fit, `known`: its uncertainty, `trials`: the forms that were compared. `errors`: of the fit's logs,
    without a current, then all together; `with_current`: all together, with the currents that the fit found.
    `left_out`: each log by a fit without it. `validation`: logs that the fit never saw, without a current;
    `validation_current`: their second halves, without and with the current found in their first halves. `tests`: of the
    residuals, by sign and side of the thrust.
    """

    settings: FitSettings
    tracks: tuple[LogTrack, ...]
    found: RolloutFit
    known: Uncertainty
    trials: tuple[FormTrial, ...]
    errors: tuple[RolloutErrors, ...]
    with_current: RolloutErrors
    left_out: tuple[RolloutErrors, ...]
    validation: tuple[RolloutErrors, ...]
    validation_current: tuple[RolloutErrors, ...]
    tests: tuple[ResidualTest, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def parameters(self) -> list[ParameterEstimate]:
        """The parameters of the fit."""
        return parameter_estimates(self.found, self.known)

    @property
    def joint(self) -> BoatCovariance:
        """The numbers of the boat file with their covariance."""
        return boat_covariance(self.found, self.known)

    @property
    def numbers(self) -> list[ParameterEstimate]:
        """The numbers of the boat file."""
        return boat_estimates(self.found, self.known)
