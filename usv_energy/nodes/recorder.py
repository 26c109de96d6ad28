"""Keep what a boat said: a bag, and a table of every sample; at the end of a scenario its summary and picture."""

import importlib
import math
import time
from collections import deque
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, TextIO

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Vector3Stamped
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile
from sensor_msgs.msg import BatteryState, JointState
from std_msgs.msg import Bool, Float64, Header, String

from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_writable
from usv_energy.powering.energy import Energy
from usv_energy.ros.framework.intra_process import Delivery
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import (
    BAG,
    ODOM_RELIABILITY,
    OUT,
    PLOTS,
    RUN_CHOICE,
    SCENARIO,
    SCENARIO_CONVENTION,
    Flag,
    Texts,
)
from usv_energy.ros.framework.qos import LATCHED, LATCHED_STREAM, STREAM
from usv_energy.ros.framework.subscriptions import AdaptiveSubscription
from usv_energy.ros.live.controller_watch import LATENESS, lateness_of_msg
from usv_energy.ros.live.measured_devices import SIMULATED_BATTERY
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.bagfile import BagRecording, Topic, check_new_bag, open_bag
from usv_energy.ros.messages.messages import (
    BatteryEstimate,
    BoatState,
    EnergyStamped,
    HomeMargin,
    HullHealth,
    PowerStamped,
    ScenarioResult,
    ThrusterPower,
)
from usv_energy.ros.messages.rows import RowJoin, cells_said, home_said
from usv_energy.sim.hil.order_watch import lateness_in_words
from usv_energy.sim.leg_energy import LegEnergies, LegEnergy
from usv_energy.sim.record import (
    ABORTED,
    BATTERY_EMPTY,
    REACHED,
    TIMED_OUT,
    Run,
    exit_status,
    last_thruster_energy,
    missing_in_words,
)
from usv_energy.sim.run_files import (
    BATTERY,
    HEADER,
    HOME,
    CellsSaid,
    HomeSaid,
    read_samples,
    sample_line,
    write_battery,
    write_home,
)
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.runs.run_folder import SAMPLES, write_run

ODOM = 'odom'
TOPICS: dict[str, type] = {
    ODOM: Odometry, 'boat_state': BoatState, 'water_current': Vector3Stamped, 'wind': Vector3Stamped,
    'power': PowerStamped, 'instantaneous_power': Float64, 'energy': EnergyStamped, 'battery_state': BatteryState,
    'remaining_range': Float64,
    'thruster_command': JointState, 'thruster_power': ThrusterPower, 'scenario_result': ScenarioResult,
    'leg': String, 'leg_begin': Header, 'battery_estimate': BatteryEstimate, 'hull_health': HullHealth,
    'home_margin': HomeMargin, 'return_home': Bool, SIMULATED_BATTERY: BatteryState, LATENESS: DiagnosticArray,
}
LATCHED_TOPICS = {'scenario_result': LATCHED, 'leg': LATCHED, 'leg_begin': LATCHED_STREAM,
                  'battery_estimate': LATCHED_STREAM, 'hull_health': LATCHED_STREAM, 'home_margin': LATCHED_STREAM,
                  'return_home': LATCHED, LATENESS: LATCHED}
# The last odometry, which ends the scenario, gets no command; the others say something now and then.
UNANSWERED = ('thruster_command', 'scenario_result', 'leg', 'leg_begin', 'battery_estimate', 'hull_health',
              'home_margin', 'return_home', SIMULATED_BATTERY, LATENESS)
OURS = (PowerStamped, EnergyStamped)  # More topics of these kinds are those of another convention.
OF_BATTERY = ('battery_state', 'remaining_range')
FLUSH_PERIOD = 0.5  # s of wall time: at most 1 s of a run is lost with a process that is killed.
START_WAIT = 5.0  # s of wall time that the first row waits for the topics of the bag that are silent.
END_WAIT = 5.0  # s of wall time without a row, after which a scenario that is over is recorded as it is.
JOINED = ('boat_state', 'power', 'energy', 'thruster_power')
KEPT = (*JOINED, SIMULATED_BATTERY, LATENESS)  # Heard without a bag, too.
OUTCOMES = {ScenarioResult.REACHED: REACHED, ScenarioResult.TIMED_OUT: TIMED_OUT, ScenarioResult.ABORTED: ABORTED,
            ScenarioResult.BATTERY_EMPTY: BATTERY_EMPTY}


