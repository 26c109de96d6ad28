"""The flow that a log is analysed in where nobody says it, and a side force that no thruster gives shows it."""

from collections.abc import Sequence

import numpy as np

from ..boats.vessel import Vessel
from ..flow.flow_argument import flow_words
from ..logs.log import WARNING, Note
from ..physics.motion import Flow, Motion
from ..powering.energy import Energy
from .log_power import flow_at
from .motion.motion_estimate import MotionEstimate
from .steady_thrust import SteadyThrust
from .sway_error import SwayError, even_times
from .unknown_flow import SURE, Explanation, explanations

SIDEWAYS = 0.05           # Share of the thrust energy from which the side force is worth a word.
LONGEST = 3600.0          # s: over more than an hour no flow is one and the same.


def side_force_share(energy: Energy) -> float:
    """Return the energy of the side force that no thruster gives, as a share of what the thrusters give, (-)."""
    given = energy.thrust + energy.unrecovered
    return energy.side_force / given if given else float('nan')


def pushes_aside(vessel: Vessel) -> bool:
    """Return whether a boat can push itself to the side: by a thruster that does not point ahead, or by a foil."""
    return bool(vessel.foils) or any(one.axis is not None or one.azimuth is not None for one in vessel.thrusters)


def flows_from_sway(time: np.ndarray, motion: Motion, estimate: MotionEstimate | None, flow: Flow, max_gap: float,
                    vessel: Vessel, unknown: Sequence[str]) -> list[Explanation]:
    """
    Return what steady flows explain the sway of a log, the one to be taken first; none where none does.

    :param time: Of the samples, s, shape (n,).
    :param motion: At the samples.
    :param estimate: Of the motion between them, where there is one.
    :param flow: At the samples; zeros of what is unknown.
    :param max_gap: Longest step that is no gap, s.
    :param vessel: The Vessel; of one that pushes itself to the side nothing is told.
    :param unknown: Which media nobody says: `current`, `wind`, both.
    """
    if not unknown or pushes_aside(vessel) or not 0.0 < time[-1] - time[0] <= LONGEST:
        return []
    grid = even_times(float(time[0]), float(time[-1]))
    known = flow_at(grid, time, flow)
    if estimate is not None:
        there = estimate.at(grid).motion()
    else:
        gap = np.diff(time, append=np.inf)[np.searchsorted(time, grid, side='right') - 1] > max_gap
        there = Motion(*(np.where(gap, np.nan, np.interp(grid, time, one)) for one in motion))
    there = there._replace(u=np.where(np.isfinite(sum(known)), there.u, np.nan))
    return explanations(SwayError(grid, there, vessel), Flow(*map(np.nan_to_num, known)), unknown,
                        SteadyThrust(grid, there, vessel).evidence)


def with_explanation(flow: Flow, found: Explanation) -> Flow:
    """Return a flow along a log with the one that was found in it."""
    return Flow(*(there + more for there, more in zip(flow, found.flow)))


def may_have_been(found: Sequence[Explanation]) -> Sequence[Explanation]:
    """Return those of a log's explanations that may have been: the first, and those that are hardly less likely."""
    return [one for one in found if one.evidence > found[0].evidence - SURE]


def found_note(possible: Sequence[Explanation], energies: Sequence[float], still: Energy) -> Note:
    """
    Return what to say of a flow that was found: what was taken, what it changes, and what it may have been instead.

    :param possible: As `may_have_been` returns it; the first was taken.
    :param energies: In each of them, J.
    :param still: Energy without it.
    """
    taken, *others = zip(possible, energies)
    share = 100.0 * abs(side_force_share(still))
    text = f'nobody says what the {taken[0].name} was, and without one {share:.1f} % of the thrust energy is a side ' \
           f'force that no thruster gives: {_words(taken[0])} explains it and is taken. Energy with it ' \
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
    return f'a steady {found.name} of {flow_words(*(getattr(found.flow, f"{found.name}_{axis}") for axis in "xy"))}'
