
import numpy as np
import pytest
from scipy.stats import t as student

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.files.errors import InputError
from usv_energy.studies.identify.trials.bollard import (
    PullColumns,
    PullReadings,
    _dead_band,
    bollard_boat,
    bollard_pull,
    never_falling,
    read_pulls,
)

TRIAL = read_boat('lutra_prop_trial')  # two thrusters at 15 degrees
LEVELS = np.array([1500.0, 1530.0, 1553.0, 1600.0, 1650.0, 1700.0])
PULLS = np.array([0.0, 0.0, 16.46, 17.93, 20.0, 22.54])


def readings(pulses, pulls, powers=None):
    powers = np.full(len(pulls), np.nan) if powers is None else np.asarray(powers, dtype=float)
    return PullReadings(np.asarray(pulses, dtype=float), np.asarray(pulls, dtype=float), powers)


def test_the_published_pulls_are_the_thrust_of_one_over_the_cosine_of_the_tilt():
    """[S] table 3, in any order; half of the pull over cos 15 degrees."""
    found = bollard_pull(readings([1700, 1500, 1600, 1553], [22.54, 0.0, 17.93, 16.46]), TRIAL)
    assert found.table == [[1500.0, 0.0], [1553.0, pytest.approx(8.520, abs=1e-3)],
                           [1600.0, pytest.approx(9.281, abs=1e-3)], [1700.0, pytest.approx(11.668, abs=1e-3)]]
    assert found.share == pytest.approx(2.0 * np.cos(np.radians(15.0))) and np.isnan(found.scatter)


def test_watts_may_be_volts_times_amperes(tmp_path):
    columns, rows = PullColumns(), ((1500, 0, 16.0, 0.25), (1700, 20, 15.5, 8.0))
    volts, watts = tmp_path / 'volts.csv', tmp_path / 'watts.csv'
    volts.write_text('pwm_us,pull_n,voltage_v,current_a\n' + '\n'.join(','.join(map(str, row)) for row in rows))
    watts.write_text('pwm_us,pull_n,power_w,voltage_v,current_a\n1500,0,4.0,9,9\n1700,20,124.0,9,9\n')
    for path in (volts, watts):
        np.testing.assert_allclose(read_pulls(path, columns, 1.0).power, [4.0, 124.0])
    volts.write_text('pwm_us,pull_n,voltage_v\n1500,0,16\n1700,20,15\n')
    assert np.isnan(read_pulls(volts, columns, 1.0).power).all()


def test_intervals_are_those_of_means_with_one_scatter():
    """Three readings each: t with 4 degrees of freedom, errors scatter / sqrt(3)."""
    found = bollard_pull(readings([1500] * 3 + [1600] * 3, [-0.3, 0.0, 0.3, 9.7, 10.0, 10.3]), TRIAL)
    assert found.scatter == pytest.approx(0.3)
    top = found.levels[1]
    assert top.error == pytest.approx(0.3 / 3 ** 0.5)
    assert (top.low, top.high) == pytest.approx((10.0 - student.ppf(0.975, 4) * top.error,
                                                 10.0 + student.ppf(0.975, 4) * top.error))


def test_intervals_hold_the_pull_as_often_as_they_say():
    """95 % of 300 draws at each pulse; 2.5 standard deviations of a count are 3 %."""
    rng = np.random.default_rng(3)
    held = np.zeros(len(LEVELS))
    for _ in range(300):
        pulses = np.repeat(LEVELS, 3) + rng.normal(0.0, 0.3, 18)
        found = bollard_pull(readings(pulses, np.repeat(PULLS, 3) + rng.normal(0.0, 0.4, 18)), TRIAL)
        held += [level.low <= true <= level.high for level, true in zip(found.levels, PULLS, strict=True)]
        assert [level.thrust == 0.0 for level in found.levels] == [True, True, False, False, False, False]
    assert np.all(np.abs(held / 300.0 - 0.95) < 0.032), held


