"""An estimate of a boat's motion from noisy or sparse odometry, or from GPS, compass and gyro."""
