"""Record a boat's topics: a bag, and a table of all samples; at the end of a scenario its summary and picture."""

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
from usv_energy.ros.live.onboard_devices import SIMULATED_BATTERY
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.bagfile import (
    BagRecording,
    RowJoin,
    Topic,
    cells_from_msg,
    check_new_bag,
    home_from_msg,
    open_bag,
)
from usv_energy.ros.messages.messages import (
    BatteryEstimate,
    BoatState,
    EnergyStamped,
    HomeMargin,
    HullHealth,
    LegBegin,
    PowerStamped,
    ScenarioResult,
    ThrusterPower,
)
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
    CellsSample,
    HomeSample,
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
    'leg': String, 'leg_begin': Header, 'leg_begin_stamped': LegBegin,
    'battery_estimate': BatteryEstimate, 'hull_health': HullHealth,
    'home_margin': HomeMargin, 'return_home': Bool, SIMULATED_BATTERY: BatteryState, LATENESS: DiagnosticArray,
}
LATCHED_TOPICS = {'scenario_result': LATCHED, 'leg': LATCHED, 'leg_begin': LATCHED_STREAM,
                  'leg_begin_stamped': LATCHED_STREAM,
                  'battery_estimate': LATCHED_STREAM, 'hull_health': LATCHED_STREAM, 'home_margin': LATCHED_STREAM,
                  'return_home': LATCHED, LATENESS: LATCHED}
# Topics without a message for every odometry: the last odometry, which ends the scenario, gets no command.
IRREGULAR = ('thruster_command', 'scenario_result', 'leg', 'leg_begin', 'leg_begin_stamped', 'battery_estimate',
             'hull_health', 'home_margin', 'return_home', SIMULATED_BATTERY, LATENESS)
