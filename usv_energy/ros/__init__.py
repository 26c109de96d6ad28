"""ROS: the frame of nodes, messages to types and back, graphs, Gazebo's launch."""
