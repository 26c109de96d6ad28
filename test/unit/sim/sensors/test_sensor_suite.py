"""Every shipped sensor gives its noise, delay and rate back, measured from its output; drop-outs, limits, seeds."""

import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.sensor import QUANTITIES, Sensor, SensorErrors, read_sensor
from usv_energy.files.locate import names
from usv_energy.sim.sensors.sensor_suite import SensorSuite, TrueState, true_readings

PRESETS = names('sensors')
READINGS = 4000
# By which quantity a delay is measured, of those of a kind: one that changes fast beside its noise.
TELLS_DELAY = {'gnss': 'position', 'imu': 'gyro', 'magnetometer': 'field', 'dvl': 'velocity', 'range': 'distance',
               'pressure': 'pressure', 'anemometer': 'speed', 'power': 'current'}


def swinging(time):
    """Return a made-up motion in which everything that a sensor may measure changes, fast."""
    swing = math.sin(1.3 * time)
    return TrueState(time, 3000.0 * swing, 3000.0 * math.cos(1.3 * time), -1.5 + swing, yaw=0.8 * swing,
                     u=1.2 * swing, v=0.5 * swing, p=swing, q=0.5 * swing, r=2.0 * swing, a_x=2.0 * swing,
                     wind_x=12.0 + 8.0 * swing, volts=12.0 + 2.0 * swing, amperes=15.0 + 10.0 * swing)


def run_of(sensor, seed, duration, motion, step):
    suite = SensorSuite([sensor], seed)
    found, came = [], []
    for k in range(round(duration / step) + 1):
        for reading in suite.observe(motion(step * k)):
            found.append(reading)
            came.append(step * k)
    return found, np.array(came)


def at_rest(time):
    return TrueState(time, 5.0, 6.0, -0.2, volts=12.0, amperes=10.0, wind_x=5.0)


@pytest.mark.parametrize('name', PRESETS)
def test_rate_and_delay_are_measured_back(name):
    sensor = read_sensor(name)
    step = min(0.05, 0.5 / sensor.rate)
    found, came = run_of(sensor, 11, 100.0 if sensor.rate > 20.0 else 2000.0, swinging, step)
    stamps = np.array([reading.stamp for reading in found])
    assert (len(found) - 1) / (stamps[-1] - stamps[0]) == pytest.approx(sensor.rate, rel=0.05)
    assert ((came >= stamps - 1e-6) & (came < stamps + step + 1e-6)).all()  # a message comes when its stamp is due
    # Least squares for a delay d: reading(t) = truth(t - d), to first order truth(t) - d truth_dot(t), then again.
    quantity, delay = TELLS_DELAY[sensor.kind], 0.0
    read = np.array([reading.values[quantity] for reading in found])
    for _ in range(3):
        early, late = (np.array([true_readings(swinging(stamp - delay + d), sensor)[quantity] for stamp in stamps])
                       for d in (-0.001, 0.001))
        slope, rest = (late - early) / 0.002, read - 0.5 * (late + early)
        slope, rest = slope - slope.mean(axis=0), rest - rest.mean(axis=0)
        delay -= (slope * rest).sum() / (slope * slope).sum()
    assert delay == pytest.approx(sensor.delay, rel=0.05, abs=2e-4)


@pytest.mark.parametrize('name', PRESETS)
def test_noise_is_measured_back_from_readings_at_rest(name):
    """The difference of readings a step apart has twice the white variance, and what slow noise changes in a step."""
    sensor = read_sensor(name)
    suite = SensorSuite([sensor], 5)
    found = [reading for k in range(READINGS) for reading in suite.observe(at_rest(k / sensor.rate))]
    for quantity, errors in sensor.errors.items():
        if not errors.noise:
            continue
        read = np.array([reading.values[quantity] for reading in found])
        changed = 1.0 - math.exp(-1.0 / (sensor.rate * errors.slow_time)) if errors.slow_time else 0.0
        rounded = errors.resolution ** 2 / 12.0 if errors.noise > 0.3 * errors.resolution else 0.0
        expected = 2.0 * (errors.noise ** 2 + errors.slow_noise ** 2 * changed + rounded)
        components = QUANTITIES[sensor.kind][quantity].components
        assert read.shape == (len(found), components)
        assert np.sqrt((np.diff(read, axis=0) ** 2).mean()) == pytest.approx(math.sqrt(expected), rel=0.05), quantity


def test_slow_noise_of_every_sensor_is_measured_back():
    """At readings two correlation times apart the slow noise is as good as drawn anew."""
    for name in PRESETS:
        sensor = read_sensor(name)
        for quantity, errors in sensor.errors.items():
            if not errors.slow_noise:
                continue
            seldom = replace(sensor, rate=0.5 / errors.slow_time, delay=0.0, errors={quantity: errors._replace(
                noise=0.0, bias_std=0.0, bias=0.0, resolution=0.0)})
            suite = SensorSuite([seldom], 21)
            true = true_readings(at_rest(0.0), sensor)[quantity]
            read = np.array([reading.values[quantity] for k in range(READINGS)
                             for reading in suite.observe(at_rest(k / seldom.rate))])
            assert np.sqrt(((read - true) ** 2).mean()) == pytest.approx(errors.slow_noise, rel=0.05), (name, quantity)


