"""
An unknown steady current or wind, from the sway of a boat whose thrusters give no side force.

Each model (still water and air, a wind, a current) is fitted by least squares with a zero-mean prior. The models are
compared by their evidence, which is the likelihood with all parameters integrated out (Laplace's approximation; MacKay
(2003), Information Theory, Inference and Learning Algorithms, chapters 27 and 28). All models share the nuisance
parameters: sway drag, lateral area, an angle between compass and hull.

A current changes the energy far more than a wind of the same force, so a wrong choice of a current costs tens of
percent. So a wind is chosen unless the sway shows that it was a current (SURE, GOOD). No flow is chosen if only both
together explain the sway, since both together can imitate nearly anything. None is chosen on one course either, because
only the component from abeam has an effect there. The speed through the water turns a boat's yaw rate into sway, too;
but on one course that rate is noise, which hides that effect and would tell of a boat without any speed.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.motion import Flow
from usv_energy.studies.analyze.current.sway_error import SwayError, Tune
from usv_energy.studies.analyze.current.turning_current import TurningCurrent, turning_current

# Standard deviations of the priors, in the order of `_unpacked`: current and wind m/s (east, north), `Tune`.
PRIOR = np.array([0.3, 0.3, 5.0, 5.0, 0.2, 0.3, 0.03])
FLOWS, TUNES = 4, 3
# The same along the one course of a log, where nothing shows: 95 % of currents below 0.37 m/s, of winds below 6.1 m/s.
ALONG = np.array([0.15, 0.15, 2.5, 2.5])
CURRENT, WIND = (0, 1), (2, 3)
MODELS = {'none': (), 'wind': WIND, 'current': CURRENT, 'current and wind': (*CURRENT, *WIND)}
FLOOR = 0.01              # m/s: smallest error of a sway model over 2 s.
INDEPENDENT = 100         # Most blocks that count as independent, since an error of the boat file affects each.
LEAST_BLOCKS = 10
NOTICED = 0.03            # m/s: error of the sway from which a flow is searched.
# Of the evidence's logarithm: for a flow against none (odds of 55 to 1), for a current against a wind (1100 to 1). The
# second was chosen on twins with wrong numbers, and with 1 Hz: currents have 10 to 20, winds at most 3 against them.
DECISIVE, SURE = 4.0, 7.0
GOOD = 0.02               # m/s of scatter of the sway up to which a current is believed.
EXPLAINED = 0.75          # Share of the variance of the sway's error that a flow has to explain.
UNKNOWN = 0.09            # Share of its prior's variance from which a direction of a flow counts as unknown.
OF_DRAG = 0.008           # m/s: least standard deviation of a current by thrusts, which errors of the drag leave.
BETWEEN_KNOTS = 2.0       # Times the standard deviation of a changing current's knots that it may be off in between.
PASSES = 3                # Rounds in which the known directions are found.
PRECISION = 1e-5          # Of fits, relative.
DIFFERENCE = 1e-4         # Of a prior's deviation, for derivatives.


class Explanation(NamedTuple):
    """
    A flow that may be behind a side force: its name (of MODELS), m/s (ENU), and that medium's covariance, (m/s)^2.

    `evidence`: logarithm, 0 of a current that changes; `scatter`: of the sway's error that is left, m/s; `whole`:
    whether the log tells all of it, or on its one course only what comes from abeam; `turning`: the current as it
    changed, whose mean is the flow; None where it is steady.
    """

    name: str
    flow: Flow
    covariance: np.ndarray
    evidence: float
    scatter: float
    whole: bool
    turning: TurningCurrent | None = None


class OpenFlow(NamedTuple):
    """
    What is left open of a flow that nobody says, beside the one that is taken.

    `mean`: of current and wind, m/s (east, north of each), shape (4,); `covariance`: (m/s)^2, of PRIOR where the log
    tells nothing; `single`: still water and air, and the best flow of each medium alone, m/s, shape (n, 4): a sum of
    both media imitates each, and the other way round, so that each of them may have been; `scatter`: of the sway's
    error that the likeliest steady flow leaves, m/s, as one that changes does; NaN where the sway tells nothing;
    `leg_by_leg`: whether a current was found from thrusts that changes, which an error of the drag looks like, too.
    """

    mean: np.ndarray
    covariance: np.ndarray
    single: np.ndarray
    scatter: float = math.nan
    leg_by_leg: bool = False

    def less(self, flow: Flow) -> 'OpenFlow':
        """Return what is left open beside a flow that is taken."""
        taken = np.array(flow)
        return self._replace(mean=self.mean - taken, single=self.single - taken)


def open_flow(error: SwayError | None, known: Flow, unknown: Sequence[str]) -> OpenFlow:
    """
    Return what a log leaves open of a flow, by its sway and the priors.

    :param error: Of the sway; None where it says nothing of the flow.
    :param known: What is known of the flow along the log; zeros of what is not.
    :param unknown: What is not: `current`, `wind`, both.
    """
    free = MODELS[' and '.join(unknown)]
    covariance, mean = np.zeros((FLOWS, FLOWS)), np.zeros(FLOWS)
    if error is None or error.blocks < LEAST_BLOCKS:
        covariance[free, free] = PRIOR[list(free)] ** 2
        return OpenFlow(mean, covariance, np.zeros((1, FLOWS)))
    fit = _Fit(error, known)
    fit.settle(free)
    mean, covariance, scatter = fit.posterior(free)
    single = np.array([np.zeros(FLOWS), *(fit.explanation(name).flow for name in unknown)])
    return OpenFlow(mean, covariance, single, scatter)


def open_beside_turning(turning: TurningCurrent) -> OpenFlow:
    """Return what is left open beside a current that changes."""
    covariance = np.zeros((FLOWS, FLOWS))
    covariance[:2, :2] = BETWEEN_KNOTS ** 2 * turning.covariance
    return OpenFlow(np.zeros(FLOWS), covariance, np.zeros((1, FLOWS)), turning.scatter)


def turning_explanation(time: np.ndarray, error: SwayError, known: Flow, steady: Sequence[Explanation],
                        ) -> Explanation | None:
    """
    Return the current that explains a boat's sway as it changes, where the steady flows found leave it unexplained.

    :param time: Of the sway, of equal steps, s, shape (n,).
    :param error: Of the sway.
    :param known: What is known of the flow at these times; zeros of what is not.
    :param steady: As `explanations` returns them.
    """
    if error.blocks < LEAST_BLOCKS or math.isfinite(error.course):
        return None
    left = steady[0].scatter if steady else _scatter(error.means(known, Tune()))
    found = turning_current(time, error, known) if left > FLOOR else None
    if found is None or not found.scatter < GOOD:
        return None
    x, y = (float(one.mean()) for one in found.at(time))
    return Explanation('current', Flow(x, y, 0.0, 0.0), found.covariance, 0.0, found.scatter, True, found)


def says_nothing(flow: Flow) -> float:
    """Return 0: only the sway is used."""
    return 0.0


def explanations(error: SwayError, known: Flow, unknown: Sequence[str],
                 surge: Callable[[Flow], float] = says_nothing) -> list[Explanation]:
    """
    Return the flows that explain a boat's sway, the preferred one first; none if still water and air explain it.

    :param error: Of the sway.
    :param known: What is known of the flow along the log; zeros of what is not.
    :param unknown: What is not: `current`, `wind`, both.
    :param surge: Returns the logarithm of how likely the surge is in a flow: it parts a current from a wind where both
        explain the sway.
    """
    least = _scatter(error.means(known, Tune())) if error.blocks >= LEAST_BLOCKS else 0.0
    if not least > NOTICED or not unknown or math.isfinite(error.course):
        return []
    fit = _Fit(error, known)
    every = ' and '.join(unknown)
    fit.settle(MODELS[every])
    still, both = fit.explanation('none'), fit.explanation(every)
    found = [one for one in map(fit.explanation, unknown) if one.whole and one.evidence > still.evidence + DECISIVE
             and one.scatter ** 2 < (1.0 - EXPLAINED) * least ** 2]
    if not found or both.evidence > max(one.evidence for one in found) + DECISIVE:
        return []
    if len(found) > 1:
        found = [one._replace(evidence=one.evidence + surge(_together(known, one.flow))) for one in found]
    return _preferred({one.name: one for one in found})


def _preferred(found: dict[str, Explanation]) -> list[Explanation]:
    """Return explanations in order: a wind first, unless a current is certain; none in case of doubt."""
    current, wind = found.get('current'), found.get('wind')
    if current is None or wind is None:
        only = current or wind
        return [only] if only and (only is wind or only.scatter < GOOD) else []
    if current.scatter < GOOD and current.evidence > wind.evidence + SURE:
        return [current, wind]
    return [wind, current]


def _together(known: Flow, more: Sequence[float]) -> Flow:
    return Flow(*(a + b for a, b in zip(known, more)))


def _unpacked(parameters: np.ndarray, known: Flow) -> tuple[Flow, Tune]:
    flow, tune = parameters[:FLOWS], parameters[FLOWS:]
    return _together(known, flow.tolist()), Tune(*tune.tolist())


class _Fit:
    """
    Least squares over directions of the space of PRIOR: residuals in units of their scatter, then the priors.

    Of a log on one course these are of each flow only that from abeam.
    """

    def __init__(self, error: SwayError, known: Flow) -> None:
        self._error, self._known = error, known
        self._deviation = FLOOR

    def _means(self, parameters: np.ndarray) -> np.ndarray:
        return self._error.means(*_unpacked(parameters, self._known))

    def settle(self, free: Sequence[int]) -> None:
        """Estimate the scatter of the error about the best flow, and weight it accordingly."""
        basis = self._basis(free)
        starts = self._starts(free)
        for _ in range(3):
            found = self._least(basis, starts)
            starts = [found.x]
            self._deviation = max(_scatter(self._means(PRIOR * (basis @ found.x))), FLOOR) \
                * math.sqrt(max(self._error.blocks / INDEPENDENT, 1.0))

    def explanation(self, name: str) -> Explanation:
        """Return the most likely flow of a model; components that the log does not determine are 0."""
        free = MODELS[name]
        every = basis = self._basis(free)
        flows = basis.shape[1] - TUNES
        found = self._least(basis, self._starts(free))
        information = found.jac.T @ found.jac
        evidence = -found.cost - 0.5 * float(np.linalg.slogdet(information)[1])
        told = np.ones(flows, dtype=bool)
        for _ in range(PASSES if free else 0):  # The known directions depend on the flow: a wind's force is quadratic.
            jacobian = self._jacobian(every, every.T @ basis @ found.x)
            spread, directions = np.linalg.eigh(np.linalg.inv(jacobian.T @ jacobian)[:flows, :flows])
            told = spread < UNKNOWN
            if told.all():
                break
            basis = np.column_stack([every[:, :flows] @ directions[:, told], self._basis(())])
            found = self._least(basis, [basis.T @ every @ start for start in self._starts(free)])
        parameters = PRIOR * (basis @ found.x)
        scaled = PRIOR[:, None] * basis
        covariance = scaled @ np.linalg.inv(found.jac.T @ found.jac) @ scaled.T
        return Explanation(name, Flow(*parameters[:FLOWS].tolist()), covariance[np.ix_(free, free)], evidence,
                           _scatter(self._means(parameters)), bool(told.all()))

    def posterior(self, free: Sequence[int]) -> tuple[np.ndarray, np.ndarray, float]:
        """
        Return mean and covariance of flows, m/s and (m/s)^2, (4,) and (4, 4), and the scatter left, m/s.

        Of some all directions, with their priors where the log tells nothing of them; the others are 0.
        """
        basis = self._basis(free)
        found = self._least(basis, self._starts(free))
        jacobian = self._jacobian(basis, found.x)
        number, scale = basis.shape[1] - TUNES, PRIOR[:FLOWS]
        ways = basis[:FLOWS, :number]
        told = ways @ np.linalg.inv(jacobian.T @ jacobian)[:number, :number] @ ways.T
        along = np.eye(FLOWS)[:, list(free)] @ np.eye(FLOWS)[list(free)] - ways @ ways.T
        covariance = scale[:, None] * told * scale + ALONG[:, None] * along * ALONG
        return scale * (ways @ found.x[:number]), covariance, _scatter(self._means(PRIOR * (basis @ found.x)))

    def _basis(self, free: Sequence[int]) -> np.ndarray:
        """Return the directions of a model: its flows, or of each that from abeam, then all of Tune."""
        flows, course = np.eye(PRIOR.size)[:, list(free)], self._error.course
        if free and math.isfinite(course):
            flows = flows @ np.kron(np.eye(len(free) // 2), [[-math.sin(course)], [math.cos(course)]])
        return np.column_stack([flows, np.eye(PRIOR.size)[:, FLOWS:]])

    def _starts(self, free: Sequence[int]) -> list[np.ndarray]:
        """Return the starts of a search: zero, and a prior standard deviation to each side."""
        size = self._basis(free).shape[1]
        return [np.zeros(size), *(sign * np.eye(size)[place] for place in range(size - TUNES) for sign in (1.0, -1.0))]

    def _residuals(self, basis: np.ndarray, values: np.ndarray) -> np.ndarray:
        return np.concatenate([self._means(PRIOR * (basis @ values)) / self._deviation, values])

    def _jacobian(self, basis: np.ndarray, values: np.ndarray) -> np.ndarray:
        steps = DIFFERENCE * np.eye(values.size)
        return np.column_stack([(self._residuals(basis, values + step) - self._residuals(basis, values - step))
                                / (2.0 * DIFFERENCE) for step in steps])

    def _least(self, basis: np.ndarray, starts: Sequence[np.ndarray]) -> Any:
        from scipy.optimize import least_squares

        def residuals(values: np.ndarray) -> np.ndarray:
            return self._residuals(basis, values)

        start = min(starts, key=lambda start: float(np.sum(residuals(start) ** 2)))
        return least_squares(residuals, start, method='lm', ftol=PRECISION, xtol=PRECISION)


def _scatter(error: np.ndarray) -> float:
    return float(np.sqrt(np.mean(error * error)))