CONVENTION_KINDS = (PowerStamped, EnergyStamped)  # Extra topics of these kinds belong to another convention.
BATTERY_TOPICS = ('battery_state', 'remaining_range')
FLUSH_PERIOD = 0.5  # s of wall time: if the process is killed, at most 1 s of a run is lost.
START_WAIT = 5.0  # s of wall time that the first row waits for the first messages of all topics in the bag.
END_WAIT = 5.0  # s of wall time without a row, after which the recording of a finished scenario is concluded.
JOINED = ('boat_state', 'power', 'energy', 'thruster_power')
NEEDED_TOPICS = (*JOINED, SIMULATED_BATTERY, LATENESS)  # Also without a bag.
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
    """Record a boat's topics into a folder. Topics and parameters: docs/nodes.md."""

    declared = (
        OUT, BAG, PLOTS,
        Texts('extra_topics', [''], "More topics for the bag, each as 'topic package/msg/Type'.",
              read=_topic_and_type),
        replace(SCENARIO, default='', description='Scenario or mission that is run, for summary and picture; empty: '
                'none.'),
        *RUN_CHOICE,
        SCENARIO_CONVENTION,
        ODOM_RELIABILITY,
        Flag('thruster_power', True, 'A simulator publishes thruster_power: samples of a scenario wait for it.'),
    )

    def __init__(self, **options: Any) -> None:
        """Make the node, unconfigured."""
        super().__init__(**options)
        self.summary: dict[str, Any] | None = None
        # The process that runs the node may replace it, to write the files in another process.
        self.write_run = write_run

    def exit_status(self) -> int | None:
        """Return 0 if the scenario reached its goal, or else 3, when the files of the run are written."""
        return None if self.summary is None else exit_status(self.summary['outcome'])

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters; check that the folder can be written."""
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
        """Open the files and subscribe."""
        self._join = RowJoin(self._with_thrusters)
        self._energies: deque[EnergyStamped] = deque(maxlen=STREAM.depth)
        self._legs = LegEnergies()
        self._result: ScenarioResult | None = None
        self._rows = 0
        self._home: list[tuple[int, HomeSample]] = []
        self._cells: list[tuple[int, CellsSample]] = []
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
        undo.callback(self._write_home_and_cells, 0.0)
        undo.callback(self._write_rest)
        self._last_row = math.inf
        self.every(undo, FLUSH_PERIOD, self._on_time)
        for topic, kind in self._kinds.items():
            if self._bag is not None or topic in NEEDED_TOPICS or kind in (ScenarioResult, HomeMargin):
                self._record_topic(topic, kind, undo)

    def _record_topic(self, topic: str, kind: type, undo: ExitStack) -> None:
        callback = partial(self._on_message, topic, Topic(self.resolve_topic_name(topic), kind))
        if topic == ODOM:
            AdaptiveSubscription(self, undo, kind, topic, callback, raw=True)
        else:
            self.listen(undo, kind, topic, callback, LATCHED_TOPICS.get(topic, STREAM), raw=True)

    def _offered(self, full_name: str) -> list[QoSProfile]:
        """Return the QoS profiles of a topic's publishers; if they are gone already, that of this node."""
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
            self._home.append((convert.nanoseconds(msg.header.stamp), home_from_msg(msg, math.nan)))
        elif topic == SIMULATED_BATTERY:
            msg = delivery.message
            self._cells.append((convert.nanoseconds(msg.header.stamp), cells_from_msg(msg, math.nan)))
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
        # Also for a repeated message: a simulator that repeats an odometry has not received the answer.
        if convert.nanoseconds(msg.header.stamp) == self._join.last and self._all_topics_begun():
            self._recorded.publish(convert.header_of(msg.header.stamp, ''))

    def _all_topics_begun(self) -> bool:
        """Return whether the bag has all topics of a simulated boat; until then its start counts as not recorded."""
        bag = self._bag
        if bag is None or bag.settled or self._scenario is None or not self._with_thrusters:
            return True
        silent = bag.silent(self._names(*IRREGULAR[1:]))
        now = time.monotonic()
        if math.isnan(self._silent_since):
            self._silent_since = now
        bag.settled = not silent or now - self._silent_since > START_WAIT
        if bag.settled and silent:
            self.get_logger().warning(f'the bag begins without {", ".join(silent)}: nothing came in {START_WAIT:g} s')
        return bag.settled

    def _names(self, *without: str) -> list[str]:
        """Return the full names of the bag's topics that answer each odometry, without the given ones."""
        battery = () if self._scenario is None or self._scenario.boat.battery is not None else BATTERY_TOPICS
        return [self.resolve_topic_name(topic) for topic, kind in self._kinds.items()
                if topic not in (*without, *battery)
                and (topic in TOPICS or kind in CONVENTION_KINDS or topic.startswith('cmd_thrust/'))]

    def _conclude_if_complete(self) -> None:
        if self._result is None or self.summary is not None:
            return
        end = convert.nanoseconds(self._result.header.stamp)
        behind = [] if self._bag is None else self._bag.behind(self._names(*IRREGULAR), end)
        # A simulator publishes the controller's lateness in the whole run after it has received the result.
        is_waiting = self._lateness is not None and convert.nanoseconds(self._lateness.header.stamp) < end
        if self._join.last >= end and not behind and not is_waiting:
            self._conclude()

    def _on_time(self) -> None:
        """Flush the files; conclude a finished scenario if its last samples do not arrive."""
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

    def _write_home_and_cells(self, clock_offset: float) -> None:
        """Write the files of the way home and of the cells; `clock_offset`: see `_legs_until`."""
        if self._join.last < 0 or self.summary is not None:
            return
        seconds = self._join.epoch.seconds
        if self._home:
            write_home((row._replace(time=seconds(convert.stamp_of(stamp)) + clock_offset)
                        for stamp, row in self._home), self._folder / HOME)
        if self._cells:
            once = dict(self._cells)    # A simulator may repeat a message.
            write_battery((once[stamp]._replace(time=seconds(convert.stamp_of(stamp)) + clock_offset)
                           for stamp in sorted(once) if stamp <= self._join.last), self._folder / BATTERY)

    def _conclude(self) -> None:
        """Write summary and picture from the table, once, at the end of the scenario or of the node."""
        if self.summary is not None or self._scenario is None or not self._energies:
            return
        if not self._table.closed:
            self._table.flush()
        # At a free pace the simulator goes on until it receives the result; these samples are not part of the run.
        result = self._result
        end = (result if result is not None else self._energies[-1]).header.stamp
        last = [msg for msg in self._energies if convert.nanoseconds(msg.header.stamp) <= convert.nanoseconds(end)]
        rows = sorted((row for row in read_samples(self._folder / SAMPLES)
                       if row.time <= self._join.epoch.seconds(end)), key=lambda row: row.time)
        if not last or not rows:
            return
        outcome = ABORTED if result is None else OUTCOMES[result.outcome]
        driven = math.nan if result is None else float(result.duration)
        # If the recorder started late, its times start late, too.
        if began := 0.0 if result is None else driven - self._join.epoch.seconds(end):
            rows = [row._replace(time=row.time + began) for row in rows]
        run = Run(self._scenario, self._scenario.convention, outcome, rows, convert.energy_from_msg(last[-1]),
                  last_thruster_energy(rows), driven, self._legs_until(last[-1], began), tuple(last[-1].load_energies),
                  controller=None if self._lateness is None else lateness_of_msg(self._lateness))
        self._write_home_and_cells(began)
        self.summary = self.write_run(run, self._folder, self._with_plots, 'ros')
        self.get_logger().info(f'{len(rows)} samples in {self._folder}')
        if not run.missing.nothing:
            self.get_logger().warning(missing_in_words(run.missing, len(rows)))
        elif run.closure_fault:
            self.get_logger().error(run.closure_fault)
        if lateness := lateness_in_words(run.controller):
            self.get_logger().warning(lateness)

    def _legs_until(self, last: EnergyStamped, clock_offset: float) -> tuple[LegEnergy, ...]:
        """Return the legs of the run until an energy; `clock_offset`: time of the run when the recorder started, s."""
        seconds, end = self._join.epoch.seconds, convert.nanoseconds(last.header.stamp)
        legs = [leg for leg in self._legs.legs() if leg.begin < end or leg.end <= end]
        energies = [*(leg.before for leg in legs), last]
        times = [*(leg.begin for leg in legs), end]
        as_energy = [one if isinstance(one, Energy) else convert.energy_from_msg(one) for one in energies]
        at = [seconds(convert.stamp_of(int(time))) + clock_offset for time in times]
        return tuple(LegEnergy(leg.name, at[n], at[n + 1], as_energy[n], as_energy[n + 1])
                     for n, leg in enumerate(legs))


if __name__ == '__main__':
    Recorder.main()
