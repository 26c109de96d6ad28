"""A boat on cells on the lockstep graph: as without ROS, and from the cells' terminals to the hull within 0.1 %."""

from contextlib import ExitStack
from itertools import pairwise

import numpy as np
import pytest
import yaml
from harness import DEADLINE
from sensor_msgs.msg import BatteryState

from usv_energy.logs.read_log import read_log
from usv_energy.ros.framework.qos import STREAM
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.sim.record import BATTERY_EMPTY
from usv_energy.sim.run_files import cells_of_rows, read_battery, read_samples
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import ScenarioResult


def scenario_of(tmp_path, charge, length):
    """Return the path of a scenario: a BlueBoat with two T200 on a 4S pack at full throttle along a way so long, m."""
    thrusters = [{'name': name, 'x': -0.488, 'y': y, 'propeller': {'model': 't200', 'voltage': 16}}
                 for name, y in (('left', 0.295), ('right', -0.295))]
    battery = {'chemistry': 'nmc', 'series': 4, 'capacity_ah': 15.6, 'capacity_wh': None,
               'initial_state_of_charge': charge}
    (tmp_path / 'boat.yaml').write_text(yaml.safe_dump(
        {'base': 'blueboat', 'name': '4s', 'thrusters': thrusters, 'battery': battery}))
    path = tmp_path / 'far.yaml'
    path.write_text(yaml.safe_dump({
        'base': str(read_scenario('1').path.with_name('_thesis.yaml')), 'title': 'full throttle', 'boat': 'boat.yaml',
        'speed': {'mode': 'full_thrust'}, 'start': {'x': 0.0, 'y': 0.0, 'heading_deg': 0.0},
        'waypoints': [{'x': length, 'y': 0.0}], 'stop': {'radius': 2.0, 'timeout': 40.0},
        'simulation': {'step': 0.05, 'period': 0.1}}))
    return path


def stamp_of(msg):
    """Return the stamp of a message, s."""
    return msg.header.stamp.sec + 1e-9 * msg.header.stamp.nanosec


def is_dead(msg):
    return msg.power_supply_health == BatteryState.POWER_SUPPLY_HEALTH_DEAD


def kept_as_it_was(folder, plain):
    """See that battery.csv and the bag of a recording have the battery of the plain run."""
    wanted = cells_of_rows(plain.rows)
    times = np.array([one.time for one in wanted])
    for trace in (read_battery(folder / 'battery.csv'), read_log(folder / 'samples.csv').cells,
                  read_log(folder / 'bag').cells):
        kept = np.flatnonzero(trace.time <= times[-1] + 1e-6)
        np.testing.assert_allclose(trace.time[kept], times, atol=1e-6)
        for name in ('voltage', 'current', 'charge', 'temperature'):
            np.testing.assert_allclose(getattr(trace, name)[kept], [getattr(one, name) for one in wanted], rtol=2e-6,
                                       atol=1e-5)


def test_cells_on_the_graph_are_those_without_it(ros, tmp_path):
    scenario = scenario_of(tmp_path, 0.5, 80.0)
    plain = run_scenario(read_scenario(str(scenario)))
    specs = scenario_nodes(read_scenario(str(scenario)), ScenarioOptions(out=str(tmp_path / 'out'), plots=False))
    heard = []
    with Composition(specs, '/diffboat') as composition, ExitStack() as undo:
        composition.nodes['recorder'].listen(undo, BatteryState, 'simulated_battery', heard.append, STREAM)
        # The recorder may hear of the last power, and end, before this reader is told of the battery.
        assert composition.spin_until(lambda: is_done(composition) and heard and
                                      stamp_of(heard[-1]) > plain.rows[-1].time - 1e-6, DEADLINE)
    rows = read_samples(next((tmp_path / 'out').glob('*/samples.csv')))[:len(plain.rows)]
    assert len(rows) == len(plain.rows)  # One that comes after the end is left out.
    assert rows[-1].energy == pytest.approx(plain.energy.total, rel=1e-9)
    kept_as_it_was(next((tmp_path / 'out').glob('*/samples.csv')).parent, plain)
    last = plain.rows[-1].supply
    by_stamp = {stamp_of(msg): msg for msg in heard}
    by_stamp = {stamp: msg for stamp, msg in by_stamp.items() if stamp < plain.rows[-1].time + 1e-6}
    told = by_stamp[max(by_stamp)]
    assert told.voltage == pytest.approx(last.voltage, rel=1e-6)
    assert told.current == pytest.approx(-last.current, rel=1e-6)
    assert told.percentage == pytest.approx(last.cells.charge, rel=1e-5)
    assert told.temperature == pytest.approx(last.cells.temperature - 273.15, abs=1e-3)
    assert told.voltage < 0.95 * 16.0  # It is not the nominal one.
    # What the cells gave at their terminals, by the messages alone, is the energy of the power model.
    stamps = sorted(by_stamp)
    given = sum(-0.5 * (by_stamp[a].voltage * by_stamp[a].current + by_stamp[b].voltage * by_stamp[b].current) * (b - a)
                for a, b in pairwise(stamps[10:]))
    begin = next(row.energy for row in plain.rows if row.time >= stamps[10] - 1e-6)
    assert given == pytest.approx(rows[-1].energy - begin, rel=1e-3)


def test_an_empty_boat_stops_on_the_graph(ros, tmp_path):
    """It is out of charge where the plain run ends, says DEAD, and the scenario ends as that run does."""
    scenario = scenario_of(tmp_path, 0.011, 9000.0)
    plain = run_scenario(read_scenario(str(scenario)))
    assert plain.outcome == BATTERY_EMPTY
    heard = []
    with (Composition(scenario_nodes(read_scenario(str(scenario)), ScenarioOptions()), '/diffboat') as composition,
          ExitStack() as undo):
        node = composition.nodes['scenario_driver']
        node.listen(undo, BatteryState, 'simulated_battery', heard.append, STREAM)
        # The driver may hear that the battery is empty, and end, before this reader is told the same.
        assert composition.spin_until(lambda: is_done(composition) and any(is_dead(msg) for msg in heard), DEADLINE)
        ended = node.ended
    assert (ended.outcome, ended.message) == (ScenarioResult.BATTERY_EMPTY, 'the battery is empty')
    assert ended.duration == pytest.approx(plain.duration, abs=1e-9)
    assert ended.energy.total == pytest.approx(plain.energy.total, rel=1e-9)
    first = next(filter(is_dead, heard))
    assert stamp_of(first) == pytest.approx(plain.rows[-1].time + 0.1, abs=1e-6)
