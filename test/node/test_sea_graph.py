"""A known sea on the graph: what waves take and give is a cause of its own, and the way home against them is dearer."""

import math
import re

import numpy as np
import pytest
import yaml
from harness import hear, steady_power, steps
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.nodes.home_watch import HomeWatch
from usv_energy.nodes.power_calculator import PowerCalculator
from usv_energy.physics.motion import Relative
from usv_energy.physics.waves.added_resistance import wave_action_along
from usv_energy.powering.energy import steps_between
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.graph import checked_energy_nodes
from usv_energy.ros.graph.graph_options import EnergyOptions
from usv_energy.ros.messages import convert
from usv_energy.studies.analyze.log_power import mean_power
from usv_energy.studies.plan.boat_in_sea import boat_in_sea
from usv_energy_msgs.msg import HomeMargin, PowerStamped

D11, HOTEL = 16.296, 6.0
AGAINST, ABEAM, ALONG = 60.0, 20.0, -20.0   # N/m^2, of waves from ahead, from abeam (half way) and from astern.
SEA = '0.3,2.0,180'                         # Runs to the west: R = c (0.3 m)^2.
SURE = {'confidence': 0.5, 'reserve': 0.0, 'charge_std': 0.0, 'current_std': 0.0, 'wind_std': 0.0, 'period': 0.0}


@pytest.fixture
def boat(tmp_path):
    """Return the path of a boat with linear drag, two ideal thrusters, a hotel load and its own wave coefficients."""
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({
        'base': 'lutra_prop', 'name': 'in_waves', 'static_load': HOTEL,
        'windage': {'frontal_area': 0.0, 'lateral_area': 0.0},
        'thrusters': [{'name': name, 'x': x, 'y': 0.0, 'min_thrust': -40.0, 'max_thrust': 40.0}
                      for name, x in (('bow', 0.4), ('stern', -0.4))],
        'battery': {'capacity_wh': 148.0, 'nominal_voltage': 14.8, 'initial_state_of_charge': 1.0},
        'waves': {'source': 'a test', 'directions_deg': [0, 180], 'periods': [2.0],
                  'coefficients': [[AGAINST], [ALONG]]}}))
    return str(path)


def causes(power):
    return sum(getattr(power, name) for name in (
        'inertia', 'damping', 'wind', 'foils', 'waves', 'side_force', 'residual'))


@pytest.mark.parametrize(('yaw', 'coefficient'), [(0.0, AGAINST), (0.5 * math.pi, ABEAM), (math.pi, ALONG)])
def test_waves_are_a_cause_by_the_heading_and_all_sums_close(graph, boat, yaw, coefficient):
    """R u beside the drag's power, which stays as it is; over ten seconds as energy."""
    u, sea = 1.2, coefficient * 0.3 ** 2
    one = graph(boat=boat, change={'power_calculator': {'sea': SEA}})
    energy = one.tell_all(steps(0.0, 10.0, 0.5), u=u, yaw=yaw)
    power = one.heard['power'][-1]
    assert power.status == PowerStamped.OK
    assert power.waves == pytest.approx(sea * u, rel=1e-9)
    assert power.damping == pytest.approx(steady_power(u, read_boat(boat)), rel=1e-9)
    assert power.thrust == pytest.approx((D11 * u + sea) * u, rel=1e-9) == pytest.approx(causes(power), rel=1e-9)
    assert power.total == pytest.approx(power.thrust + power.losses + HOTEL, rel=1e-9)
    assert energy.waves == pytest.approx(sea * u * 10.0, rel=1e-6)
    assert energy.thrust == pytest.approx((D11 * u + sea) * u * 10.0, rel=1e-6)


def test_while_it_turns_the_force_is_the_mean_of_both_headings(graph, boat):
    """Linear in the angle off the bow; `analyze` sums up the same causes of the same force."""
    one = graph(boat=boat, change={'power_calculator': {'sea': SEA}})
    one.tell(0.0, u=1.0, yaw=0.0)
    one.tell(0.2, u=1.1, yaw=0.3)
    power = one.heard['power'][-1]
    force = (AGAINST + (ALONG - AGAINST) * 0.15 / math.pi) * 0.3 ** 2
    assert power.waves == pytest.approx(force * 1.05, rel=1e-9)
    known, yaw, zero = read_boat(boat), np.array([0.0, 0.3]), np.zeros(2)
    at = Relative(np.array([1.0, 1.1]), zero, zero, -np.array([1.0, 1.1]), zero)
    sea = boat_in_sea(known, (0.3, 2.0, math.pi)).vessel.sea
    logged = mean_power(at, steps_between(np.array([0.0, 0.2]), np.full(2, True), 1.0), known, 'rep103',
                        waves=wave_action_along(sea, yaw))
    for cause in ('inertia', 'damping', 'waves', 'thrust', 'total'):
        assert getattr(power, cause) == pytest.approx(getattr(logged, cause)[-1], rel=1e-9)


