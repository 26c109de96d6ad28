"""
The one command that a live boat may be given: a mode that brings it home, when its margin is gone.

What is asked of an autopilot: messages at a pace, its home, and its parameters, a few a second until they come.
"""

import math
from enum import Enum
from typing import Any

from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.live.announcer import ALERT, NOTICE, WARNING, Said
from usv_energy.live.link import PURPOSE, dialect
from usv_energy.live.live_vehicle import LiveVehicle, Mode

PACES = {  # Hz, that are asked for; GLOBAL_POSITION_INT cuts its velocities to whole cm/s, towards 0.
    'GLOBAL_POSITION_INT': 10.0, 'LOCAL_POSITION_NED': 10.0, 'ATTITUDE': 10.0, 'SERVO_OUTPUT_RAW': 10.0,
    'BATTERY_STATUS': 2.0, 'SYS_STATUS': 2.0, 'MISSION_CURRENT': 1.0, 'HOME_POSITION': 0.2}
WIND, WIND_OF_PX4, WIND_PACE = 'WIND', 'WIND_COV', 1.0  # ArduPilot says aloud which message it does not have.
SET_MESSAGE_INTERVAL, REQUEST_MESSAGE = 511, 512  # MAV_CMD
ASK_AGAIN = 30.0         # s after which the paces are asked for again: an autopilot that restarted has forgotten them.
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
        if now - self._paced >= ASK_AGAIN:
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


HOLD = 3.0            # s for which the margin must be gone, and the boat armed, before the command.
ANSWER_TIME = 2.0     # s without an answer after which the command is sent again,
MOST_SENT = 3         # as often as this in all.
AGAIN = 10.0          # s after a refusal for now, as while the estimator has no position, until it is sent again,
MOST_AGAIN = 60       # as often as this in all.
MODE_TIME = 5.0       # s after the autopilot accepted, in which its heartbeat must show the mode.
DO_SET_MODE, CUSTOM_MODE = 176, 1
ACCEPTED, IN_PROGRESS = 0, 5  # MAV_RESULT
RESULTS = {1: 'not now', 2: 'denied', 3: 'not supported', 4: 'failed', 6: 'cancelled'}
FOR_NOW = 1, 4        # of these: ArduPilot says so of a mode that it cannot enter yet.
AUTOPILOT = 1         # MAV_COMP_ID_AUTOPILOT1


class OrderState(Enum):
    """What became of the command."""

    WAITING = 'not needed so far'
    SENT = 'sent, no answer yet'
    ACCEPTED = 'accepted, the mode not seen yet'
    DONE = 'the boat is in the mode'
    DELAYED = 'refused for now, asked again'
    REFUSED = 'refused by the autopilot'
    UNANSWERED = 'no answer from the autopilot'
    LOST = 'sent into a link that died, sent again when it is back'


def mode_numbers(name: str, px4: bool) -> tuple[int, int, int]:
    """
    Return custom_mode of a heartbeat in a mode, and the second and third parameter of MAV_CMD_DO_SET_MODE.

    :param name: Of the mode, as pymavlink has it: RTL, SMART_RTL, HOLD.
    :param px4: Whether the autopilot is PX4; else it is ArduPilot's Rover.
    :raises InputError: If there is no such mode.
    """
    mavutil = optional('pymavlink.mavutil', 'ardupilot', PURPOSE)
    if px4:
        known = {mode: (main << 16 | sub << 24, main, sub) for mode, (_, main, sub) in mavutil.px4_map.items()}
    else:
        known = {mode: (number, number, 0) for number, mode in mavutil.mode_mapping_rover.items()}
    if name not in known:
        raise InputError(f'--may-command is {name!r}; must be one of {", ".join(sorted(known))}')
    return known[name]


