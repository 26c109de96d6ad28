"""A quadcopter that takes off from a boat's deck, follows the boat and lands on it, in the boat's time."""

import math
from contextlib import ExitStack
from typing import ClassVar

from geometry_msgs.msg import Point, Quaternion, Vector3, Vector3Stamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Bool, String
from std_srvs.srv import Trigger

from usv_energy.air.deck_track import DeckTrack, pad_of
from usv_energy.air.flight import EMERGENCY, LANDED, ON_DECK, Deck, Flight, FlightOrders
from usv_energy.air.flight_battery import battery_words, shortfall
from usv_energy.air.flight_control import CASCADE, CONTROLLERS, FlightController
from usv_energy.air.quadcopter import Vector, in_body, read_quadcopter
from usv_energy.boats.cell_file import KELVIN
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import QUADCOPTER, Declaration, Number, Text
from usv_energy.ros.framework.qos import LATCHED, STREAM
from usv_energy.ros.messages import convert

NEVER = math.inf
ORDERS = FlightOrders()
ORDER_PARAMETERS = ('height', 'approach_height', 'threshold', 'abort', 'sink', 'commit', 'reserve')


class QuadcopterSimulator(ManagedNode):
    """
    Publish `odom`, `battery_state` and `stage` of a quadcopter; services `take_off` and `land`. docs/air.md.

    It subscribes to the boat's odometry (`boat_odom`) and wind (`boat_wind`), and advances to each stamp of the
    odometry. `charging` says whether it takes power from the boat.
    """

    flight_kind: ClassVar[type[Flight]] = Flight
    declared: ClassVar[tuple[Declaration, ...]] = (
        QUADCOPTER,
        Text('controller', CASCADE, 'Flight controller.', allowed=CONTROLLERS),
        Number('height', 3.0, 'Height above the pad while it follows the boat, m.', above=0.7),
        Number('take_off', -1.0, "Time of take-off, s after the boat's first odometry; below 0: by the service "
               'take_off.'),
        Number('land', -1.0, "Time of landing, s after the boat's first odometry; below 0: by the service land."),
        *(Number(name, value, f'{meaning}.', least=0.0) for name, value, meaning in (
            ('approach_height', ORDERS.approach_height, 'Height above the pad before the landing, m'),
            ('threshold', ORDERS.threshold, 'Horizontal error below which it lands, m'),
            ('abort', ORDERS.abort, 'Horizontal error above which it aborts the landing, m'),
            ('sink', ORDERS.sink, 'Speed of descent towards the pad, m/s'),
            ('commit', ORDERS.commit, 'Height below which it no longer aborts the landing, m'),
            ('reserve', ORDERS.reserve, 'Share of the full charge that is kept'))),
        Number('hover', 60.0, 'Expected time of a flight before the landing, s, for which the battery must be enough.',
               above=0.0),
        Number('pad_x', 0.0, "Place of the pad's middle ahead of the place of the odometry, m."),
        Number('pad_y', 0.0, "Place of the pad's middle to port of the place of the odometry, m."),
        Number('pad_z', 0.3, 'Height of the pad above the place of the odometry, m.', least=0.0),
        Number('step', 0.01, 'Step of the simulation, s.', above=0.0, most=0.02),
        Number('battery', 1.0, 'State of charge at the start, (-).', above=0.0, most=1.0),
        Number('silence', 2.0, "Time without the boat's odometry after which the deck is lost, s of wall time.",
               above=0.0),
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and the quadcopter."""
        given = self.parameters
        self._craft = read_quadcopter(given.text('quadcopter'))
        self._pad = given.number('pad_x'), given.number('pad_y'), given.number('pad_z')
        self._share = given.number('battery')
        self._odom = self.advertise(undo, Odometry, 'odom')
        self._battery = self.advertise(undo, BatteryState, 'battery_state')
        self._stage_topic = self.advertise(undo, String, 'stage', LATCHED)
        self._charging = self.advertise(undo, Bool, 'charging', LATCHED)

    def activate(self, undo: ExitStack) -> None:
        """Stand on the deck, and wait for orders."""
        self._flight: Flight | None = None
        self._wind: Vector = (0.0, 0.0, 0.0)
        self._published_stage: tuple[str, bool] | None = None
        self._watchdog = self.watchdog(undo, self.parameters.number('silence'), self._on_silence)
        for name, callback in (('take_off', self._on_take_off), ('land', self._on_land)):
            undo.callback(self.destroy_service, self.create_service(Trigger, name, callback))
        self.listen(undo, Vector3Stamped, 'boat_wind', self._on_wind, STREAM)
        self.listen(undo, Odometry, 'boat_odom', self._on_odometry, STREAM)

    def log_summary(self) -> str:
        """Return the quadcopter and its controller."""
        craft = self._craft
        return (f'{craft.name}, {self.parameters.text("controller")}, hovering at {craft.hover_power:.1f} W; '
                f'{battery_words(craft)}')

    def _on_wind(self, msg: Vector3Stamped) -> None:
        if math.isfinite(msg.vector.x) and math.isfinite(msg.vector.y):
            self._wind = msg.vector.x, msg.vector.y, 0.0

    def _on_odometry(self, msg: Odometry) -> None:
        time = convert.nanoseconds(msg.header.stamp) / convert.NANOSECONDS
        pose, (u, v, r) = convert.pose_of_odometry(msg), convert.planar_velocity(msg.twist.twist)
        height, rise = msg.pose.pose.position.z, msg.twist.twist.linear.z
        if not all(map(math.isfinite, (*pose, u, v, r, height, rise))):
            return
        self._watchdog.set()
        step = self.parameters.number('step')
        deck = pad_of(pose, (u, v, r), self._pad, height, rise)
        if self._flight is None or time < self._begin + self._flight.time - step:
            if self._flight is not None:
                self.get_logger().warning(f'time went back to {time:.2f} s: it stands on the deck again')
            self._begin_at(time, deck)
            return
        self._track.add(time - self._begin, deck)
        flight = self._flight
        while flight.time + step <= time - self._begin + 1e-9:
            flight.advance(self._track.at, self._wind, step)
        self._publish(flight, msg)

    def controller(self) -> FlightController:
        """Return a new controller of the kind of the parameter."""
        return FlightController(self._craft, kind=self.parameters.text('controller'))

    def _begin_at(self, time: float, deck: Deck) -> None:
        self._begin = time
        self._track = DeckTrack(0.0, deck)
        controller = self.controller()
        self._flight = self.flight_kind(controller, self._orders(), self._track.at(0.0),
                                        self._share * self._craft.battery)
        self._publish_stage(self._flight)

    def _times(self) -> tuple[float, float]:
        """Return the times of take-off and landing, s of its flight; NEVER: only by the services."""
        take_off, land = map(self.parameters.number, ('take_off', 'land'))
        return take_off if take_off >= 0.0 else NEVER, land if land >= 0.0 else NEVER

    def _orders(self) -> FlightOrders:
        """Return the orders of the parameters, without times if the flight takes more than the battery has."""
        given = self.parameters
        take_off, land = self._times()
        orders = FlightOrders(take_off, land=land, **{name: given.number(name) for name in ORDER_PARAMETERS})
        short = '' if take_off == NEVER else shortfall(
            self._craft, self._share, given.number('hover') if land == NEVER else land - take_off, orders.reserve)
        if not short:
            return orders
        self.get_logger().error(f'refused: {short}')
        return orders._replace(take_off=NEVER, land=NEVER)

    def _on_take_off(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        flight = self._flight
        if flight is None:
            response.message = 'no odometry of the boat yet: it does not know where its deck is'
        elif flight.stage not in (ON_DECK, LANDED):
            response.message = f'it flies already: {flight.stage}'
        elif short := shortfall(self._craft, flight.source.charge, self.parameters.number('hover'),
                                flight.orders.reserve):
            response.message = f'refused: {short}'
        else:
            flight.take_off()
            response.success, response.message = True, f'takes off with {flight.battery / 3600.0:.2f} Wh'
        if not response.success:
            self.refuse(f'take_off: {response.message}')
        return response

    def _on_land(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        flight = self._flight
        if flight is None or flight.stage in (ON_DECK, LANDED):
            response.message = 'it does not fly'
            self.refuse(f'land: {response.message}')
        else:
            flight.orders = flight.orders._replace(land=flight.time)
            response.success, response.message = True, 'lands'
        return response

    def _on_silence(self) -> None:
        self.get_logger().error('the deck is lost: no odometry of the boat, whose time it keeps')

    def _publish(self, flight: Flight, boat: Odometry) -> None:
        header, state = boat.header, flight.state
        (x, y, z), (w, a, b, c) = state.place, state.turn
        msg = Odometry(header=header, child_frame_id='quadcopter')
        msg.pose.pose.position = Point(x=x, y=y, z=z)
        msg.pose.pose.orientation = Quaternion(w=w, x=a, y=b, z=c)
        ahead, port, up = in_body(state.turn, state.velocity)
        msg.twist.twist.linear = Vector3(x=ahead, y=port, z=up)
        msg.twist.twist.angular = Vector3(x=state.rates[0], y=state.rates[1], z=state.rates[2])
        self._odom.publish(msg)
        self._battery.publish(self._battery_message(flight, boat))
        self._publish_stage(flight)

    def _battery_message(self, flight: Flight, boat: Odometry) -> BatteryState:
        """Return the message of the battery, with NaN for unknown values; a current below 0 discharges."""
        source, pack = flight.source, self._craft.pack
        new = math.nan if pack is None else pack.cell.capacity * pack.parallel / 3600.0  # Ah
        aged = math.nan if pack is None else new * pack.capacity_share
        return BatteryState(
            header=boat.header, voltage=source.voltage, temperature=source.temperature - KELVIN,
            current=-source.current, charge=source.charge * aged, capacity=aged, design_capacity=new,
            percentage=source.charge, present=True,
            power_supply_health=BatteryState.POWER_SUPPLY_HEALTH_DEAD if source.empty
            else BatteryState.POWER_SUPPLY_HEALTH_GOOD,
            power_supply_status=BatteryState.POWER_SUPPLY_STATUS_CHARGING if flight.power < 0.0
            else BatteryState.POWER_SUPPLY_STATUS_DISCHARGING)

    def _publish_stage(self, flight: Flight) -> None:
        stage = flight.stage, flight.power < 0.0
        if stage == self._published_stage:
            return
        if self._published_stage is None or stage[0] != self._published_stage[0]:
            down = flight.touchdown
            where = '' if flight.stage != LANDED or down is None else \
                f': {down.error:.3f} m from the middle of the pad, at {down.speed:.2f} m/s'
            if flight.stage == EMERGENCY:
                self.get_logger().error(f'{flight.stage}: the battery does not give what flying takes '
                                        f'({100.0 * flight.source.charge:.0f} % of its charge left); it comes down')
            else:
                self.get_logger().info(f'{flight.stage}{where}')
            self._stage_topic.publish(String(data=flight.stage))
        self._charging.publish(Bool(data=stage[1]))
        self._published_stage = stage


if __name__ == '__main__':
    QuadcopterSimulator.main()
