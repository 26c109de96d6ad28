"""A vehicle's acoustic modem: it sends bytes through the water, and publishes what it receives from other modems."""

import math
from contextlib import ExitStack
from functools import partial
from itertools import pairwise

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
from nav_msgs.msg import Odometry
from std_msgs.msg import Bool, Float64MultiArray, Header, MultiArrayDimension, UInt8MultiArray

from usv_energy.physics.acoustics import ABSORPTIONS, NOISES, AcousticSea, Modem, SeaWater
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import Number, Text
from usv_energy.ros.framework.qos import LATCHED, LATCHED_STREAM, STREAM
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import AcousticMessage, AcousticTransmission, SendAcoustic
from usv_energy.sim.acoustics.hearing import (
    RECEIVED,
    ModemQueue,
    Place,
    Reception,
    Transmission,
    is_blocked,
    read_modem,
)
from usv_energy.sim.scenario import read_scenario

TRANSMISSIONS = '/acoustic_transmissions'
DIRECTIVITIES = '/acoustic_directivities'
MAX_BYTES = 64 * 1024  # Of a message.
WATER, SEA = SeaWater(), AcousticSea()


class AcousticModem(ManagedNode):
    """
    Send by the service `send_acoustic` or the topic `acoustic_send`; publish received messages on `acoustic_received`.

    All modems publish and receive transmissions on `/acoustic_transmissions`. Each computes what arrives at its place.
    Its time is that of the vehicle's odometry. `modem_sending` switches the boat's load. A modem with a directivity
    publishes it on `/acoustic_directivities`; the axis turns with the vehicle. docs/acoustics.md, docs/nodes.md.
    """

    declared = (
        Text('modem', 'tapac', 'The modem: a name in config/modems, or the path of a YAML file.', read=read_modem),
        Text('scenario', '', 'Scenario with obstacles that block sound: a name or a path; empty: none.'),
        Number('depth', 0.5, 'Depth of the antenna below the place of the odometry, m.', least=0.0),
        Number('axis_deg', 0.0, 'Direction of the axis of a directed antenna, from the bow to port, deg.', least=-180.0,
               most=180.0),
        Number('wind', SEA.wind, 'Wind speed at 10 m, which makes noise, m/s.', least=0.0),
        Number('shipping', SEA.shipping, 'Noise of distant ships, 0 (few) to 1 (many).', least=0.0, most=1.0),
        Number('temperature', WATER.temperature, 'Temperature of the water, degC.', least=-2.0, most=35.0),
        Number('salinity', WATER.salinity, 'Salinity of the water, g/kg; 0: a lake.', least=0.0, most=45.0),
        Text('noise', SEA.noise, 'Formula of the noise.', allowed=NOISES),
        Text('absorption', SEA.absorption, 'Formula of the absorption.', allowed=tuple(ABSORPTIONS)),
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters, the modem and the obstacles."""
        given = self.parameters
        self._file = read_modem(given.text('modem'))
        name = given.text('scenario')
        self._obstacles = read_scenario(name).obstacles if name else ()
        water = WATER._replace(temperature=given.number('temperature'), salinity=given.number('salinity'),
                               depth=given.number('depth'))
        self._sea = AcousticSea(water, given.number('wind'), given.number('shipping'), given.text('noise'),
                                given.text('absorption'))
        self._depth, self._axis = given.number('depth'), math.radians(given.number('axis_deg'))
        self._received = self.advertise(undo, AcousticMessage, 'acoustic_received')
        self._busy = self.advertise(undo, Bool, 'modem_sending', LATCHED)
        self._transmissions = self.advertise(undo, AcousticTransmission, TRANSMISSIONS)
        self._directivity = self.advertise(undo, Float64MultiArray, DIRECTIVITIES, LATCHED)

    def activate(self, undo: ExitStack) -> None:
        """Subscribe to the vehicle's odometry, to all other modems, and to orders."""
        self._vehicle = self.get_namespace().strip('/') or self.get_name()
        self._frame = 'odom'
        self._directivities: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {}
        self._restart()
        undo.callback(self._cut_off)
        service = self.create_service(SendAcoustic, 'send_acoustic', self._on_order)
        undo.callback(self.destroy_service, service)
        self.listen(undo, UInt8MultiArray, 'acoustic_send', self._on_bytes)
        # Each sender publishes its directivity once, so a late reader needs more than the last message of the topic.
        self.listen(undo, Float64MultiArray, DIRECTIVITIES, self._on_directivity, LATCHED_STREAM)
        self.listen(undo, AcousticTransmission, TRANSMISSIONS, self._on_transmission)
        self.listen(undo, Odometry, 'odom', self._on_odometry, STREAM)
        self._busy.publish(Bool(data=False))
        if self._file.modem.angles:
            self._directivity.publish(directivity_message(self._vehicle, self._file.modem))

    def log_summary(self) -> str:
        """Return the modem and its vehicle."""
        return f'modem {self._file.name} ({self._file.path}), as {self._vehicle}'

    def _restart(self) -> None:
        self._desk = ModemQueue(self._vehicle, self._file.modem, self._sea)
        self._time: float | None = None
        self._begun: dict[tuple[str, int], int] = {}

    def _on_odometry(self, msg: Odometry) -> None:
        time = convert.nanoseconds(msg.header.stamp) / convert.NANOSECONDS
        pose = msg.pose.pose
        x, y, yaw = convert.pose_of_odometry(msg)
        if not all(map(math.isfinite, (x, y, yaw, pose.position.z))):
            return
        if self._time is not None and time < self._time:
            self.get_logger().warning(f'time went back from {self._time:.2f} s to {time:.2f} s: messages are forgotten')
            self._restart()
        self._time, self._frame = time, msg.header.frame_id
        place: Place = (x, y, pose.position.z - self._depth)
        blocked = partial(is_blocked, self._obstacles) if self._obstacles else None
        news = self._desk.step(time, place, yaw + self._axis, blocked)
        for one in news.sent:
            self._transmissions.publish(self._transmission(one))
        for one in news.begun:
            self._transmissions.publish(self._transmission(one))
        if news.sent or news.begun:
            self._busy.publish(Bool(data=self._desk.sending is not None))
        for reception in news.heard:
            self._received.publish(self._message(reception))

    def _on_order(self, request: SendAcoustic.Request, response: SendAcoustic.Response) -> SendAcoustic.Response:
        fault = self._fault(len(request.data))
        receipt = self._desk.order(bytes(request.data), self._time) if not fault and self._time is not None else None
        if receipt is None:
            response.message = fault or 'too many messages wait to be sent'
            self.refuse(f'send_acoustic: {response.message}')
            return response
        response.success = True
        response.id, response.duration, response.energy = receipt
        return response

    def _on_bytes(self, msg: UInt8MultiArray) -> None:
        fault = self._fault(len(msg.data))
        if fault or self._time is None or self._desk.order(bytes(msg.data), self._time) is None:
            self.get_logger().error(f'not sent: {fault or "too many messages wait to be sent"}')

    def _fault(self, size: int) -> str:
        """Return what is wrong with an order; empty if nothing is."""
        if self._time is None:
            return 'no odometry yet: the modem does not know when it is, nor where'
        if not 0 < size <= MAX_BYTES:
            return f'{size} bytes; must be 1 to {MAX_BYTES}'
        return ''

    def _on_transmission(self, msg: AcousticTransmission) -> None:
        if msg.sender == self._vehicle:
            return
        key, stamp = (msg.sender, msg.id), convert.nanoseconds(msg.header.stamp)
        begin = stamp / convert.NANOSECONDS
        # The second message of a transmission is its end. The stamp distinguishes numbers of a restarted sender.
        if msg.cut_off or self._begun.get(key) == stamp:
            self._begun.pop(key, None)
            self._desk.tell_end(*key, begin + msg.duration if msg.cut_off else math.inf)
            return
        self._begun[key] = stamp
        angles, gains = self._directivities.get(msg.sender, ((), ()))
        self._desk.tell(Transmission(
            *key, bytes(msg.data), begin, msg.duration, (msg.place.x, msg.place.y, msg.place.z), msg.heading,
            self._file.modem._replace(level=msg.level, frequency=msg.frequency, bandwidth=msg.bandwidth,
                                      angles=angles, gains=gains)))

    def _on_directivity(self, msg: Float64MultiArray) -> None:
        sender = msg.layout.dim[0].label if msg.layout.dim else ''
        angles, gains = tuple(msg.data[::2]), tuple(msg.data[1::2])
        rises = all(a < b for a, b in pairwise(angles))
        if not sender or len(angles) != len(gains) or not rises or not all(map(math.isfinite, msg.data)):
            self.get_logger().error(f'a directivity of {sender or "nobody"!r} is not pairs of a rising angle, rad, and '
                                    'a gain, dB: it is taken for alike in all directions')
            angles, gains = (), ()
        self._directivities[sender] = angles, gains

    def _cut_off(self) -> None:
        """Publish that the present transmission ends early, because the node is deactivated."""
        one = self._desk.sending
        if one is not None and self._time is not None:
            sent_part = one._replace(duration=max(0.0, self._time - one.begin))
            self._transmissions.publish(self._transmission(sent_part, cut_off=True))
            self.get_logger().warning(f'message {one.number} was cut off after {self._time - one.begin:.2f} s')
        self._busy.publish(Bool(data=False))

    def _transmission(self, one: Transmission, cut_off: bool = False) -> AcousticTransmission:
        x, y, z = one.place
        return AcousticTransmission(
            header=Header(stamp=_stamp(one.begin), frame_id=self._frame), sender=one.sender, id=one.number,
            data=list(one.data), place=Point(x=x, y=y, z=z), heading=one.heading, duration=one.duration,
            level=one.modem.level, frequency=one.modem.frequency, bandwidth=one.modem.bandwidth, cut_off=cut_off)

    def _message(self, reception: Reception) -> AcousticMessage:
        one = reception.transmission
        return AcousticMessage(
            header=Header(stamp=_stamp(reception.end), frame_id=self._vehicle), sender=one.sender,
            receiver=self._vehicle, id=one.number, data=list(one.data) if reception.outcome == RECEIVED else [],
            sent=_stamp(one.begin), delay=reception.arrival - one.begin, distance=reception.distance,
            level=reception.level, noise=reception.noise, outcome=reception.outcome)


def directivity_message(vehicle: str, modem: Modem) -> Float64MultiArray:
    """Return the message of a modem's directivity: pairs of an angle off its axis, rad, and a gain, dB."""
    msg = Float64MultiArray(data=[number for pair in zip(modem.angles, modem.gains) for number in pair])
    msg.layout.dim = [MultiArrayDimension(label=vehicle, size=len(modem.angles), stride=2 * len(modem.angles)),
                      MultiArrayDimension(label='angle_rad, gain_db', size=2, stride=2)]
    return msg


def _stamp(seconds: float) -> Time:
    return convert.stamp_of(round(seconds * convert.NANOSECONDS))


if __name__ == '__main__':
    AcousticModem.main()
