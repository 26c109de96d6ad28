"""An estimate of a boat's motion from noisy or sparse odometry."""
