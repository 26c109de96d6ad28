"""How far the energy of a live boat is to be trusted: the doubts of `usv-energy analyze`, as far as they apply."""

import math

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.powering.energy import Energy
from usv_energy.ros.messages.messages import PowerStamped
from usv_energy.studies.analyze.doubts import (
    NUMBERS,
    SIDE_FORCE,
    SPEEDS,
    TAKEN_OUT,
    UNSTATED,
    Doubt,
    closure_doubt,
    held_flow_doubt,
    measured_doubt,
    not_said,
    numbers_doubt,
    off_by_speed,
    ranked,
    side_force_doubt,
    side_force_share,
    time_doubt,
    unstated_share,
)
from usv_energy.studies.plan.boat_in_sea import read_doubts


class LiveDoubts:
    """Counts what makes the energy of a boat doubtful, power by power."""

    def __init__(self, boat: Boat) -> None:
        """
        Begin with no power.

        :param boat: Whose file says which of its numbers have a std.
        """
        self._with_std = len(read_doubts(boat))
        self._convention = 'rep103'
        self.restart()

    def restart(self) -> None:
        """Begin anew, as with an energy that is reset."""
        self._moves = {'current': False, 'wind': False}
        self._taken_out = self._samples = 0
        self._powers = self._idle = 0.0
        self._off = np.zeros(SPEEDS)
        self._measured = True

    def add(self, msg: PowerStamped) -> None:
        """Count one more power."""
        self._samples += 1
        self._convention = msg.convention
        self._measured &= msg.actuators_measured or not math.isfinite(msg.total)
        speed, idle = msg.relative_velocity.linear.x, msg.static_load + msg.loads
        if math.isfinite(msg.total + speed):
            self._powers += msg.total
            self._idle += idle
            self._off += off_by_speed(np.array([speed]), np.array([max(msg.total - idle, 0.0)]))
        self._taken_out += bool(msg.status & PowerStamped.TAKEN_OUT)
        for name, flow in (('current', msg.current_used), ('wind', msg.wind_used)):
            self._moves[name] |= bool(flow.x or flow.y)  # NaN, where nobody told any, counts as an invalid sample.

    def values(self, energy: Energy, measured: float, modelled: float) -> dict[str, str]:
        """
        Return the doubts about an energy, the worst first, by name: how much each amounts to, and what to do about it.

        :param energy: So far.
        :param measured: J, drawn as the battery says; NaN where nobody measures.
        :param modelled: J, of the energy, in the same time.
        """
        if not self._samples or not energy.duration > 0.0:
            return {}
        return {doubt.name: f'{doubt.amount}; {doubt.advice}' for doubt in self._doubts(energy, measured, modelled)}

    def _doubts(self, energy: Energy, measured: float, modelled: float) -> list[Doubt]:
        total, whole = energy.total, energy.duration + energy.gap_duration
        still = [name for name, moves in self._moves.items() if not moves]
        flow = Doubt(not_said(still), math.nan, math.nan, '0 in every sample', 'say what flows: current_client, '
                     'wind_client') if still else None
        off = UNSTATED * total
        stated = Doubt(NUMBERS, off, off, f'{self._with_std} with a std in its file',
                       'usv-energy analyze tells their interval') if self._with_std else None
        unstated = unstated_share(self._off, self._idle, self._powers)
        thesis = self._convention != 'rep103'
        side = Doubt(SIDE_FORCE, 0.0, 0.0, '-', 'as_published takes it for propulsion') if thesis else (
            side_force_doubt(total, side_force_share(energy)))
        over = modelled / measured - 1.0 if measured > 0.0 else math.nan
        taken = Doubt(TAKEN_OUT, 0.0, 0.0, f'{self._taken_out} of {self._samples} samples',
                      'see the diagnostics of state_adapter') if self._taken_out else None
        return ranked([flow, numbers_doubt(total, stated, (), unstated), side, self._closure(energy),
                       measured_doubt(total, over, measured),
                       time_doubt(total, energy.duration / whole, 'look at the gaps; max_gap bridges longer ones'),
                       held_flow_doubt(total, energy.stale_duration / energy.duration), taken])

    def _closure(self, energy: Energy) -> Doubt | None:
        """Return the doubt by what measured thrusts do beyond what the motion asks; None where none are."""
        if not self._measured or not energy.thrust > 0.0:
            return None
        share = energy.residual / energy.thrust
        return closure_doubt(energy.total, energy.total - energy.static_load - energy.loads, -share, share)