class ReturnOrder:
    """
    Gives the command once in a run; `state`: what became of it; `sent`: how often it went out.

    It is given only while the vehicle is armed and heard. What had no answer before the link died is given again when
    the link is back, and a refusal for now is asked again, while the margin is gone. Else it is never given again: not
    after another refusal, nor if the operator takes the boat out of the mode.
    """

    def __init__(self, mode: str) -> None:
        """Begin; `mode`: the name of the mode, checked against ArduPilot's and PX4's when a vehicle is known."""
        self.mode, self.state, self.sent = mode, OrderState.WAITING, 0
        self._without_answer = self._delays = 0
        self._since = self._sent_at = math.nan
        self._was_in_mode = False  # When the need arose.

    def tick(self, now: float, wanted: bool, is_heard: bool, vehicle: LiveVehicle, system: int,
             has_rival: bool) -> tuple[list[Any], list[Said]]:
        """
        Return the messages to send now, and what is to be said.

        :param now: s, of a clock that goes on.
        :param wanted: Whether the boat is to turn back.
        :param is_heard: Whether the link is alive.
        :param vehicle: The vehicle.
        :param system: Its system id.
        :param has_rival: Whether a second vehicle has it, too, whose mode and answers may be taken for its own.
        """
        if not is_heard:
            self._since, self._sent_at = math.nan, now if self.state is OrderState.ACCEPTED else self._sent_at
            if self.state in (OrderState.SENT, OrderState.UNANSWERED):
                self.state, self._without_answer = OrderState.LOST, 0
            return [], []
        if self.state in (OrderState.WAITING, OrderState.LOST):
            if not (wanted and vehicle.mode.armed):
                self._since = math.nan
            elif math.isnan(self._since):
                self._since, self._was_in_mode = now, self._is_in_mode(vehicle)
            if not now - self._since >= HOLD:
                return [], []
            if self._was_in_mode and self._is_in_mode(vehicle) and not has_rival:
                self.state = OrderState.DONE
                return [], []
            return [self._command(now, vehicle, system)], [Said(ALERT, f'energy: {self.mode} commanded, margin gone')]
        if self.state is OrderState.DELAYED:
            if self._is_in_mode(vehicle):
                self.state = OrderState.DONE
                return [], [Said(NOTICE, f'energy: the boat is in {self.mode}')]
            if not (wanted and vehicle.mode.armed and now - self._sent_at >= AGAIN):
                return [], []
            self._without_answer = 0
            return [self._command(now, vehicle, system)], []
        if self.state is OrderState.SENT and now - self._sent_at >= ANSWER_TIME:
            if self._without_answer < MOST_SENT:
                return [self._command(now, vehicle, system)], []
            self.state = OrderState.UNANSWERED
            return [], [Said(ALERT, f'energy: no answer to {self.mode}: steer it home')]
        if self.state in (OrderState.SENT, OrderState.ACCEPTED):
            if self._is_in_mode(vehicle):
                self.state = OrderState.DONE
                return [], [Said(NOTICE, f'energy: the boat is in {self.mode}')]
            if self.state is OrderState.ACCEPTED and now - self._sent_at >= MODE_TIME:
                self.state = OrderState.UNANSWERED
                return [], [Said(ALERT, f'energy: {self.mode} accepted but not in it: look')]
        return [], []

    def acknowledge(self, now: float, command: int, result: int) -> list[Said]:
        """Take a COMMAND_ACK of the vehicle at a time, s; return what is to be said."""
        if self.state is not OrderState.SENT or command != DO_SET_MODE or result == IN_PROGRESS:
            return []
        if result == ACCEPTED:
            self.state, self._sent_at = OrderState.ACCEPTED, now
            return []
        if result in FOR_NOW and self._delays < MOST_AGAIN:
            self.state, self._sent_at, self._delays = OrderState.DELAYED, now, self._delays + 1
            return [Said(WARNING, f'energy: {self.mode} {RESULTS[result]}, asked again')] if self._delays == 1 else []
        self.state = OrderState.REFUSED
        return [Said(WARNING, f'energy: {self.mode} {RESULTS.get(result, result)}: steer it home')]

    def _is_in_mode(self, vehicle: LiveVehicle) -> bool:
        return vehicle.mode == Mode(mode_numbers(self.mode, vehicle.is_px4)[0], vehicle.mode.armed)

    def _command(self, now: float, vehicle: LiveVehicle, system: int) -> Any:
        _, second, third = mode_numbers(self.mode, vehicle.is_px4)
        self.state, self._sent_at = OrderState.SENT, now
        self.sent += 1
        self._without_answer += 1
        return dialect().MAVLink_command_long_message(
            system, AUTOPILOT, DO_SET_MODE, self._without_answer - 1, CUSTOM_MODE, second, third, 0.0, 0.0, 0.0, 0.0)
