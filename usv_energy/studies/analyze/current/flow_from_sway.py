"""The unknown flow of a log from its sway, and the scatter of the speed through the water."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.logs.log import WARNING, Note
from usv_energy.logs.motion.motion_estimate import MotionEstimate
from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.energy import Energy
from usv_energy.studies.analyze.current.steady_thrust import SteadyThrust
from usv_energy.studies.analyze.current.sway_error import SwayError, even_times
from usv_energy.studies.analyze.current.unknown_flow import (
    SURE,
    Explanation,
    OpenFlow,
    explanations,
    open_flow,
    turning_explanation,
)
from usv_energy.studies.analyze.doubts import SIDEWAYS, side_force_share
from usv_energy.studies.analyze.hull.hull_response import CURRENT, UNKNOWNS
from usv_energy.studies.analyze.log_power import flow_at

EDDY, ODOMETRY = slice(UNKNOWNS, UNKNOWNS + 2), slice(UNKNOWNS + 2, UNKNOWNS + 4)
STATES = UNKNOWNS + 4
EDDY_SPREAD, EDDY_TIME = 0.02, 60.0          # m/s in each direction, and their correlation time, s.
ODOMETRY_SPREAD, ODOMETRY_TIME = 0.015, 30.0  # Likewise, ahead and to port.
STRENGTHS = np.geomspace(0.7, 4.0, 6)        # Factors on these standard deviations.
MEMORY = 3600.0                              # s of cruising over which they are compared.
DOUBT = 0.5                                  # Prior standard deviation of the log strength, about 1.
FAR = 9.0                                    # Largest normalized squared innovation.
LONGEST = 3600.0          # s: no flow is constant for more than an hour.


def with_scatter(slopes: np.ndarray, yaw: float) -> np.ndarray:
    """
    Return the derivatives by the unknowns, (n, 2, 6), with those by eddies and odometry appended: (n, 2, 10).

    An eddy is a temporary current. An error of the odometry acts as one along the bow at `yaw`, rad, and to port.
    """
    by_current = slopes[:, :, CURRENT]
    c, s = math.cos(yaw), math.sin(yaw)
    return np.concatenate([slopes, by_current, by_current @ np.array([[c, -s], [s, c]])], axis=2)


def scatter_of(strength: np.ndarray) -> np.ndarray:
    """Return the standard deviations of eddies and odometry, m/s, shape (..., 4), of a strength (...)."""
    return np.asarray(strength[..., None] * np.array([EDDY_SPREAD, EDDY_SPREAD, ODOMETRY_SPREAD, ODOMETRY_SPREAD]))


def kept_scatter(elapsed: float) -> np.ndarray:
    """Return the remaining shares of eddies and odometry errors after a time, s, shape (4,)."""
    eddy, odometry = math.exp(-elapsed / EDDY_TIME), math.exp(-elapsed / ODOMETRY_TIME)
    return np.array([eddy, eddy, odometry, odometry])


class SpeedScatter:
    """A bank of filters; rows of the arrays are strengths of the scatter."""

    def __init__(self, covariance: np.ndarray) -> None:
        """Begin with the prior covariance of the unknowns, shape (6, 6)."""
        number = STRENGTHS.size
        self._mean = np.zeros((number, STATES))
        self._covariance = np.zeros((number, STATES, STATES))
        self._covariance[:, :UNKNOWNS, :UNKNOWNS] = covariance
        self._spread = scatter_of(STRENGTHS)
        self._covariance[:, UNKNOWNS:, UNKNOWNS:] = self._spread[:, :, None] ** 2 * np.eye(4)
        self._beforehand = -0.5 * (np.log(STRENGTHS) / DOUBT) ** 2
        self._evidence = np.zeros(number)    # Log likelihoods.

    @property
    def strength(self) -> float:
        """The strength, (-): root mean square over all, weighted by their probabilities."""
        likely = self._evidence + self._beforehand
        weight = np.exp(likely - likely.max())
        return math.sqrt(float(weight @ STRENGTHS ** 2 / weight.sum()))

    def predict(self, elapsed: float, keep: np.ndarray, added: np.ndarray) -> None:
        """Predict over a time, s; `keep` and `added`: remaining share and added variance of the unknowns, (6,)."""
        fading = kept_scatter(elapsed)
        share = np.concatenate([keep, fading])
        more = np.zeros((STRENGTHS.size, STATES))
        more[:, :UNKNOWNS], more[:, UNKNOWNS:] = added, self._spread ** 2 * (1.0 - fading ** 2)
        self._mean = self._mean * share
        self._covariance = self._covariance * share[:, None] * share + more[:, :, None] * np.eye(STATES)
        self._evidence = self._evidence * math.exp(-elapsed / MEMORY)

    def update(self, sway: float, slope: np.ndarray, noise: float) -> None:
        """
        Update by the sway of a block, as measured if all unknowns were 0.

        :param sway: In m/s.
        :param slope: By the states, shape (10,).
        :param noise: Its variance, m^2/s^2.
        """
        surprise = sway - self._mean @ slope
        gain = self._covariance @ slope
        variance = gain @ slope + noise
        square = np.minimum(surprise ** 2 / variance, FAR)
        self._evidence = self._evidence - 0.5 * (square + np.log(variance))
        self._evidence = self._evidence - self._evidence.max()
        gain = gain / variance[:, None]
        self._mean = self._mean + gain * surprise[:, None]
        self._covariance = self._covariance - gain[:, :, None] * gain[:, None, :] * variance[:, None, None]


def pushes_aside(vessel: Vessel) -> bool:
    """Return whether a boat can push itself to the side: by a thruster that does not point ahead, or by a foil."""
    return bool(vessel.foils) or any(one.axis is not None or one.azimuth is not None for one in vessel.thrusters)


def flows_from_sway(time: np.ndarray, motion: Motion, estimate: MotionEstimate | None, flow: Flow, max_gap: float,
                    vessel: Vessel, unknown: Sequence[str]) -> list[Explanation]:
    """
    Return the flows that explain the sway of a log, the preferred one first; none if none does.

    They are steady ones, or one current that changes, where no steady flow explains what that one does and the wind is
    known: a current at knots imitates a wind.

    :param time: Of the samples, s, shape (n,).
    :param motion: At the samples.
    :param estimate: Of the motion between them, where there is one.
    :param flow: At the samples; zeros of what is unknown.
    :param max_gap: Longest step that is no gap, s.
    :param vessel: The Vessel; of one that pushes itself to the side nothing is told.
    :param unknown: Which media nobody says: `current`, `wind`, both.
    """
    if not unknown or not _tells_flow(time, vessel):
        return []
    error, known, surge = _sway_of(time, motion, estimate, flow, max_gap, vessel)
    found = explanations(error, known, unknown, surge)
    if list(unknown) == ['current']:
        times = even_times(float(time[0]), float(time[-1]))
        turning = turning_explanation(times, error, known, found)
        return found if turning is None else [turning]
    return found


def flow_left_open(time: np.ndarray, motion: Motion, estimate: MotionEstimate | None, flow: Flow, max_gap: float,
                   vessel: Vessel, unknown: Sequence[str]) -> OpenFlow:
    """Return what a log leaves open of the flow that nobody says; parameters as `flows_from_sway`."""
    if not _tells_flow(time, vessel):
        return open_flow(None, flow, unknown)
    error, known, _ = _sway_of(time, motion, estimate, flow, max_gap, vessel)
    return open_flow(error, known, unknown)


def _tells_flow(time: np.ndarray, vessel: Vessel) -> bool:
    """Return whether the sway of a boat says something of a steady flow."""
    return not pushes_aside(vessel) and 0.0 < time[-1] - time[0] <= LONGEST


def _sway_of(time: np.ndarray, motion: Motion, estimate: MotionEstimate | None, flow: Flow, max_gap: float,
             vessel: Vessel) -> tuple[SwayError, Flow, Callable[[Flow], float]]:
    """Return the sway's error, the known flow at its times, and the evidence of the surge."""
    grid = even_times(float(time[0]), float(time[-1]))
    known = flow_at(grid, time, flow)
    if estimate is not None:
        there = estimate.at(grid).motion()
    else:
        gap = np.diff(time, append=np.inf)[np.searchsorted(time, grid, side='right') - 1] > max_gap
        there = Motion(*(np.where(gap, np.nan, np.interp(grid, time, one)) for one in motion))
    there = there._replace(u=np.where(np.isfinite(sum(known)), there.u, np.nan))
    return (SwayError(grid, there, vessel), Flow(*map(np.nan_to_num, known)),
            SteadyThrust(grid, there, vessel).evidence)


