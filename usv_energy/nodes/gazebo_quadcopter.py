"""The pilot of a quadcopter that Gazebo moves: its way, its landing and its energy, in the boat's time."""

import json
import math
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, cast

from geometry_msgs.msg import Twist, Vector3
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Float64, Header
from std_srvs.srv import Trigger

from usv_energy.air.deck_track import tilted_pad
from usv_energy.air.flight import ON_DECK, Deck, GuidedFlight, flight_summary
from usv_energy.air.flight_battery import battery_words
from usv_energy.air.flight_control import KINEMATICS, FlightController, Goal
from usv_energy.air.quadcopter import FlightState, Thrusts, heading, in_body, tilt
from usv_energy.files.locate import user_path
from usv_energy.files.text_file import write_text
from usv_energy.gazebo.quadcopter_model import ENABLE, VELOCITY, rotor_joint, rotor_places, thrust_of
from usv_energy.nodes.quadcopter_simulator import NEVER, QuadcopterSimulator
from usv_energy.ros.framework.parameters import LAND, TAKE_OFF, Declaration, Text
from usv_energy.ros.framework.qos import STREAM
from usv_energy.ros.messages import convert
from usv_energy.sim.plants.plant import HullAttitude

OWN, BOAT, ROTORS = 'gazebo/odom', 'boat_odom', 'gazebo/rotors'
MAX_MESSAGES = 1000  # Of each topic, to wait for the others of the same stamp; rotors publish five times as often.