def test_pulls_that_fall_are_pooled_and_named():
    found = bollard_pull(readings([1500, 1600, 1650, 1700], [0.0, 10.0, 9.0, 12.0]), TRIAL)
    assert found.pooled == (1600.0, 1650.0)
    assert [level.thrust * found.share for level in found.levels] == pytest.approx([0.0, 9.5, 9.5, 12.0])
    np.testing.assert_allclose(never_falling(np.array([3.0, 1.0, 2.0, 5.0]), np.array([1.0, 3.0, 2.0, 1.0])),
                               [1.5, 1.5, 2.0, 5.0])


def test_what_never_falls_is_the_largest_least_weighted_mean_around_each(rng):
    """Robertson, Wright and Dykstra (1988), theorem 1.4.4: max over begins up to it of min over ends from it."""
    for number in (1, 2, 7, 12):
        values, weights = rng.integers(0, 6, number).astype(float), rng.integers(1, 9, number)
        means = [[np.average(values[first:last + 1], weights=weights[first:last + 1]) if first <= last else np.nan
                  for last in range(number)] for first in range(number)]
        wanted = [max(min(means[first][place:]) for first in range(place + 1)) for place in range(number)]
        np.testing.assert_allclose(never_falling(values, weights), wanted)


def test_astern_the_dead_band_lies_between():
    found = bollard_pull(readings([1100, 1480, 1520, 1900], [-20.0, 0.1, -0.1, 30.0], [80.0, 5.0, 7.0, 120.0]), TRIAL)
    assert [level.thrust == 0.0 for level in found.levels] == [False, True, True, False]
    assert found.levels[0].thrust * found.share == pytest.approx(-20.0) and found.idle == 6.0


@pytest.mark.parametrize(('pulses', 'pulls', 'says'), [
    ([1600], [5.0], r'1 pulse\(s\) are too few'),
    ([1500, 1600], [0.0, -5.0], 'the longest pulse pulls -5 N'),
    ([1500, 1550, 1600], [0.0, 0.0, 0.0], 'the longest pulse pulls 0 N'),
    ([1500, 1550, 1600], [0.0, 4.0, -1.0], 'the longest pulse pulls -1 N'),
    ([1550, 1600], [4.0, 5.0], 'no pulse gives no pull: the readings begin at 1550 us with 4 N')])
def test_what_makes_no_curve_is_named(pulses, pulls, says):
    with pytest.raises(InputError, match=says):
        bollard_pull(readings(pulses, pulls), TRIAL)


def test_boats_whose_thrusters_do_not_all_point_ahead_are_refused(tmp_path):
    path = tmp_path / 'bow.yaml'
    path.write_text('base: lutra_prop\nthrusters:\n'
                    '  - {name: bow, x: 0, y: 0, angle_deg: 90, min_thrust: -1, max_thrust: 1}')
    with pytest.raises(InputError, match='the thruster bow does not point ahead'):
        bollard_pull(readings([1500, 1600], [0.0, 5.0]), read_boat(str(path)))
    with pytest.raises(InputError, match='has no thruster'):
        bollard_pull(readings([1500, 1600], [0.0, 5.0]), read_boat('lutra_sail'))


def test_the_dead_band_ends_where_a_pull_begins_on_either_side():
    """Small pulls beyond a large one are no dead band; one that reaches to an end of the pulses ends there."""
    small, large = 0.05, 9.0
    assert _dead_band(np.array([small, -large, 0.0, small, large, -small]), np.zeros(6)).tolist() == [
        False, False, True, True, False, False]
    assert _dead_band(np.array([0.0, small, large]), np.zeros(3)).tolist() == [True, True, False]
    assert _dead_band(np.array([-large, small, 0.0]), np.zeros(3)).tolist() == [False, True, True]
    assert _dead_band(np.array([-large, 0.2, large]), np.array([0.0, 0.2, 0.0])).tolist() == [False, True, False]
    assert not _dead_band(np.array([-large, 0.2, large]), np.zeros(3)).any()


