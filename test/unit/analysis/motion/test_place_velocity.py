import numpy as np

from usv_energy.analysis.motion.place_velocity import place_velocity


def test_the_velocity_of_places_is_the_boats(independent):
    log, _ = independent('lawnmower', 5.0, 0.05)
    clean, _ = independent('lawnmower', 5.0)
    x_dot, y_dot = place_velocity(log)
    c, s = np.cos(clean.yaw), np.sin(clean.yaw)
    error = np.hypot(x_dot - (c * clean.u - s * clean.v), y_dot - (s * clean.u + c * clean.v))
    assert np.sqrt(np.mean(error ** 2)) < 0.04, 'plain differences of 2 cm at 5 Hz miss by 0.14 m/s'


def test_too_few_places_say_no_velocity(independent):
    log, _ = independent('lawnmower', 5.0, 0.05)
    assert np.isnan(place_velocity(log.part(slice(0, 11)))).all()
