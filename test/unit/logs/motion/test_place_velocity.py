import math
from dataclasses import replace

import numpy as np
from analyze_files import straight

from usv_energy.logs.log import EARTH_VELOCITY
from usv_energy.logs.motion.motion_estimate import place_velocity


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


def noisy(number, rng, **changed):
    log = straight(number, 1.0, 0.5, 0.2)
    return replace(log, x=log.x + 0.02 * rng.standard_normal(number), y=log.y + 0.02 * rng.standard_normal(number),
                   **changed)


def test_the_velocity_is_the_same_wherever_the_map_has_its_origin(rng):
    """Eastings and northings of a zone of UTM, 500 and 5000 km; floats of those tell a nanometre."""
    log = noisy(200, rng)
    far = replace(log, x=log.x + 5e5, y=log.y + 5e6)
    np.testing.assert_allclose(place_velocity(far), place_velocity(log), atol=1e-5)


def test_twelve_places_are_the_least_that_say_a_velocity_and_only_where_both_coordinates_are_known(rng):
    log = noisy(13, rng)
    x, y = log.x.copy(), log.y.copy()
    x[3] = np.nan
    found = np.array(place_velocity(replace(log, x=x)))
    assert np.isnan(found[:, 3]).all() and np.isfinite(np.delete(found, 3, axis=1)).all()
    np.testing.assert_allclose(np.delete(found, 3, axis=1), np.outer([math.cos(0.5), math.sin(0.5)], np.ones(12)),
                               atol=0.1)
    y[7] = np.nan
    assert np.isnan(place_velocity(replace(log, x=x, y=y))).all(), '11 places'


def test_a_velocity_of_a_gps_counts_as_what_it_is(rng):
    """Places of 2 cm, velocities of 1 mm/s: the estimate is as good as these."""
    log = noisy(200, rng)
    told = {name: value + 0.001 * rng.standard_normal(200)
            for name, value in zip(EARTH_VELOCITY, (math.cos(0.5), math.sin(0.5)))}
    off, more = (np.array(place_velocity(one)) - np.array([[math.cos(0.5)], [math.sin(0.5)]])
                 for one in (replace(log, extra=told), log))
    assert np.abs(off).max() < 3e-3 and np.mean(off ** 2) < 0.2 * np.mean(more ** 2), 'places alone say less'


def test_a_velocity_of_a_gps_counts_as_what_it_is_also_on_a_circle(rng):
    """Of 5 m at 1 m/s: velocities of 1 mm/s say more than places of 2 cm, whose differences fit them."""
    log = noisy(300, rng)
    angle = log.time / 5.0
    true = np.array([-np.sin(angle), np.cos(angle)])
    log = replace(log, x=5.0 * np.cos(angle) + 0.02 * rng.standard_normal(300),
                  y=5.0 * np.sin(angle) + 0.02 * rng.standard_normal(300))
    told = {name: value + 0.001 * rng.standard_normal(300) for name, value in zip(EARTH_VELOCITY, true)}
    off, more = (np.array(place_velocity(one)) - true for one in (replace(log, extra=told), log))
    assert np.abs(off).max() < 5e-3 and np.mean(off ** 2) < 0.05 * np.mean(more ** 2)
