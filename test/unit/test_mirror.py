"""
The tests of a room of usv_energy lie in the folder of test/unit with its name, in files by subject.

Nodes are tested on a real graph, in test/node, test/launch and test/gazebo.
"""

from collections import Counter

import pytest
from places import ROOT

PACKAGE, UNIT = ROOT / 'usv_energy', ROOT / 'test' / 'unit'
FOLDERS = sorted({path.parent.relative_to(UNIT) for path in UNIT.rglob('test_*.py')} - {UNIT.relative_to(UNIT)})
ROOMS = sorted({path.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob('*/**/*.py')})
NODES = sorted(path.stem for path in (PACKAGE / 'nodes').glob('*.py') if path.stem not in ('__init__', 'flow_client'))
NO_ROOM = 'bench'  # It lies beside the package.


@pytest.mark.parametrize('folder', FOLDERS, ids=str)
def test_a_folder_of_tests_is_named_for_a_folder_of_the_package(folder):
    assert (PACKAGE / folder).is_dir() or folder.parts == (NO_ROOM,), f'there is no usv_energy/{folder}'


@pytest.mark.parametrize('room', [room for room in ROOMS if room != 'nodes'])
def test_a_room_has_tests(room):
    assert list((UNIT / room).rglob('test_*.py')), f'there are no tests in test/unit/{room}'


def test_no_two_test_files_share_a_name():
    """Pytest imports them by their names alone."""
    names = Counter(path.name for path in (ROOT / 'test').rglob('test_*.py'))
    assert [name for name, number in names.items() if number > 1] == []


@pytest.mark.parametrize('node', NODES)
def test_a_node_is_brought_up_in_a_test(node):
    texts = [path.read_text(encoding='utf-8') for folder in ('node', 'launch', 'gazebo')
             for path in (ROOT / 'test' / folder).glob('*.py')]
    name = node.title().replace('_', '')
    assert any(node in text or name in text for text in texts)