@pytest.mark.parametrize(('pulses', 'pulls', 'means'), [
    ([1500, 1600, 1600, 1700, 1800, 1900], [0.0, 9.5, 9.9, 27.1, 48.8, 60.0], [0.0, 9.7, 27.1, 48.8, 60.0]),
    ([1500, 1600, 1600, 1700, 1700, 1800], [0.0, 9.5, 9.9, 27.1, 27.6, 48.8], [0.0, 9.7, 27.35, 48.8])])
def test_one_or_two_repeats_leave_pulls_that_are_far_from_zero(pulses, pulls, means):
    found = bollard_pull(readings(pulses, pulls), TRIAL)
    np.testing.assert_allclose([level.thrust * found.share for level in found.levels], means)


def pulled(pulses, pulls, powers, name, tmp_path):
    boat = read_boat(name)
    found = bollard_pull(PullReadings(*(np.array(values, dtype=float) for values in (pulses, pulls, powers))), boat)
    return write_boat(bollard_boat(found, boat, 'mine', {'date': 'today'}), tmp_path / 'mine.yaml')


def test_curve_limits_map_and_hotel_load_are_the_measured_ones(tmp_path):
    """Two thrusters at 15 degrees: half of a pull over the cosine, half of the watts above those of the dead band."""
    boat = pulled([1100, 1500, 1700, 1900], [-10.0, 0.0, 8.0, 20.0], [90.0, 6.0, 46.0, 206.0], 'lutra_prop', tmp_path)
    share = 2.0 * np.cos(np.radians(15.0))
    for curve, thruster in zip(boat.pulse_curves, boat.vessel.thrusters, strict=True):
        assert curve.thrust(1800.0) == pytest.approx(14.0 / share, abs=1e-4)
        assert (thruster.min_thrust, thruster.max_thrust) == pytest.approx((-10.0 / share, 20.0 / share), abs=1e-4)
    losses = boat.vessel.losses
    assert losses.mapped and losses.map_power.tolist() == [42.0, 0.0, 20.0, 100.0] and boat.vessel.static_load == 6.0
    np.testing.assert_allclose(losses.map_thrust * share, [-10.0, 0.0, 8.0, 20.0], atol=2e-4)


def test_watts_ahead_alone_make_no_map_of_a_boat_that_goes_astern(tmp_path):
    prop = pulled([1500, 1700], [0.0, 8.0], [6.0, 46.0], 'lutra_prop', tmp_path)
    assert not prop.vessel.losses.mapped and prop.vessel.thrusters[0].min_thrust == -11.5
    fan = pulled([1500, 1700], [0.0, 3.0], [6.0, 46.0], 'lutra_airboat', tmp_path)
    assert fan.vessel.losses.map_power.tolist() == [0.0, 40.0] and fan.vessel.thrusters[0].min_thrust == 0.0


def test_the_levels_are_kept_with_their_errors_to_a_tenth_of_a_millinewton():
    """Two readings of 8.12 and 8.14 N: 0.0141 N of scatter, less of the mean; of one reading alone nothing is known."""
    boat = read_boat('lutra_prop')
    twice = PullReadings(np.array([1500.0, 1500.0, 1700.04, 1700.04]), np.array([0.0, 0.0, 8.12345, 8.14345]),
                         np.full(4, np.nan))
    levels = bollard_boat(bollard_pull(twice, boat), boat, 'mine', {})['identification']['bollard']['levels']
    error = 0.01 / 2.0 ** 0.5
    assert levels == [{'pwm_us': 1500.0, 'readings': 2, 'pull_n': 0.0, 'std': round(error, 4)},
                      {'pwm_us': 1700.0, 'readings': 2, 'pull_n': 8.1334, 'std': round(error, 4)}]
    once = PullReadings(twice.pulse[1:3], np.array([0.0, 8.12342]), twice.power[1:3])
    levels = bollard_boat(bollard_pull(once, boat), boat, 'mine', {})['identification']['bollard']['levels']
    assert levels[1] == {'pwm_us': 1700.0, 'readings': 1, 'pull_n': 8.1234}