def _topic_and_type(entry: str) -> tuple[str, type]:
    """Return topic and message class of an entry like 'imu sensor_msgs/msg/Imu'."""
    try:
        topic, name = entry.split()
        package, _, kind = name.split('/')
        return topic, getattr(importlib.import_module(f'{package}.msg'), kind)
    except (ValueError, ImportError, AttributeError):
        raise InputError(f"parameter extra_topics holds {entry!r}; must be like 'imu sensor_msgs/msg/Imu', "
                         'of an installed package') from None


class Recorder(ManagedNode):
    """Record a boat's topics into a folder. Topics and parameters: docs/ros.md, "Nodes"."""

    declared = (
        OUT, BAG, PLOTS,
        Texts('extra_topics', [''], "More topics for the bag, each as 'topic package/msg/Type'.",
              names=_topic_and_type),
        replace(SCENARIO, default='', description='Scenario or mission that is run, for summary and picture; empty: '
                'none.'),
        *RUN_CHOICE,
        SCENARIO_CONVENTION,
        ODOM_RELIABILITY,
        Flag('thruster_power', True, 'A simulator gives thruster_power: in a scenario, wait for it.'),
    )

    def __init__(self, **options: Any) -> None:
        """Make the node, unconfigured."""
        super().__init__(**options)
        self.summary: dict[str, Any] | None = None
        # Who runs the node may have the files written beside it.
        self.write_run = write_run

    def exit_status(self) -> int | None:
        """Return 0 or 3, as the scenario reached its goal or did not, once the files of the run are written."""
        return None if self.summary is None else exit_status(self.summary['outcome'])

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters; see that the folder can be written."""
        self._folder = self.parameters.path('out')
        self._with_bag, self._with_plots = self.parameters.flag('bag'), self.parameters.flag('plots')
        self._scenario: Scenario | None = None
        if self.parameters.text('scenario'):
            self._scenario = self.parameters.scenario().with_options(
                convention=self.parameters.text('convention') or None)
        self._with_thrusters = self._scenario is not None and self.parameters.flag('thruster_power')
        self._kinds = dict(TOPICS)
        if self._scenario is not None:
            self._kinds |= {f'cmd_thrust/{name}': Float64 for name in self._scenario.plant.thruster_names}
        self._kinds |= dict(map(_topic_and_type, self.parameters.texts('extra_topics')))
        check_writable(self._folder)
        if self._with_bag:
            check_new_bag(self._folder / 'bag')
        self._recorded = self.advertise(undo, Header, 'recorded')

    def activate(self, undo: ExitStack) -> None:
        """Open the files and listen."""
        self._join = RowJoin(self._with_thrusters)
        self._energies: deque[EnergyStamped] = deque(maxlen=STREAM.depth)
        self._legs = LegEnergies()
        self._result: ScenarioResult | None = None
        self._rows = 0
        self._home: list[tuple[int, HomeSaid]] = []
        self._cells: list[tuple[int, CellsSaid]] = []
        self._lateness: DiagnosticArray | None = None
        for name in (HOME, BATTERY):
            (self._folder / name).unlink(missing_ok=True)
        self._silent_since = math.nan
        self._bag: BagRecording | None = None
        undo.callback(self._conclude)
        if self._with_bag:
            self._bag = BagRecording(undo.enter_context(open_bag(self._folder / 'bag')), self._offered,
                                     keep_repeats=self._scenario is None)
        self._table: TextIO = undo.enter_context((self._folder / SAMPLES).open('w', encoding='utf-8', newline=''))
        self._table.write(HEADER)
        undo.callback(self._write_said, 0.0)
        undo.callback(self._write_rest)
        self._last_row = math.inf
        self.every(undo, FLUSH_PERIOD, self._on_time)
        for topic, kind in self._kinds.items():
            if self._bag is not None or topic in KEPT or kind in (ScenarioResult, HomeMargin):
                self._listen(topic, kind, undo)

    def _listen(self, topic: str, kind: type, undo: ExitStack) -> None:
        callback = partial(self._on_message, topic, Topic(self.resolve_topic_name(topic), kind))
        if topic == ODOM:
            AdaptiveSubscription(self, undo, kind, topic, callback, raw=True)
        else:
            self.listen(undo, kind, topic, callback, LATCHED_TOPICS.get(topic, STREAM), raw=True)

    def _offered(self, full_name: str) -> list[QoSProfile]:
        """Return how a topic's publishers offer it; if they are gone already, how this node listens to it."""
        found = [info.qos_profile for info in self.get_publishers_info_by_topic(full_name)]
        latched = {self.resolve_topic_name(topic): profile for topic, profile in LATCHED_TOPICS.items()}
        return found or [latched.get(full_name, STREAM)]

    def _on_message(self, topic: str, in_bag: Topic, delivery: Delivery) -> None:
        kind = in_bag.kind
        if self._bag is not None:
            self._bag.add(in_bag, delivery.data)
        if topic in JOINED:
            self._on_part(delivery.message)
        elif kind is HomeMargin:
            msg = delivery.message
            self._home.append((convert.nanoseconds(msg.header.stamp), home_said(msg, math.nan)))
        elif topic == SIMULATED_BATTERY:
            msg = delivery.message
            self._cells.append((convert.nanoseconds(msg.header.stamp), cells_said(msg, math.nan)))
        elif topic == LATENESS:
            self._lateness = delivery.message
        elif kind is ScenarioResult:
            self._result = delivery.message
            self._last_row = time.monotonic()
        self._conclude_if_complete()

    def _on_part(self, msg: Any) -> None:
        if isinstance(msg, EnergyStamped):
            self._energies.append(msg)
            self._legs.add(msg.leg, convert.nanoseconds(msg.header.stamp), msg)
        for _, row in self._join.add(msg):
            self._table.write(sample_line(row))
            self._rows += 1
            self._last_row = time.monotonic()
        # Also where the row was there before: a simulator that asks again has not heard it.
        if convert.nanoseconds(msg.header.stamp) == self._join.last and self._all_speak():
            self._recorded.publish(convert.header_of(msg.header.stamp, ''))

    def _all_speak(self) -> bool:
        """Return whether each topic of a simulated boat is in the bag: until then its start is not recorded."""
        bag = self._bag
        if bag is None or bag.settled or self._scenario is None or not self._with_thrusters:
            return True
        silent = bag.unheard(self._names(*UNANSWERED[1:]))
        now = time.monotonic()
        if math.isnan(self._silent_since):
            self._silent_since = now
        bag.settled = not silent or now - self._silent_since > START_WAIT
        if bag.settled and silent:
            self.get_logger().warning(f'the bag begins without {", ".join(silent)}: nothing came in {START_WAIT:g} s')
        return bag.settled

    def _names(self, *without: str) -> list[str]:
        """Return the whole names of the topics of the bag that answer each odometry, but for some."""
        battery = () if self._scenario is None or self._scenario.boat.battery is not None else OF_BATTERY
        return [self.resolve_topic_name(topic) for topic, kind in self._kinds.items()
                if topic not in (*without, *battery)
                and (topic in TOPICS or kind in OURS or topic.startswith('cmd_thrust/'))]

    def _conclude_if_complete(self) -> None:
        if self._result is None or self.summary is not None:
            return
        end = convert.nanoseconds(self._result.header.stamp)
        behind = [] if self._bag is None else self._bag.behind(self._names(*UNANSWERED), end)
        # A simulator tells of its controller when it hears of the end.
        late = self._lateness is not None and convert.nanoseconds(self._lateness.header.stamp) < end
        if self._join.last >= end and not behind and not late:
            self._conclude()

    def _on_time(self) -> None:
        """Let the files grow; end a scenario whose last samples do not come."""
        self._table.flush()
        if self._bag is not None:
            self._bag.flush()
        if self._result is not None and time.monotonic() - self._last_row > END_WAIT:
            self._write_rest()
            self._conclude()

    def _write_rest(self) -> None:
        for _, row in self._join.rest():
            self._table.write(sample_line(row))
            self._rows += 1

    def _write_said(self, late: float) -> None:
        """Write what was said of the way home and of the cells in the samples' time; `late` as of `_legs_until`."""
        if self._join.last < 0 or self.summary is not None:
            return
        seconds = self._join.epoch.seconds
        if self._home:
            write_home((said._replace(time=seconds(convert.stamp_of(stamp)) + late) for stamp, said in self._home),
                       self._folder / HOME)
        if self._cells:
            once = dict(self._cells)    # A simulator that asks again says the same once more.
            write_battery((once[stamp]._replace(time=seconds(convert.stamp_of(stamp)) + late)
                           for stamp in sorted(once) if stamp <= self._join.last), self._folder / BATTERY)

    def _conclude(self) -> None:
        """Write summary and picture from the table; once, at the end of the scenario or of the node."""
        if self.summary is not None or self._scenario is None or not self._energies:
            return
        if not self._table.closed:
            self._table.flush()
        # A simulator that runs free goes on until it hears of the end; the run does not.
        result = self._result
        end = (result if result is not None else self._energies[-1]).header.stamp
        last = [msg for msg in self._energies if convert.nanoseconds(msg.header.stamp) <= convert.nanoseconds(end)]
        rows = sorted((row for row in read_samples(self._folder / SAMPLES)
                       if row.time <= self._join.epoch.seconds(end)), key=lambda row: row.time)
        if not last or not rows:
            return
        outcome = ABORTED if result is None else OUTCOMES[result.outcome]
        driven = math.nan if result is None else float(result.duration)
        # Where the recorder came late, its clock began late, too.
        if began := 0.0 if result is None else driven - self._join.epoch.seconds(end):
            rows = [row._replace(time=row.time + began) for row in rows]
        run = Run(self._scenario, self._scenario.convention, outcome, rows, convert.energy_from_msg(last[-1]),
                  last_thruster_energy(rows), driven, self._legs_until(last[-1], began), tuple(last[-1].load_energies),
                  controller=None if self._lateness is None else lateness_of_msg(self._lateness))
        self._write_said(began)
        self.summary = self.write_run(run, self._folder, self._with_plots, 'ros')
        self.get_logger().info(f'{len(rows)} samples in {self._folder}')
        if not run.missing.nothing:
            self.get_logger().warning(missing_in_words(run.missing, len(rows)))
        elif run.unclosed:
            self.get_logger().error(run.unclosed)
        if late := lateness_in_words(run.controller):
            self.get_logger().warning(late)

    def _legs_until(self, last: EnergyStamped, late: float) -> tuple[LegEnergy, ...]:
        """Return the legs of the run until an energy; `late`: how much later than its clock the recorder came, s."""
        seconds, end = self._join.epoch.seconds, convert.nanoseconds(last.header.stamp)
        legs = [leg for leg in self._legs.legs() if leg.begin < end or leg.end <= end]
        energies = [*(leg.before for leg in legs), last]
        times = [*(leg.begin for leg in legs), end]
        as_energy = [one if isinstance(one, Energy) else convert.energy_from_msg(one) for one in energies]
        at = [seconds(convert.stamp_of(int(time))) + late for time in times]
        return tuple(LegEnergy(leg.name, at[n], at[n + 1], as_energy[n], as_energy[n + 1])
                     for n, leg in enumerate(legs))


main = Recorder.main

if __name__ == '__main__':
    main()
