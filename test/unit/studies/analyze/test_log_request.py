import json

import pytest

from usv_energy.files.errors import InputError
from usv_energy.studies.analyze.log_request import boat_of, convention_of, drift_depth_of, drift_of_run, is_told


def test_a_runs_folder_says_boat_and_convention_until_a_person_does(tmp_path):
    (tmp_path / 'summary.json').write_text(json.dumps({'boat': 'lutra_prop_usvsim', 'convention': 'as_published'}))
    for path in (tmp_path, tmp_path / 'samples.csv', tmp_path / 'bag'):
        assert boat_of(str(path), None).name == 'lutra_prop_usvsim'
        assert convention_of(str(path), None) == 'as_published'
    assert boat_of(str(tmp_path), 'lutra_prop').name == 'lutra_prop'
    assert is_told(str(tmp_path), None) and is_told(str(tmp_path), 'lutra_prop')
    assert convention_of(str(tmp_path), 'rep103') == 'rep103'


@pytest.mark.parametrize('summary', ['', '[1]', '{"boat": null, "convention": "ned"}'])
def test_a_summary_that_says_nothing_leaves_the_usual(tmp_path, summary):
    (tmp_path / 'summary.json').write_text(summary)
    assert is_told(str(tmp_path), 'otter') and not is_told(str(tmp_path), None)
    assert (boat_of(str(tmp_path), None).name, convention_of(str(tmp_path), None)) == ('lutra_prop', 'rep103')


def test_a_boat_that_is_no_shipped_one_must_be_given(tmp_path):
    (tmp_path / 'summary.json').write_text('{"boat": "mine"}')
    with pytest.raises(InputError, match='was run with the boat mine, which is no shipped one; say --boat'):
        boat_of(str(tmp_path), None)


def test_a_runs_folder_says_the_drift_that_its_current_holds_until_a_person_does(tmp_path):
    (tmp_path / 'summary.json').write_text('{"drift_depth_m": 0.0, "drift_east_m_per_s": -0.047, '
                                           '"drift_north_m_per_s": 0.0}')
    path = str(tmp_path / 'samples.csv')
    assert drift_depth_of(path, None) == 0.0 and drift_of_run(path, None) == (-0.047, 0.0)
    assert drift_depth_of(path, 2.0) == 2.0 and drift_of_run(path, 2.0) is None
    (tmp_path / 'summary.json').write_text('{"drift_depth_m": 0.0}')  # Of a sea that varies, or of before it was told
    assert drift_of_run(path, None) is None
