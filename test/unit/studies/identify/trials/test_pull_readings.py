import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.studies.identify.trials.bollard import PullColumns, read_pulls, together

COLUMNS = PullColumns()


def test_a_row_is_a_reading_where_there_is_no_time(tmp_path):
    path = tmp_path / 'pulls.csv'
    path.write_text('force,command\n0.1,1500\n,1550\n9.5,1600\n')
    found = read_pulls(path, PullColumns('command', 'force'), 1.0)
    assert found.pulse.tolist() == [1500.0, 1600.0] and found.pull.tolist() == [0.1, 9.5]
    assert np.isnan(found.power).all()
    assert together([found, found]).pull.tolist() == [0.1, 9.5, 0.1, 9.5]


def test_a_recording_s_readings_are_the_means_of_holds_after_they_settled(tmp_path):
    """The pull of a hold is a ramp of 1 s and then 10, 20 N; a hold of 0.5 s is too short."""
    time = np.arange(0.0, 10.5, 0.1)
    pulse = np.select([time < 5.0, time < 10.0], [1550.0, 1600.0], 1700.0)
    pull = np.where(time < 5.0, np.minimum(time, 1.0) * 10.0, 10.0 + np.clip(time - 5.0, 0.0, 1.0) * 10.0)
    (tmp_path / 'bollard.csv').write_text('\n'.join(['time_s,pwm_us,pull_n,power_w', *(
        f'{a},{b},{c},{2 * c}' for a, b, c in zip(time, pulse, pull))]))
    found = read_pulls(tmp_path, COLUMNS, 1.01)
    assert found.pulse.tolist() == [1550.0, 1600.0]
    np.testing.assert_allclose(found.pull, [10.0, 20.0])
    np.testing.assert_allclose(found.power, [20.0, 40.0])
    with pytest.raises(InputError, match=r'no command \(pwm_us\) is held for longer than 8 s'):
        read_pulls(tmp_path, COLUMNS, 8.0)


def test_a_missing_column_is_named(tmp_path):
    path = tmp_path / 'pulls.csv'
    path.write_text('pwm_us,pul_n\n1500,0\n')
    with pytest.raises(InputError, match="has no column 'pull_n'; did you mean 'pul_n'"):
        read_pulls(path, COLUMNS, 1.0)


def test_commands_two_microseconds_apart_are_one_and_three_readings_make_a_hold(tmp_path):
    """1550 and 1552 us are one hold of 2 s, of which the last 1.5 s count; 1554.1 us is another one."""
    rows = [(0.5 * n, pulse, pull) for n, (pulse, pull) in enumerate(
        [(1550.0, 0.0), (1550.0, 8.0), (1552.0, 9.0), (1552.0, 10.0), *[(1554.1, 20.0 + k) for k in range(4)],
         *[(1600.0, 30.0)] * 3])]
    (tmp_path / 'bollard.csv').write_text('\n'.join(['time_s,pwm_us,pull_n', *(f'{a},{b},{c}' for a, b, c in rows)]))
    found = read_pulls(tmp_path, COLUMNS, 0.5)
    assert found.pulse == pytest.approx([(1550.0 + 2.0 * 1552.0) / 3.0, 1554.1])
    assert found.pull == pytest.approx([9.0, 22.0])