def with_explanation(flow: Flow, found: Explanation, time: np.ndarray) -> Flow:
    """Return a flow along a log, at times, s, with the one that was found in it."""
    if found.turning is not None:
        x, y = found.turning.at(time)
        return flow._replace(current_x=flow.current_x + x, current_y=flow.current_y + y)
    return Flow(*(there + more for there, more in zip(flow, found.flow)))


def may_have_been(found: Sequence[Explanation]) -> Sequence[Explanation]:
    """Return a log's possible explanations: the first, and those that are nearly as likely."""
    return [one for one in found if one.evidence > found[0].evidence - SURE]


def found_note(possible: Sequence[Explanation], energies: Sequence[float], still: Energy, taken_in: Energy) -> Note:
    """
    Return the note on an estimated flow: the chosen flow, its effect, and the other possible flows.

    :param possible: As `may_have_been` returns it; the first was taken.
    :param energies: In each of them, J.
    :param still: Energy without it.
    :param taken_in: Energy with the first.
    """
    taken, *others = zip(possible, energies)
    share, left = (100.0 * abs(side_force_share(energy)) for energy in (still, taken_in))
    explains = 'explains it' if left < 100.0 * SIDEWAYS else f'explains its sway best, leaves {left:.1f} %,'
    text = f'nobody says what the {taken[0].name} was, and without one {share:.1f} % of the thrust energy is a side ' \
           f'force that no thruster gives: {_words(taken[0])} {explains} and is taken. Energy with it ' \
           f'{taken[1]:.1f} J, without {still.total:.1f} J'
    for other, energy in others:
        text += f'; {_words(other)} would explain it, too: {energy:.1f} J'
    if others:
        text += f'. So it is {min(energies):.1f} to {max(energies):.1f} J, and the log does not say where between'
    text += '. --current and --wind say what there was (0,0 for none)'
    return Note(WARNING, 'flow_from_side_force', text, {
        **dict(zip(('current_x_m_s', 'current_y_m_s', 'wind_x_m_s', 'wind_y_m_s'), taken[0].flow)),
        'energy_with_j': taken[1], 'energy_without_j': still.total,
        'energy_least_j': min(energies), 'energy_most_j': max(energies)})


def _words(found: Explanation) -> str:
    x, y = (getattr(found.flow, f'{found.name}_{axis}') for axis in 'xy')
    if (turning := found.turning) is not None:
        first, last = (flow_words(float(turning.x[end]), float(turning.y[end]), WATER) for end in (0, -1))
        return f'a current that changes, at first {first}, at last {last},'
    return f'a steady {found.name} of {flow_words(x, y, AIR if found.name == "wind" else WATER)}'
