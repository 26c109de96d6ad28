"""Routes on the graph: closed forms of a boat with linear drag and a hotel load, other water than forecast, faults."""

import json
import math
import threading

import pytest
import yaml
from geometry_msgs.msg import PoseStamped
from harness import DEADLINE, hear, steps
from nav_msgs.msg import Path
from nav_msgs.srv import GetPlan
from std_msgs.msg import Float64

from usv_energy.nodes.route_server import RouteServer
from usv_energy.ros.graph.graph import FlowOptions
from usv_energy.ros.messages import convert

D11, HOTEL = 16.296, 6.0
BEST = math.sqrt(HOTEL / D11)       # m/s, through still water: (d11 v^2 + h) / v is least.


def best_along(current):
    """Return the speed through the water, m/s, of the least (d11 v^2 + h) / (v + c), and that, J/m."""
    speed = math.sqrt(current ** 2 + HOTEL / D11) - current
    return speed, (D11 * speed ** 2 + HOTEL) / (speed + current)


def place(x, y, frame='odom', stamp=0.0):
    pose = PoseStamped()
    pose.header.frame_id, pose.header.stamp = frame, convert.stamp_of(round(stamp * convert.NANOSECONDS))
    pose.pose.position.x, pose.pose.position.y = x, y
    return pose


@pytest.fixture
def served(graph, attach, tmp_path):
    """Return a function that makes a graph with a RouteServer; `plan` asks it."""
    boat = tmp_path / 'boat.yaml'
    boat.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'with_hotel', 'static_load': HOTEL,
                                    'windage': {'frontal_area': 0.0, 'lateral_area': 0.0}}))

    def make(current=None, **parameters):
        one = graph(boat=str(boat), current=current)
        one.server = attach(one.composition, RouteServer, boat=str(boat), **parameters)
        one.paths, one.energies = hear(one, Path, 'path'), hear(one, Float64, 'route_energy')
        client = one.probe.create_client(GetPlan, 'get_plan')

        def plan(start, goal):
            one.until(client.service_is_ready)
            future = client.call_async(GetPlan.Request(start=start, goal=goal))
            one.until(future.done)
            return future.result().plan
        one.plan = plan
        return one
    return make


def times_of(path):
    return [convert.nanoseconds(pose.header.stamp) / convert.NANOSECONDS for pose in path.poses]


def test_a_route_in_still_water_is_straight_at_the_speed_of_the_closed_form(served):
    one = served()
    path = one.plan(place(10.0, 0.0, stamp=5.0), place(10.0, 300.0))
    one.until(lambda: one.paths and one.energies)
    times = times_of(path)
    assert times[0] == pytest.approx(5.0)
    assert times == sorted(times)
    assert times[-1] - times[0] == pytest.approx(300.0 / BEST, rel=0.01)
    assert [pose.pose.position.x for pose in path.poses] == pytest.approx([10.0] * len(times), abs=1e-6)
    assert path.poses[-1].pose.position.y == pytest.approx(300.0)
    assert one.energies[-1].data == pytest.approx(300.0 * 2.0 * math.sqrt(HOTEL * D11), rel=2e-3)
    assert one.paths[-1] == path


def test_a_route_from_where_the_boat_is_in_a_forecast_current(served, tmp_path):
    flow = tmp_path / 'east.yaml'
    flow.write_text('{medium: water, analytic: {kind: uniform, speed: 0.3, direction_deg: 0.0}}')
    one = served(water_current=str(flow))
    one.tell(2.0, x=-50.0, y=20.0)
    path = one.plan(PoseStamped(), place(150.0, 20.0))
    one.until(lambda: bool(one.energies))
    speed, metre = best_along(0.3)
    assert (path.poses[0].pose.position.x, path.poses[0].pose.position.y) == (-50.0, 20.0)
    assert times_of(path)[-1] - 2.0 == pytest.approx(200.0 / (speed + 0.3), rel=0.01)
    assert one.energies[-1].data == pytest.approx(200.0 * metre, rel=2e-3)


