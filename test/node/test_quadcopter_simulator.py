"""The quadcopter on a real graph, in the time of a boat whose scenario runs in lockstep."""

import math
from contextlib import ExitStack
from statistics import median

import pytest
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from sensor_msgs.msg import BatteryState
from std_msgs.msg import String
from std_srvs.srv import Trigger

from usv_energy.air.flight import STAGES
from usv_energy.nodes.quadcopter_simulator import QuadcopterSimulator
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.messages import convert
from usv_energy.sim.scenario import read_scenario


def flown(scenario, lifts, lands, **parameters):
    """Return what a flight over a scenario in lockstep came to: answers, stages, flight, places by stamp."""
    specs = scenario_nodes(read_scenario(scenario), ScenarioOptions())
    with Composition(specs, '/boat') as composition:
        craft = QuadcopterSimulator(
            namespace='/air', intra_process=composition._intra_process,
            parameter_overrides=[Parameter(name, value=value) for name, value in parameters.items()],
            cli_args=['--ros-args', '-r', 'boat_odom:=/boat/odom', '-r', 'boat_wind:=/boat/wind'])
        composition.executor.add_node(craft)
        answers, stages, places, batteries = [], [], {}, []
        driver = composition.nodes['scenario_driver']
        with ExitStack() as undo:
            def on_odom(msg):
                time = convert.nanoseconds(msg.header.stamp) / 1e9
                place = msg.pose.pose.position
                places[round(time, 6)] = (place.x, place.y, place.z)
                for when, order in ((lifts, craft._on_take_off), (lands, craft._on_land)):
                    if abs(time - when) < 1e-6:
                        answers.append(order(Trigger.Request(), Trigger.Response()))
            driver.listen(undo, Odometry, '/air/odom', on_odom, qos.STREAM)
            driver.listen(undo, BatteryState, '/air/battery_state', batteries.append, qos.STREAM)
            driver.listen(undo, String, '/air/stage', lambda msg: stages.append(msg.data), qos.LATCHED)
            assert craft.bring_up()
            assert composition.spin_until(lambda: is_done(composition), 120.0)
            flight = craft._flight
        composition.executor.remove_node(craft)
        craft.close()
    return answers, stages, flight, places, batteries


def test_it_takes_off_follows_and_lands_in_lockstep_and_twice_the_same(ros):
    first = flown('uav_usv/box', 3.0, 18.0)
    again = flown('uav_usv/box', 3.0, 18.0)
    answers, stages, flight, places, batteries = first
    assert [one.success for one in answers] == [True, True]
    assert [stage for stage in STAGES if stage in stages] == list(STAGES[:-1])
    assert flight.touchdown.error < 0.10 and flight.touchdown.speed < 1.0
    assert flight.energy['landed'] < 0.0  # It charges.
    flying = [msg for msg in batteries if msg.current < -3.0]
    assert all(9.0 < msg.voltage < 12.6 and msg.temperature > 24.9 for msg in flying) and len(flying) > 100
    # In the middle about the power of hovering; 1 Ah is what the label says, the cells hold a little more.
    assert median(-msg.current * msg.voltage for msg in flying) == pytest.approx(55.5, rel=0.1)
    for msg in flying:
        assert msg.charge == pytest.approx(msg.percentage * msg.capacity)
        assert msg.capacity == pytest.approx(1.0, rel=0.05)
    assert places == again[3]
    assert max(place[2] for place in places.values()) == pytest.approx(3.3, abs=0.2)


def test_orders_by_parameters_fly_without_a_call(ros):
    """As a team's launch gives them: take-off and landing by the boat's time; too long a flight is not begun."""
    _, stages, flight, _, _ = flown('uav_usv/box', -1.0, -1.0, take_off=3.0, land=12.0, sink=0.4)
    assert [stage for stage in STAGES if stage in stages] == list(STAGES[:-1])
    assert flight.orders.sink == 0.4 and 13.0 < flight.touchdown.time < 25.0
    _, stages, flight, _, _ = flown('uav_usv/box', -1.0, -1.0, take_off=3.0, land=2000.0)
    assert set(stages) == {'on deck'} and flight.orders.take_off == math.inf


def test_a_battery_too_low_is_refused_before_take_off(ros):
    answers, stages, flight, _, _ = flown('uav_usv/box', 3.0, 18.0, battery=0.25, hover=300.0)
    assert not answers[0].success and 'it would not come back' in answers[0].message and 'Wh' in answers[0].message
    assert not answers[1].success and stages[0] == 'on deck'
    assert flight.battery >= 0.25 * flight.craft.battery


def test_orders_without_a_boat_are_refused(ros):
    craft = QuadcopterSimulator(namespace='/air')
    try:
        assert craft.bring_up()
        assert 'no odometry' in craft._on_take_off(Trigger.Request(), Trigger.Response()).message
        assert 'does not fly' in craft._on_land(Trigger.Request(), Trigger.Response()).message
        assert (craft._refusals._count, craft._refusals._last) == (2, 'land: it does not fly')
    finally:
        craft.close()
