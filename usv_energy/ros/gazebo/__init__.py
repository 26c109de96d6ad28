"""Gazebo with the graph: its launch, the control of its world, the wind on its boats."""
