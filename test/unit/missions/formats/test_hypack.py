"""HYPACK's planned lines."""

import pytest
from mission_files import LNW

from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission_file import read_mission


@pytest.mark.parametrize('first', ['LNS 3', 'LNW 1.0'])
def test_lines_are_driven_each_from_its_nearer_end(tmp_path, first):
    (tmp_path / 'a.lnw').write_text(LNW.replace('LNS 3', first))
    mission = read_mission(tmp_path / 'a.lnw')
    assert [point.place for point in itinerary_of(mission).waypoints] == [(0, 0), (100, 0), (100, 20), (0, 20)]
    assert '500000.00 east and 4000000.00 north' in mission.remarks[0]


@pytest.mark.parametrize(('text', 'says'), [
    ('LNS 1\nPTS 1 2\n', 'line 2: PTS stands before the first LIN'), ('LNS 1\nLIN 1\nPTS 1 x\n',
                                                                      "line 3: 'PTS 1 x' must be"),
    ('LNS 1\nLIN 1\nPTS 1\n', 'line 3'), ('LNS 1\nLIN 1\nPTS 1 1e300\n', 'must be metres'), ('LNS 0\n',
                                                                                             'no planned line')])
def test_what_is_wrong_is_named(tmp_path, text, says):
    (tmp_path / 'a.lnw').write_text(text)
    with pytest.raises(InputError, match=says):
        read_mission(tmp_path / 'a.lnw')
