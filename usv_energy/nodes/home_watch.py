"""The energy margin of the boat's way home, and the time until it has to turn back."""

import math
from contextlib import ExitStack
from functools import partial

from geometry_msgs.msg import Vector3Stamped
from std_msgs.msg import Bool

from usv_energy.boats.boat_file import read_boat, require_motion
from usv_energy.files.errors import InputError
from usv_energy.files.limits import LOGGED, MOST_HOMES, RANGES, safe_name
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.physics.motion import Flow
from usv_energy.ros.framework.diagnostics import Health, SampleHealth, publish_health
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import BOAT, HOME_PARTS, HOMES, SEA, SEA_PARTS, WAVE_ESTIMATE, Number
from usv_energy.ros.framework.qos import LATCHED, LATCHED_STREAM
from usv_energy.ros.framework.subscriptions import OwnMessages
from usv_energy.ros.live.flow_on_graph import boat_in_given_sea
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BatteryEstimate, BoatState, EnergyStamped, HomeMargin, SetHome
from usv_energy.studies.plan.boat_in_sea import sea_line
from usv_energy.studies.plan.home_guard import NO_ANSWER, HomeAnswer, HomeGuard, HomeTerms, KnownCharge, MeanWind
from usv_energy.studies.plan.way_home import HomeDoubt, HomePlace, read_homes

FLOWS = 'water_current', 'wind'