def test_rtk_shows_about_a_tenth_of_a_metre_a_second_at_rest():
    """
    Paravisi et al., Sensors 19(5) 1068, section 4.3: "a small velocity of about 0.1 m/s" of a boat that was still.

    The speed from white positions is Rayleigh's: sqrt(2) 0.0131 m / 0.2 s sqrt(pi / 2) = 0.116 m/s on average.
    """
    found, _ = run_of(read_sensor('emlid_reach_rtk'), 3, 600.0, at_rest, 0.1)
    place = np.array([reading.values['position'] for reading in found])
    speeds = np.hypot(*np.diff(place, axis=0).T) / 0.2
    assert speeds.mean() == pytest.approx(math.sqrt(math.pi) * 0.0131 / 0.2, rel=0.05)
    assert round(speeds.mean(), 1) == 0.1


def test_a_receivers_own_velocity_at_rest_is_that_of_its_data_sheet():
    """0.05 m/s at 50 %: the median of the horizontal speed, over many receivers at rest."""
    sensor = read_sensor('ublox_m8')
    speeds = []
    for seed in range(800):
        reading = SensorSuite([replace(sensor, delay=0.0)], seed).observe(at_rest(0.0))[0]
        speeds.append(math.hypot(*reading.values['velocity'][:2]))
    assert np.median(speeds) == pytest.approx(0.05, rel=0.05)


def test_a_sensor_more_changes_no_other():
    gps, imu = read_sensor('ublox_m8'), read_sensor('bno055')
    alone, both = SensorSuite([gps], 1), SensorSuite([imu, gps], 1)
    for k in range(60):
        state = swinging(0.1 * k)
        assert alone.observe(state) == [one for one in both.observe(state) if one.sensor is gps]


def test_the_same_seed_gives_the_same_readings_and_another_others():
    sensor = read_sensor('bno055')
    first, _ = run_of(sensor, 4, 2.0, swinging, 0.02)
    assert first == run_of(sensor, 4, 2.0, swinging, 0.02)[0]
    other, _ = run_of(sensor, 5, 2.0, swinging, 0.02)
    assert [one.stamp for one in first] == [one.stamp for one in other]
    assert first[3].values != other[3].values


def test_readings_do_not_depend_on_how_often_the_boat_is_looked_at():
    """Linear between looks: a motion of constant speed is read the same at any step."""
    sensor = replace(read_sensor('ublox_f9p'), name='gps')

    def steady(time):
        return TrueState(time, 1.5 * time, 0.0, u=1.5)

    fine, coarse = (run_of(sensor, 2, 10.0, steady, step)[0] for step in (0.01, 0.4))
    assert [one.stamp for one in fine[:40]] == [one.stamp for one in coarse[:40]]
    for one, other in zip(fine[:40], coarse[:40]):
        assert one.values['position'] == pytest.approx(other.values['position'], abs=0.0012)


def test_drop_outs_take_their_share():
    sensor = Sensor('one', 'gnss', 10.0, errors={'position': SensorErrors()}, drop_interval=8.0, drop_duration=2.0)
    found, _ = run_of(sensor, 6, 20_000.0, at_rest, 0.5)
    stamps = np.array([reading.stamp for reading in found])
    assert len(found) / 200_000 == pytest.approx(8.0 / (8.0 + 2.0), rel=0.05)
    holes = np.diff(stamps)[np.diff(stamps) > 0.15]
    # Drop-outs shorter than a period need not be seen: of those that are, an exponential's mean stays what it was.
    assert np.mean(holes - 0.1) == pytest.approx(2.0, rel=0.1)
    single = replace(sensor, drop_interval=None, drop_duration=None, drop_share=0.2)
    assert len(run_of(single, 6, 2000.0, at_rest, 0.5)[0]) / 20_000 == pytest.approx(0.8, rel=0.05)


def test_limits_are_those_of_the_kind():
    limits = {'least': -1.0, 'most': 1.0}
    gyro = Sensor('one', 'imu', 1.0, errors={'gyro': SensorErrors(**limits)})
    assert SensorSuite([gyro]).observe(TrueState(0.0, 0.0, 0.0, r=3.0, p=-2.0))[0].values['gyro'] == (-1.0, 0.0, 1.0)
    dvl = Sensor('one', 'dvl', 1.0, errors={'velocity': SensorErrors(**limits)}, velocity_of='water')
    assert SensorSuite([dvl]).observe(TrueState(0.0, 0.0, 0.0, u=1.5)) == []
    sonar = Sensor('one', 'range', 1.0, errors={'distance': SensorErrors(least=0.5, most=10.0)},
                   numbers={'water_depth': 10.0})
    for z, distance in ((-9.9, -math.inf), (-4.0, 6.0), (0.5, math.inf)):
        assert SensorSuite([sonar]).observe(TrueState(0.0, 0.0, 0.0, z))[0].values['distance'] == (distance,)


def test_a_stamp_may_be_that_of_the_measurement():
    sensor = replace(read_sensor('ublox_m8'), stamped='measurement')
    found, came = run_of(sensor, 1, 5.0, at_rest, 0.05)
    assert [reading.stamp for reading in found] == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert came == pytest.approx(np.arange(5) + 0.1)
