"""Gazebo beside the graph: its process, its control, the wind on its boats."""
