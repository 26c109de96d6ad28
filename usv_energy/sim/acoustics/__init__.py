"""Acoustic modems of several vehicles: their files, what they hear of each other, runs without ROS."""
