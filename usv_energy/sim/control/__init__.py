"""Control and guidance of any boat: heading, speed, station, velocity, path."""
