"""The form of an electrical map is found by what was left out of its fit; one half of a real log predicts the other."""

import numpy as np
import pytest
from places import DATA
from power_twin import DELAY, HOTEL, LAG, NOISE, thruster_power, twin

from usv_energy.identify.electrical.electrical_fit import both_halves, chosen_form, identified_map, map_score
from usv_energy.identify.electrical.power_map import STEADY, data_of
from usv_energy.logs.read_log import read_log

REAL = DATA / 'blueboat' / 'electrical.csv'


@pytest.mark.parametrize('held', [1, 6])
def test_a_twin_gives_its_map_hotel_load_delay_and_lag_back(rng, held):
    data = data_of(twin(rng, held=held))
    assert len(data.fresh) == pytest.approx(3000 / held, abs=2)
    power_map = identified_map([data])
    assert (power_map.form.delay, power_map.form.lag) == (DELAY, LAG)
    assert power_map.form.hotel == STEADY and power_map.hotel_load == pytest.approx(HOTEL, abs=0.5)
    drive = np.array([-300.0, -100.0, 150.0, 300.0])
    np.testing.assert_allclose(power_map.steady_power(drive, 2), thruster_power(drive), rtol=0.02, atol=0.5)
    judged = map_score(power_map, [data_of(twin(rng))], False)
    assert judged.rmse == pytest.approx(NOISE, rel=0.1) and abs(judged.energy) < 0.005


def test_a_monitor_that_repeats_itself_is_not_taken_for_a_lag(rng):
    """With the repeated rows left in, the same log would seem slower than it is."""
    log = twin(rng, held=6)
    data = data_of(log)
    naive = data._replace(fresh=np.arange(10, len(log)))
    timing = [max(chosen_form([one], 300.0)[2:4]) for one in (data, naive)]
    assert timing[0] == LAG and timing[1] > LAG


def test_ahead_and_astern_are_told_apart_where_they_differ(rng):
    power_map = identified_map([data_of(twin(rng, astern=1.4))])
    assert power_map.form.form == 'two-sided'
    ahead, astern = power_map.steady_power(np.array([250.0, -250.0]), 2)
    assert astern / ahead == pytest.approx(1.4, abs=0.03)


def test_a_hotel_load_that_moves_is_followed(rng):
    power_map = identified_map([data_of(twin(rng, drift=12.0))])
    assert power_map.form.hotel != STEADY
    assert power_map.hotel_power[[0, -1]] == pytest.approx([HOTEL, HOTEL + 12.0], abs=1.5)
    assert power_map.hotel_load == pytest.approx(HOTEL + 6.0, abs=0.5)


@pytest.mark.skipif(not REAL.is_file(), reason=f'no real log: {REAL} (USV_ENERGY_DATA)')
def test_each_half_of_a_real_log_tells_the_power_of_the_other():
    for _, judged in both_halves(read_log(REAL, 'blueboat_electrical')):
        assert judged.r2 >= 0.88
        assert abs(judged.energy) <= 0.08