class GazeboQuadcopter(QuadcopterSimulator):
    """
    Fly Gazebo's quadcopter as `quadcopter_simulator` flies its own; the same topics and services. docs/gazebo.md.

    It subscribes to Gazebo's odometry and rotor speeds on `gazebo/odom` and `gazebo/rotors`. It publishes velocities on
    `cmd_vel`, `enable` for the rotors, and `gazebo/wind`. `gazebo/answered` has the answered stamp.
    """

    flight_kind = GuidedFlight
    declared: ClassVar[tuple[Declaration, ...]] = (
        *(one for one in QuadcopterSimulator.declared if one.name not in ('controller', 'step', 'take_off', 'land')),
        TAKE_OFF, LAND,
        Text('out', '', 'Path of a JSON file for the energy of the flight and its landing; empty: none.'),
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and the quadcopter."""
        super().configure(undo)
        self._command = self.advertise(undo, Twist, VELOCITY)
        self._enable = self.advertise(undo, Bool, ENABLE)
        self._air = self.advertise(undo, Vector3, 'gazebo/wind')
        self._answered = self.advertise(undo, Header, 'gazebo/answered')
        self._power = self.advertise(undo, Float64, 'power')
        self._joints = [rotor_joint(rotor.name) for rotor in rotor_places(self._craft)]

    def activate(self, undo: ExitStack) -> None:
        """Stand on the deck, and wait for orders."""
        self._messages: dict[str, dict[int, Any]] = {OWN: {}, BOAT: {}, ROTORS: {}}
        super().activate(undo)
        undo.callback(self._write)
        self.listen(undo, Odometry, OWN, partial(self._on_part, OWN), STREAM)
        self.listen(undo, JointState, ROTORS, partial(self._on_part, ROTORS), STREAM)

    def log_summary(self) -> str:
        """Return the quadcopter."""
        craft = self._craft
        return f'{craft.name} in Gazebo, hovering at {craft.hover_power:.1f} W; {battery_words(craft)}'

    def controller(self) -> FlightController:
        """Return the controller that corresponds to Gazebo's."""
        return FlightController(self._craft, kind=KINEMATICS)

    def _on_odometry(self, msg: Odometry) -> None:
        self._watchdog.set()
        self._on_part(BOAT, msg)

    def _on_part(self, which: str, msg: Odometry | JointState) -> None:
        """Store a message; continue when those of one stamp are complete."""
        stamp = convert.nanoseconds(msg.header.stamp)
        messages = self._messages[which]
        if messages and stamp < max(messages):
            messages.clear()  # Gazebo was reset.
        messages[stamp] = msg
        while len(messages) > MAX_MESSAGES:
            del messages[min(messages)]
        if all(stamp in one for one in self._messages.values()):
            boat, own, rotors = (self._messages[part][stamp] for part in (BOAT, OWN, ROTORS))
            for one in self._messages.values():
                for past in [other for other in one if other <= stamp]:
                    del one[past]
            self._on_all(stamp / convert.NANOSECONDS, boat, own, rotors)

    def _on_all(self, time: float, boat: Odometry, own: Odometry, rotors: JointState) -> None:
        deck = self._deck(boat)
        state = self._state(own, rotors)
        if not all(map(math.isfinite, (*deck.place, *deck.velocity, *state.place, *state.velocity, *state.turn))):
            return
        if self._flight is None or time <= self._begin + self._flight.time - 1e-9:
            if self._flight is not None:
                self.get_logger().warning(f'time went back to {time:.2f} s: it stands on the deck again')
            self._begin_at(time, deck)
            self._steer(None, state, 0.0)
        else:
            step = time - self._begin - self._flight.time
            self._orders_by_time()
            flew = not self._flight.down
            goal = cast(GuidedFlight, self._flight).guide(state, deck, self._wind, step)
            if flew and self._flight.down:
                self._write()
            self._steer(goal, state, step)
            self._power.publish(Float64(data=self._flight.power))
            self._publish(self._flight, boat)
        self._air.publish(Vector3(x=self._wind[0], y=self._wind[1], z=self._wind[2]))
        self._answered.publish(Header(stamp=boat.header.stamp, frame_id=boat.header.frame_id))

    def _deck(self, boat: Odometry) -> Deck:
        """Return the pad of a boat that may heel and pitch."""
        place, turn, twist = boat.pose.pose.position, boat.pose.pose.orientation, boat.twist.twist
        orientation = turn.w, turn.x, turn.y, turn.z
        linear, angular = twist.linear, twist.angular
        return tilted_pad(HullAttitude(
            place.x, place.y, place.z, *tilt(orientation), heading(orientation), linear.x, linear.y, linear.z,
            angular.x, angular.y, angular.z), self._pad)

    def _state(self, own: Odometry, rotors: JointState) -> FlightState:
        """Return the state in the world, with the thrusts that the rotors' speeds give."""
        place, turn = own.pose.pose.position, own.pose.pose.orientation
        linear, rates = own.twist.twist.linear, own.twist.twist.angular
        speeds = dict(zip(rotors.name, rotors.velocity))
        a, b, c, d = (thrust_of(self._craft, speeds.get(joint, math.nan)) for joint in self._joints)
        thrusts: Thrusts = (a, b, c, d)
        quaternion = turn.w, turn.x, turn.y, turn.z
        velocity = in_body((turn.w, -turn.x, -turn.y, -turn.z), (linear.x, linear.y, linear.z))
        return FlightState((place.x, place.y, place.z), velocity, quaternion, (rates.x, rates.y, rates.z), thrusts)

    def _steer(self, goal: Goal | None, state: FlightState, step: float) -> None:
        """Send the velocity in body axes to Gazebo's controller; without a goal disable the rotors."""
        self._enable.publish(Bool(data=goal is not None))
        if goal is None or self._flight is None:
            return
        velocity, rate = self._flight.controller.velocity_and_turn(state, goal, step)
        ahead, port, up = in_body(state.turn, velocity)
        self._command.publish(Twist(linear=Vector3(x=ahead, y=port, z=up), angular=Vector3(z=rate)))

    def _times(self) -> tuple[float, float]:
        """Return NEVER twice: `_orders_by_time` takes off and lands like the services, and logs the answer."""
        return NEVER, NEVER

    def _orders_by_time(self) -> None:
        """Take off and land when the parameters say so."""
        flight, given = self._flight, self.parameters
        if flight is None:
            return
        for name, stage, order in (('take_off', ON_DECK, self._on_take_off), ('land', '', self._on_land)):
            when = given.number(name)
            if when > 0.0 and name not in self._given and flight.time >= when and (not stage or flight.stage == stage):
                self._given.add(name)
                answer = order(Trigger.Request(), Trigger.Response())
                if answer.success:
                    self.get_logger().info(answer.message)

    def _begin_at(self, time: float, deck: Deck) -> None:
        self._given: set[str] = set()
        super()._begin_at(time, deck)

    def _write(self) -> None:
        """Write the summary of the flight, if there is a path for it."""
        path = self.parameters.text('out')
        if path and self._flight is not None:
            write_text(json.dumps(flight_summary(self._flight), indent=2) + '\n', Path(user_path(path)))


if __name__ == '__main__':
    GazeboQuadcopter.main()
