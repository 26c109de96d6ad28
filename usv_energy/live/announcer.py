"""What an operator's ground station is told on the link: named values at a fixed pace, and a text once a change."""

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from usv_energy.live.link import dialect, heartbeat
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.studies.plan.home_guard import NO_ANSWER, Alarm

PERIOD = 1.0          # s between two sets of values, and between heartbeats: 1 Hz, of at most 2.
NEAR = 300.0          # s before the point of no return at which that is said.
WEAK = 0.2            # state of charge, (-), below which the battery is said to be weak,
RECOVERED = 0.05      # and how much it must rise again before that is said once more, (-); as a share, so of NEAR.
SILENT = 10.0         # s without a word of the boat, after which that is said.
HOMELESS = 60.0       # s without a home, which is asked for twice in this time, likewise.
LARGEST = 1e9         # of a value: without a bound for the way home the margin is beyond all numbers
LONG = 1000.0         # Wh, from which on no tenths are said.
LONGEST_TEXT = 50     # characters of a STATUSTEXT
ALERT, WARNING, NOTICE = 1, 4, 5  # MAV_SEVERITY
# Names of at most 10 letters: the key of the figure, and what it is multiplied by.
VALUES = {
    'UE_POWER_W': ('power_total_w', 1.0),
    'UE_USED_WH': ('energy_total_j', 1.0 / JOULES_PER_WH),
    'UE_HOME_WH': ('home_energy_j', 1.0 / JOULES_PER_WH),
    'UE_MARG_WH': ('home_margin_j', 1.0 / JOULES_PER_WH),
    'UE_LEFT_KM': ('remaining_range_m', 1e-3),
    'UE_BATT_PC': ('state_of_charge', 100.0),
}


class Said(NamedTuple):
    """A text for the operator and its MAV_SEVERITY."""

    severity: int
    text: str


class Announcer:
    """Decides what is said of one boat, and when."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._sent = -math.inf
        self._alarms: defaultdict[str, Alarm] = defaultdict(Alarm)
        self._now = 0.0
        self._back = False  # Whether it was time to go back, which lasts by itself (HomeGuard).

    def values(self, now: float, boot: float, figures: Mapping[str, Any]) -> list[Any]:
        """
        Return the heartbeat and the named values that are due; unknown figures are left out.

        :param now: s, of a clock that goes on.
        :param boot: The vehicle's own time, s; NaN where unknown.
        :param figures: Of the boat, as `BoatAccount.figures` has them.
        """
        if now - self._sent < PERIOD:
            return []
        self._sent = now
        make, stamp = dialect(), round(1e3 * boot) % 2 ** 32 if math.isfinite(boot) else 0
        messages = [heartbeat()]
        for name, (key, factor) in VALUES.items():
            if (value := figures.get(key)) is not None:
                shown = min(max(factor * value, -LARGEST), LARGEST)
                messages.append(make.MAVLink_named_value_float_message(stamp, name.encode(), shown))
        return messages

    def changes(self, figures: Mapping[str, Any], now: float = 0.0, silence: float = 0.0,
                blind: float = 0.0, homeless: float = 0.0) -> list[Said]:
        """
        Return what has changed since the last call, and is to be said once.

        :param figures: Of the boat, as `BoatAccount.figures_of_margin` has them.
        :param now: s, of a clock that goes on.
        :param silence: For which nothing was heard of the boat, s.
        :param blind: For which it was heard, but without a position, s.
        :param homeless: For which it went without a home, s.
        """
        self._now = now
        duration, charge = figures.get('no_return_duration_s'), figures.get('state_of_charge')
        margin, home = figures.get('home_margin_j'), figures.get('home_energy_j')
        known = not figures.get('home_status', NO_ANSWER) & NO_ANSWER
        said, back = [], bool(figures.get('return_home'))
        is_near = self._began('near', duration is not None and duration < NEAR if known else None,
                              duration is not None and duration < NEAR * (1.0 + RECOVERED))
        began, self._back = known and back and not self._back, back if known else self._back
        if began:
            said.append(Said(ALERT, f'energy: return now, home {_wh(home)}, margin {_wh(margin)} Wh'))
        elif is_near and not back:
            said.append(Said(WARNING, f'energy: no return in {duration or 0.0:.0f} s, margin {_wh(margin)} Wh'))
        if self._began('silent', silence > SILENT):
            said.append(Said(WARNING, f'energy: no data from the boat for {silence:.0f} s'))
        if self._began('blind', blind > SILENT):
            said.append(Said(WARNING, 'energy: no position: the way home is unknown'))
        if self._began('homeless', homeless > HOMELESS):
            said.append(Said(WARNING, 'energy: no home known: no way home is watched'))
        if self._began('rival', bool(figures.get('second_vehicle'))):
            said.append(Said(WARNING, 'energy: two vehicles have one system id'))
        if self._began('mode', figures.get('missing_mode') is not None):
            said.append(Said(WARNING, f'energy: no mode {figures["missing_mode"]}: nothing is commanded'))
        turn = figures.get('turn_back_before_item')
        if self._began('turn', turn is not None):
            said.append(Said(WARNING, f'energy: mission: turn back before item {turn}'))
        if self._began('weak', None if charge is None else charge < WEAK,
                       charge is not None and charge < WEAK + RECOVERED):
            said.append(Said(WARNING, f'energy: battery at {100.0 * (charge or 0.0):.0f} %'))
        if self._began('fouled', None if figures.get('hull_state') in (None, 'unknown')
                       else figures['hull_state'] == 'more drag'):
            said.append(Said(WARNING, f'energy: drag {figures.get("drag_ratio") or 1.0:.2f} of the boat file: fouled?'))
        return said

    def _began(self, name: str, now: bool | None, still: bool = False) -> bool:
        """Return whether a condition began; None: unknown, which changes nothing; `still`: it does not end yet."""
        return self._alarms[name].take(self._now, now, still)


def alarms_of(figures: Mapping[str, Any]) -> list[Said]:
    """Return all that would be said of a boat if nothing had been said before: what asks for a look now."""
    mission = figures.get('mission') or {}
    return Announcer().changes({**figures, 'turn_back_before_item': mission.get('turn_back_before_item')})


def statustext(said: Said) -> Any:
    """Return a text as a message, cut to what that holds."""
    return dialect().MAVLink_statustext_message(said.severity, said.text.encode('ascii', 'replace')[:LONGEST_TEXT])


def _wh(joules: float | None) -> str:
    return '?' if joules is None else f'{joules / JOULES_PER_WH:.{int(abs(joules) < LONG * JOULES_PER_WH)}f}'
