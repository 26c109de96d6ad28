"""The boat as a plant, its control and guidance, scenarios and the run of one without ROS."""
