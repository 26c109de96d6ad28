"""What a graph reads of a world file."""

from pathlib import Path

import pytest

from usv_energy.files.errors import InputError
from usv_energy.gazebo.world import read_world


def test_a_world_file_is_read(tmp_path):
    path = tmp_path / 'w.sdf'
    path.write_text('<sdf version="1.9"><world name="pool"><physics name="p" type="dart"><max_step_size>0.002'
                    '</max_step_size></physics><model name="duck"/><include><uri>model://wamv</uri></include>'
                    '<include><uri>model://x</uri><name>tug</name></include></world></sdf>')
    assert read_world(path)[1:] == ('pool', 0.002, ('duck', 'wamv', 'tug'))


@pytest.mark.parametrize(('content', 'what'), [
    (None, 'cannot read'), ('<sdf', 'no XML'), ('<sdf/>', 'no <world>'), ('<sdf><world/></sdf>', 'no <world>'),
    ('<sdf><world name="w"><physics><max_step_size>fast</max_step_size></physics></world></sdf>', "'fast'"),
    ('<sdf><world name="w"><physics><max_step_size>0</max_step_size></physics></world></sdf>', 'greater than 0'),
])
def test_a_world_file_that_is_none(content, what, tmp_path):
    path = Path(tmp_path) / 'w.sdf'
    if content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=what) as error:
        read_world(path)
    assert str(path) in str(error.value)