class HomeWatch(ManagedNode):
    """Answer boat states with the way home. Topics, service and parameters: docs/way_home.md."""

    declared = (
        BOAT, SEA, *SEA_PARTS, WAVE_ESTIMATE, HOMES, *HOME_PARTS,
        Number('reserve', 0.1, 'Share of the capacity that must be left at home, (-).', live=True, least=0.0, most=1.0),
        Number('confidence', HomeDoubt().confidence, 'Required probability that the energy left is enough for the way '
               'home, 0.5 to below 1, (-).', live=True, least=0.5),
        Number('charge_std', 0.015, 'Standard deviation of the state of charge if battery_estimate has no measured '
               'one, (-).', live=True, least=0.0),
        Number('current_std', 0.03, 'Standard deviation of the water current on the way, m/s.', live=True, least=0.0),
        Number('wind_std', 1.0, 'Standard deviation of the wind on the way, m/s.', live=True, least=0.0),
        Number('period', 1.0, 'Shortest time between two answers, s of message time.', live=True, least=0.0),
        Number('power_window', 60.0, 'Window of the mean that counts as the present power, s.', live=True, above=0),
        Number('max_age', 5.0, 'Greatest age of water current, wind and energy, s.', live=True, above=0),
        Number('lead', 10.0, 'Time before the point of no return at which return_home becomes true, s.', live=True,
               least=0.0),
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the boat and the homes, and check the parameters of the uncertainty."""
        self._boat = read_boat(self.parameters.text('boat'))
        require_motion(self._boat, 'the way home')
        self._boat = boat_in_given_sea(self._boat, self.parameters)
        self._guard = HomeGuard(self._boat, self.parameters.number('power_window'))
        self._homes = self._given_homes()
        self._reserve: float | None = None   # J; None: by the parameter
        self._estimate: BatteryEstimate | None = None
        self._doubt(0)
        self._margin = self.advertise(undo, HomeMargin, 'home_margin', LATCHED)
        self._return = self.advertise(undo, Bool, 'return_home', LATCHED)

    def activate(self, undo: ExitStack) -> None:
        """Start without any message."""
        self._flows: dict[str, tuple[int, float, float]] = {}
        self._guard.begin()
        self._mean_wind = MeanWind()
        self._energy: EnergyStamped | None = None
        self._estimate = None
        self._state: BoatState | None = None
        self._answered = -math.inf
        self._epoch = convert.Epoch()
        self._published_return: bool | None = None
        self._last: HomeAnswer | None = None
        self._samples = SampleHealth('margins')
        publish_health(self, undo, 'way home', self._health, ('home_margin', 'return_home'))
        for topic in FLOWS:
            self.listen(undo, Vector3Stamped, topic, partial(self._on_flow, topic))
        OwnMessages(self, undo, EnergyStamped, 'energy', self._on_energy, convert.fault_of_energy, self._samples,
                    LATCHED_STREAM)
        self.listen(undo, BatteryEstimate, 'battery_estimate', self._on_estimate, LATCHED_STREAM)
        OwnMessages(self, undo, BoatState, 'boat_state', self._on_state, convert.fault_of_state, self._samples)
        service = self.create_service(SetHome, 'set_home', self._on_set_home)
        undo.callback(self.destroy_service, service)

    def log_summary(self) -> str:
        """Return the boat, the places and the sea."""
        places = ', '.join(f'{home.name} ({home.x:g}, {home.y:g})' for home in self._homes) or 'none; call set_home'
        sea = self._boat.vessel.sea
        return f'boat {self._boat.name}, homes: {places}' + ('' if sea is None else f'. {sea_line(sea)}')

    def _given_homes(self) -> list[HomePlace]:
        texts, names = self.parameters.texts(HOMES.name), self.parameters.texts(HOME_PARTS[0].name)
        xs, ys = (self.parameters.numbers(one.name) for one in HOME_PARTS[1:])
        if texts and names:
            raise InputError('parameters homes and home_names are both given; must be one of them')
        if names and not len(names) == len(xs) == len(ys):
            raise InputError(f'parameters home_names, home_x and home_y have {len(names)}, {len(xs)} and {len(ys)} '
                             'entries; must have as many each')
        return read_homes(texts or [f'{name}:{x!r},{y!r}' for name, x, y in zip(names, xs, ys)])

    def _doubt(self, stamp: int) -> HomeDoubt:
        """Return the uncertainty of charge, current and wind at a stamp, ns."""
        battery, number = self._boat.battery, self.parameters.number
        capacity = 0.0 if battery is None else battery.capacity_wh * JOULES_PER_WH
        return HomeDoubt(number('confidence'), self._charge_std(stamp) * capacity, number('current_std'),
                         number('wind_std')).checked()

    def _charge_std(self, stamp: int) -> float:
        """Return the standard deviation of the charge, (-): that of a measured estimate, or else the parameter."""
        known, oldest = self._estimate, self._oldest(stamp)
        if (known is None or known.status & BatteryEstimate.NOT_MEASURED
                or convert.nanoseconds(known.header.stamp) < oldest or not 0.0 <= known.state_of_charge_std < math.inf):
            return self.parameters.number('charge_std')
        return float(known.state_of_charge_std)

    def _on_flow(self, topic: str, msg: Vector3Stamped) -> None:
        self._flows[topic] = convert.nanoseconds(msg.header.stamp), msg.vector.x, msg.vector.y
        if topic == 'wind' and math.isfinite(msg.vector.x + msg.vector.y):
            self._mean_wind.add(self._epoch.seconds(msg.header.stamp), msg.vector.x, msg.vector.y)

    def _on_estimate(self, msg: BatteryEstimate) -> None:
        if fault := convert.fault_of_energy(msg):
            self._samples.add(None, f'battery_estimate: {fault}', useless=True)
            return
        self._estimate = msg

    def _on_energy(self, msg: EnergyStamped) -> None:
        self._energy = msg
        self._guard.power_window = self.parameters.number('power_window')
        self._guard.add_energy(self._epoch.seconds(msg.header.stamp), msg.total)

    def _on_state(self, msg: BoatState) -> None:
        self._state = msg
        time = self._epoch.seconds(msg.header.stamp)
        if 0.0 <= time - self._answered < self.parameters.number('period'):
            return
        self._answered = time
        self._answer(msg)

    def _answer(self, msg: BoatState) -> None:
        stamp = convert.nanoseconds(msg.header.stamp)
        place, velocity = msg.pose.position, convert.planar_velocity(msg.velocity)
        terms = HomeTerms(self._reserve_energy(), self._doubt(stamp), self.parameters.number('lead'))
        found = self._guard.answer((place.x, place.y), velocity[:2], msg.yaw, self._flow(stamp),
                                   self._known_charge(stamp), self._homes, terms)
        found = self._guard.lasting(self._epoch.seconds(msg.header.stamp), found)
        self._publish(found, HomeMargin(header=msg.header, **found._asdict() | {'status': int(found.status)}), stamp)

    def _publish(self, answer: HomeAnswer, msg: HomeMargin, stamp: int) -> None:
        self._last = answer
        self._margin.publish(msg)
        self._samples.add(stamp, answer.message, useless=not math.isfinite(answer.margin))
        if answer.return_home != self._published_return and not answer.status & NO_ANSWER:
            if answer.return_home:
                self.get_logger().warning(f'time to go back to {answer.home}: {answer.distance:.0f} m, '
                                          f'{answer.energy_home / JOULES_PER_WH:.2f} Wh')
            self._published_return = answer.return_home
            self._return.publish(Bool(data=answer.return_home))

    def _flow(self, stamp: int) -> Flow | None:
        """Return the last current and the mean wind, m/s; None if one of them is unknown or too old."""
        oldest = self._oldest(stamp)
        current, wind = (self._flows.get(topic) for topic in FLOWS)
        if current is None or wind is None or not all(
                one[0] >= oldest and all(map(math.isfinite, one[1:])) for one in (current, wind)):
            return None
        return Flow(current[1], current[2], *self._mean_wind.mean)

    def _oldest(self, stamp: int) -> int:
        """Return the stamp, ns, before which messages are too old."""
        return stamp - int(self.parameters.number('max_age') * convert.NANOSECONDS)

    def _known_charge(self, stamp: int) -> KnownCharge:
        """Return what is known of the battery at a stamp, ns."""
        energy, estimate, oldest = self._energy, self._estimate, self._oldest(stamp)
        if energy is None or convert.nanoseconds(energy.header.stamp) < oldest:
            return KnownCharge(math.nan)
        usable = estimate is not None and convert.nanoseconds(estimate.header.stamp) >= oldest
        return KnownCharge(float(energy.state_of_charge),
                           estimate.energy_left if usable and estimate is not None else math.nan)

    def _reserve_energy(self) -> float:
        battery = self._boat.battery
        if self._reserve is not None or battery is None:
            return self._reserve or 0.0
        return self.parameters.number('reserve') * battery.capacity_wh * JOULES_PER_WH

    def _health(self, now: int) -> Health:
        last = self._last
        return self._samples.health(now, {} if last is None else {
            'home': last.home, 'margin (J)': f'{last.margin:.1f}', 'energy left (J)': f'{last.energy_left:.1f}',
            'energy home (J)': f'{last.energy_home:.1f}',
            'to the point of no return (s)': f'{last.no_return_duration:.1f}', 'return home': last.return_home})

    def _on_set_home(self, request: SetHome.Request, response: SetHome.Response) -> SetHome.Response:
        try:
            self._homes, self._reserve = self._homes_of(request), self._reserve_of(request.reserve)
            response.success, response.message = True, self.log_summary()
            self.get_logger().info(response.message)
            if self._state is not None:     # So that no late reader gets the way to the old place.
                self._published_return = None
                self._guard.forget_alarm()
                self._answer(self._state)
        except InputError as error:
            self.refuse(str(error))
            response.success, response.message = False, str(error)
        return response

    def _homes_of(self, request: SetHome.Request) -> list[HomePlace]:
        if len(request.places) > MOST_HOMES:
            raise InputError(f'set_home: {len(request.places)} places; must be at most {MOST_HOMES}')
        if request.names and len(request.names) != max(len(request.places), 1):
            raise InputError(f'set_home: {len(request.names)} names for {len(request.places)} places; must be as many')
        if not request.places and self._state is None:
            raise InputError('set_home: no places, and no boat state yet that would say where the boat is')
        places = request.places or [self._state.pose.position]  # type: ignore[union-attr]  # checked above
        names = [safe_name(name) or (f'home_{number}' if request.places else 'home')
                 for number, name in enumerate(request.names or [''] * len(places), 1)]
        if len(set(names)) < len(names):
            raise InputError(f'set_home: a name is there twice among {", ".join(names)}')
        for name, point in zip(names, places):
            if not (abs(point.x) <= LOGGED and abs(point.y) <= LOGGED):
                raise InputError(f'set_home: {name} lies at {point.x:g}, {point.y:g}; must be numbers, m, at most '
                                 f'{LOGGED:g} in magnitude')
        return [HomePlace(name, point.x, point.y) for name, point in zip(names, places)]

    def _reserve_of(self, reserve: float) -> float | None:
        if math.isnan(reserve):
            return self._reserve
        if not 0.0 <= reserve <= RANGES['J']:
            raise InputError(f'set_home: reserve is {reserve:g} J; must be from 0 to {RANGES["J"]:g}, or NaN')
        return float(reserve)


if __name__ == '__main__':
    HomeWatch.main()
