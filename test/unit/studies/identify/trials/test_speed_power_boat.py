import pytest
from test_speed_power import HOTEL, SPEEDS, TRUTH, outings

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.boats.power_curve import power_at
from usv_energy.studies.identify.trials.speed_power import speed_power, speed_power_boat


def test_the_boat_file_has_the_curve_and_says_where_it_comes_from(tmp_path):
    result = speed_power([outings(name='monday')[0]])
    write_boat(speed_power_boat(result, 'mine', {'date': '2026-11-22', 'command': 'as typed'}), tmp_path / 'mine.yaml')
    boat = read_boat(str(tmp_path / 'mine.yaml'))
    assert boat.power_curve.powers[0] == pytest.approx(HOTEL, rel=1e-5)
    assert power_at(boat.power_curve, SPEEDS[:-1]) == pytest.approx(TRUTH[:-1], rel=0.005)
    for part in ('monday', '2026-11-22', 'as typed', '10 steady stretches'):
        assert part in boat.power_curve.source
