import pytest

from usv_energy.files.errors import InputError
from usv_energy.sim.plants.plant import HullAttitude
from usv_energy.sim.record import Row
from usv_energy.sim.run_files import has_attitude, read_attitude, write_attitude


def row(time, attitude):
    return Row(time, 0.0, 0.0, None, None, None, 0.0, 0.0, 0.0, 0, attitude=attitude)


def test_heave_roll_and_pitch_read_back_exactly(tmp_path):
    rows = [row(0.1 * n, HullAttitude(0.0, 0.0, 0.1 / (n + 3), 0.01 * n, -0.02 * n, 0.0, *[0.0] * 5, 0.0))
            for n in range(4)]
    write_attitude(rows, tmp_path / 'attitude.csv')
    found = read_attitude(tmp_path / 'attitude.csv')
    assert has_attitude(rows) and not has_attitude([row(0.0, None)])
    assert found.time.tolist() == [one.time for one in rows]
    assert found.heave.tolist() == [one.attitude.z for one in rows]
    assert found.roll.tolist() == [one.attitude.roll for one in rows]
    assert found.pitch.tolist() == [one.attitude.pitch for one in rows]


@pytest.mark.parametrize('content, said', [
    ('time_s,heave_m,roll_rad\n', "has no column 'pitch_rad'"),
    ('time_s,heave_m,roll_rad,pitch_rad\n0,1,x,2\n', "line 2: column 'roll_rad' is 'x'; must be a number")])
def test_wrong_files_are_named(tmp_path, content, said):
    path = tmp_path / 'attitude.csv'
    path.write_text(content, encoding='utf-8')
    with pytest.raises(InputError, match=str(path)) as raised:
        read_attitude(path)
    assert said in str(raised.value)