def test_measured_thrusts_meet_what_drag_and_waves_ask(graph, boat):
    """Thrusters that give drag and waves leave no residual; without the sea, R u was booked as one."""
    u, sea = 1.2, AGAINST * 0.3 ** 2
    force = D11 * u + sea
    for text, residual in ((SEA, 0.0), ('', sea * u)):
        one = graph(boat=boat, namespace=f'/boat{len(text)}',
                    change={'power_calculator': {'sea': text, 'actuators': 'measured', 'flow_wait': 60.0}})
        told = one.probe.create_publisher(JointState, 'actuator_states', qos.STREAM)
        one.until(lambda told=told: told.get_subscription_count() > 0)
        for stamp in steps(0.0, 1.0, 0.25):
            header = Header(stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS)), frame_id='base_link')
            told.publish(JointState(header=header, name=['bow', 'stern'], effort=[0.5 * force, 0.5 * force]))
            power = one.tell(stamp, until='power', u=u)
        assert power.actuators_measured and power.thrust == pytest.approx(force * u)
        assert power.residual == pytest.approx(residual, abs=1e-9)
        assert causes(power) == pytest.approx(power.thrust)
        one.close()


def test_without_a_heading_nothing_is_known_in_a_sea(graph, boat):
    """In still water and air a heading is not needed; waves have a direction."""
    one = graph(boat=boat, change={'power_calculator': {'sea': SEA}})
    for stamp in (0.0, 0.5):
        one.tell(stamp, until='power', u=1.0, yaw=math.nan)
    power = one.heard['power'][-1]
    assert math.isnan(power.total) and power.status & PowerStamped.INVALID_STATE


def test_the_way_home_against_the_waves_is_dearer_and_the_margin_smaller(graph, attach, boat):
    """A metre costs d11 v + R + h / v, least at v = sqrt(h / d11), whichever way R pushes."""
    margins = {}
    for name, sea in (('calm', ''), ('head', '0.3,2.0,0'), ('following', SEA)):     # Home lies in the west.
        one = graph(boat=boat, namespace=f'/{name}')
        attach(one.composition, HomeWatch, f'/{name}', boat=boat, homes=['pier:0,0'], sea=sea, **SURE)
        heard = hear(one, HomeMargin, 'home_margin')
        for stamp in steps(0.0, 5.0, 0.5):
            one.tell(stamp, u=0.5, x=200.0)
            one.until(lambda heard=heard, stamp=stamp: any(
                convert.nanoseconds(msg.header.stamp) == round(stamp * convert.NANOSECONDS) for msg in heard))
        margins[name] = heard[-1]
        assert not margins[name].status, margins[name].message
    metre = 2.0 * math.sqrt(HOTEL * D11)
    for name, force in (('calm', 0.0), ('head', AGAINST * 0.09), ('following', ALONG * 0.09)):
        assert margins[name].energy_home == pytest.approx(200.0 * (metre + force), rel=3e-3)
        assert margins[name].margin == pytest.approx(margins[name].energy_left - margins[name].energy_home, rel=1e-9)
    assert margins['head'].margin < margins['calm'].margin < margins['following'].margin


@pytest.mark.parametrize(('given', 'message'), [
    ({'sea': '0.3,2.5'}, 'parameter sea is .0.3,2.5.; must be .*HS,TP,TOWARDS'),
    ({'sea': 'river'}, "parameter sea is 'river', a flow without waves"),
    ({'sea': SEA, 'boat': 'lutra_prop'}, r'says nothing of its added resistance in waves.*wave_estimate'),
    ({'wave_estimate': 'stawave-1'}, 'parameter wave_estimate is .stawave-1., and there is no sea'),
    ({'sea': SEA, 'convention': 'as_published'}, 'must be empty with the convention as_published')])
def test_a_sea_that_cannot_be_is_refused_with_the_reason(ros, boat, capfd, given, message):
    node = PowerCalculator(parameter_overrides=[Parameter(name, value=value)
                                                for name, value in {'boat': boat, **given}.items()])
    try:
        assert not node.bring_up()
    finally:
        node.close()
    assert re.search(message, capfd.readouterr().err.replace('\n', ' '))


def test_launch_arguments_reach_power_and_the_way_home(boat):
    nodes = {one.executable: one.parameters for one in checked_energy_nodes(
        EnergyOptions(boat=boat, homes='0,0', sea='sea', wave_estimate=''))}
    assert nodes['power_calculator']['sea'] == nodes['home_watch']['sea'] == 'sea'
    assert 'sea' not in {one.executable: one.parameters for one in checked_energy_nodes(
        EnergyOptions(boat=boat, homes='0,0'))}['home_watch']
