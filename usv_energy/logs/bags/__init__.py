"""ROS 2 bags (MCAP and SQLite3) read without ROS, and written for simulated sensors."""
