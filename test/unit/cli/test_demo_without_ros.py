"""`usv-energy demo` without ROS; with it: test/node/test_demo.py."""

import sys

from command_line import assert_refused


def test_demo_without_ros_says_what_it_needs(cli, monkeypatch):
    monkeypatch.setitem(sys.modules, 'rclpy', None)
    for name in [name for name in sys.modules if name.startswith('usv_energy.ros.')]:
        monkeypatch.delitem(sys.modules, name)
    assert_refused(cli('demo', '--json', '-'), 'ROS 2 (rclpy)', './run demo')
