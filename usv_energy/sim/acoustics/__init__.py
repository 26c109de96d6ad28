"""Acoustic modems of several vehicles: their files, propagation of messages between them, runs without ROS."""
