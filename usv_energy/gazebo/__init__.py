"""Gazebo: models and worlds made from a boat file and a scenario, and the bridge between it and ROS."""
