"""Tracks from tables."""

import pytest

from usv_energy.files.errors import InputError
from usv_energy.sim.acoustics.acoustic_run import read_track


def test_it_goes_straight_between_its_rows_and_rests_at_its_ends(tmp_path):
    path = tmp_path / 'track.csv'
    path.write_text('# an AUV\nt_s,x_m,y_m,z_m\n10,0,0,0\n20,30,-40,-5\n')
    track = read_track(path)
    assert track.at(15.0) == (15.0, -20.0, -2.5)
    assert track.at(0.0) == (0.0, 0.0, 0.0) and track.at(99.0) == (30.0, -40.0, -5.0)


@pytest.mark.parametrize(('text', 'words'), [
    ('', 'is empty'), ('t_s,x_m,y_m\n', "line 1: has no column 'z_m'"),
    ('t_s,x_m,y_m,z_m\n', 'has a header and no rows'),
    ('t_s,x_m,y_m,z_m\n0,1,2\n', 'line 2: 3 cells; the header has 4'),
    ('t_s,x_m,y_m,z_m\n0,1,2,nan\n', "line 2: column 'z_m' is 'nan'; must be a finite number"),
    ('t_s,x_m,y_m,z_m\n0,0,0,0\n\n0,1,1,1\n', "line 4: column 't_s' is '0'; must rise")])
def test_faults(tmp_path, text, words):
    path = tmp_path / 'track.csv'
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_track(path)
    assert str(path) in str(caught.value) and words in str(caught.value)
