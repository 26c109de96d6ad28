"""What is asked of an autopilot: messages at a pace, its home, and its parameters, a few a second until they come."""

import math
from typing import Any

from usv_energy.live.link import dialect
from usv_energy.live.return_order import AUTOPILOT

PACES = {  # Hz, that are asked for; GLOBAL_POSITION_INT cuts its velocities to whole cm/s, towards 0.
    'GLOBAL_POSITION_INT': 10.0, 'LOCAL_POSITION_NED': 10.0, 'ATTITUDE': 10.0, 'SERVO_OUTPUT_RAW': 10.0,
    'BATTERY_STATUS': 2.0, 'SYS_STATUS': 2.0, 'MISSION_CURRENT': 1.0, 'HOME_POSITION': 0.2}
WIND, WIND_OF_PX4, WIND_PACE = 'WIND', 'WIND_COV', 1.0  # ArduPilot says aloud which message it does not have.
SET_MESSAGE_INTERVAL, REQUEST_MESSAGE = 511, 512  # MAV_CMD
AGAIN = 30.0         # s after which the paces are asked for again: an autopilot that restarted has forgotten them.
PERIOD = 0.2         # s between two sets of parameters that are asked for,
TOGETHER = 4         # so many at once,
MOST_ROUNDS = 4      # and as often as this for one that does not come.
SERVOS = 16
PARAMETERS = (
    'FRAME_CLASS', 'CRUISE_SPEED', 'WP_SPEED', 'RTL_SPEED', 'BATT_MONITOR', 'BATT_CAPACITY', 'BATT_LOW_VOLT',
    'BATT_CRT_VOLT', 'BATT_LOW_MAH', 'MOT_THR_MAX', 'MOT_VEC_ANGLEMAX',
    *(f'SERVO{number}_FUNCTION' for number in range(1, SERVOS + 1)))
OF_SERVO = ('TRIM', 'REVERSED', 'MAX')  # of those outputs that do something
PX4_OUTPUTS = 8
PX4_PARAMETERS = (
    'GND_SPEED_TRIM', 'RD_MISS_SPD_DEF', 'RA_MISS_SPD_DEF', 'RO_SPEED_LIM', 'BAT1_CAPACITY', 'BAT1_N_CELLS',
    'BAT1_V_EMPTY', 'CA_ROTOR_COUNT',
    *(f'PWM_{side}_FUNC{number}' for side in ('MAIN', 'AUX') for number in range(1, PX4_OUTPUTS + 1)))
OF_ROTOR = ('PX', 'PY')  # of those that CA_ROTOR_COUNT counts,
MOST_ROTORS = 12     # of which PX4 has so many at most.


class Requests:
    """The requests to one vehicle."""

    def __init__(self, system: int) -> None:
        """Begin with nothing asked; `system`: the vehicle's system id."""
        self._system = system
        self._paced = self._asked = -math.inf
        self._rounds: dict[str, int] = {}

    def due(self, now: float, has_home: bool, parameters: dict[str, float], px4: bool) -> list[Any]:
        """
        Return the messages to send now.

        :param now: s, of a clock that goes on.
        :param has_home: Whether the home is known.
        :param parameters: Those known, by their names.
        :param px4: Whether the autopilot is PX4, whose parameters have other names.
        """
        messages: list[Any] = []
        if now - self._paced >= AGAIN:
            self._paced = now
            messages += [self._command(SET_MESSAGE_INTERVAL, self._number(kind), 1e6 / pace)
                         for kind, pace in {**PACES, WIND_OF_PX4 if px4 else WIND: WIND_PACE}.items()]
            if not has_home:
                messages.append(self._command(REQUEST_MESSAGE, self._number('HOME_POSITION'), 0.0))
        if now - self._asked >= PERIOD:
            self._asked = now
            for name in self.missing(parameters, px4)[:TOGETHER]:
                self._rounds[name] = self._rounds.get(name, 0) + 1
                messages.append(dialect().MAVLink_param_request_read_message(self._system, AUTOPILOT, name.encode(),
                                                                             -1))
        return messages

    def missing(self, parameters: dict[str, float], px4: bool) -> list[str]:
        """Return the names of the parameters that are still asked for, those that were asked least often first."""
        if px4:
            wanted = [*PX4_PARAMETERS, *(f'CA_ROTOR{number}_{what}' for number in range(
                int(min(parameters.get('CA_ROTOR_COUNT', 0.0), MOST_ROTORS))) for what in OF_ROTOR)]
        else:
            wanted = [*PARAMETERS, *(f'SERVO{number}_{what}' for number in range(1, SERVOS + 1)
                                     if parameters.get(f'SERVO{number}_FUNCTION', 0.0) > 0.0 for what in OF_SERVO)]
        left = [name for name in wanted if name not in parameters and self._rounds.get(name, 0) < MOST_ROUNDS]
        return sorted(left, key=lambda name: self._rounds.get(name, 0))

    @staticmethod
    def _number(kind: str) -> float:
        return float(getattr(dialect(), f'MAVLINK_MSG_ID_{kind}'))

    def _command(self, command: int, first: float, second: float) -> Any:
        return dialect().MAVLink_command_long_message(self._system, AUTOPILOT, command, 0, first, second, 0.0, 0.0, 0.0,
                                                      0.0, 0.0)
