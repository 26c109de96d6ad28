"""The boat that runs now, without ROS: an autopilot's MAVLink in, figures and words for its operator out."""
