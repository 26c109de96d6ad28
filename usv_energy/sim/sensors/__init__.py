"""Sensors on a simulated boat: what they read of the true state, without ROS."""