def test_what_cannot_be_gone_is_an_empty_path_with_the_reason_and_the_route_before_stays(served, tmp_path):
    pytest.importorskip('shapely')
    land = tmp_path / 'island.geojson'
    ring = [[-20.0, 80.0], [20.0, 80.0], [20.0, 120.0], [-20.0, 120.0], [-20.0, 80.0]]
    land.write_text(json.dumps({'type': 'Polygon', 'coordinates': [ring]}))
    one = served(land=[str(land)], land_metres=True)
    assert one.plan(place(0.0, 0.0), place(0.0, 60.0)).poses
    assert one.plan(place(0.0, 0.0), place(0.0, 100.0)).poses == [], 'the goal lies on the island'
    assert one.plan(place(0.0, 0.0, frame='map_of_mars'), place(0.0, 60.0)).poses == []
    assert one.plan(PoseStamped(), place(0.0, 60.0)).poses == [], 'no boat state was heard'
    assert one.plan(place(0.0, 0.0), place(math.nan, 60.0)).poses == []
    assert one.plan(place(0.0, 0.0), place(0.0, 0.0)).poses == []
    one.until(lambda: bool(one.paths))
    assert len(one.paths) == 1
    assert one.paths[-1].poses[-1].pose.position.y == pytest.approx(60.0)


def test_other_water_than_forecast_gives_a_route_from_where_the_boat_is(served):
    """Still water was forecast; 0.3 m/s against the boat is measured: the rest of the way costs what that costs."""
    one = served(current=FlowOptions('global', 0.3, 180.0), window=2.0)
    one.plan(place(0.0, 0.0), place(200.0, 0.0))
    one.until(lambda: bool(one.paths))
    before = len(one.paths)
    for stamp in steps(0.0, 6.0, 0.5):
        one.tell(stamp, x=0.5 * stamp)
    one.until(lambda: len(one.paths) > before and len(one.energies) > before)
    path, energy = one.paths[-1], one.energies[-1].data
    begin = path.poses[0].pose.position.x
    assert begin == pytest.approx(0.5 * times_of(path)[0])
    assert energy == pytest.approx((200.0 - begin) * best_along(-0.3)[1], rel=5e-3)


def test_a_node_that_is_deactivated_while_it_plans_answers_and_ends(served):
    one = served()
    answers, server = [], one.server
    asked = threading.Thread(target=lambda: answers.append(server._wait_for_plan(place(0.0, 0.0), place(500.0, 0.0))))
    asked.start()
    one.until(lambda: server._planning.is_busy)
    server.trigger_deactivate()
    asked.join(DEADLINE)
    assert [(path.poses, why) for path, why in answers] == [
        ([], 'the node was deactivated while it looked for a route')]
    one.server.trigger_activate()
    assert one.plan(place(0.0, 0.0), place(0.0, 50.0)).poses


def test_nav2_is_given_the_same_path_by_its_own_action(served):
    action = pytest.importorskip('nav2_msgs.action', reason="Nav2's messages are not installed").ComputePathToPose
    from rclpy.action import ActionClient
    one = served()
    client = ActionClient(one.probe, action, 'compute_path_to_pose')

    def ask(goal):
        one.until(client.server_is_ready)
        sent = client.send_goal_async(action.Goal(goal=goal, start=place(0.0, 0.0), use_start=True))
        one.until(sent.done)
        answer = sent.result().get_result_async()
        one.until(answer.done)
        return answer.result()

    good = ask(place(0.0, 100.0))
    one.until(lambda: bool(one.paths))
    assert good.result.path == one.paths[-1]
    assert good.result.error_code == action.Result.NONE
    refused = ask(place(0.0, 100.0, frame='map_of_mars'))
    assert refused.result.error_code == action.Result.NO_VALID_PATH
    assert "the goal is in frame 'map_of_mars'" in refused.result.error_msg
    client.destroy()
