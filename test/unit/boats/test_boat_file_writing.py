
import pytest

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.files.checked import read_with_base
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names

MAP = [[-60.0, 300.0], [0.0, 1.0], [60.0, 350.0]]


def over(base):
    """What identify electrical writes: a map in the place of the base's efficiency."""
    return {'base': base, 'name': 'mapped', 'losses': {'efficiency': None, 'map': MAP, 'source': 'here'}}


def takes_losses(name):
    """Return whether MAP may stand for a boat's losses: not beside propellers of its own, nor for larger thrusts."""
    thrusters = read_boat(name).vessel.thrusters
    described = bool(thrusters) and all(one.propeller is not None for one in thrusters)
    return name not in ('wamv', 'otter', 'otter_parts', 'blueboat_watts_only') and not described


@pytest.mark.parametrize('name', [name for name in names('boats') if takes_losses(name)])
def test_what_is_written_is_what_is_read(tmp_path, name):
    """An efficiency is taken away whether the base has one or, like blueboat_start, has none."""
    path = tmp_path / 'mapped.yaml'
    boat = write_boat(over(name), path, 'Written by a test.')
    assert path.read_text().startswith('# Written by a test.\nbase: ')
    again = read_boat(str(path))
    assert again.vessel.losses.map_power.tolist() == boat.vessel.losses.map_power.tolist() == [300.0, 1.0, 350.0]
    assert again.vessel.inertia == read_boat(name).vessel.inertia and again.path == path


def test_a_whole_document_comes_back_number_for_number(tmp_path):
    document = read_with_base('boats', read_boat('wamv').path)
    write_boat(document, tmp_path / 'copy.yaml')
    assert read_with_base('boats', tmp_path / 'copy.yaml') == document


def test_a_base_is_found_beside_the_file(tmp_path, monkeypatch):
    write_boat(over('lutra_prop'), tmp_path / 'below.yaml')
    monkeypatch.chdir('/')
    assert write_boat({'base': 'below', 'name': 'second'}, tmp_path / 'above.yaml').vessel.losses.mapped == 1.0


@pytest.mark.parametrize('document, words', [
    ({'base': 'lutra_prop', 'static_load': -1.0}, r'mine\.yaml: static_load is -1\.0; must be at least 0'),
    ({'base': 'lutra_prop', 'inertia': {'m23': 99.0}}, r'mine\.yaml: inertia\.m23'),
    ({'base': 'wamv', 'losses': {'efficiency': None, 'map': MAP}}, 'must cover the thrusters'),
    ({'base': 'mine', 'name': 'x'}, "base is 'mine'"), ({'base': 'none'}, "no boat named 'none'"),
    ({'name': 'x'}, "lacks the key 'inertia'")])
@pytest.mark.parametrize('before', [None, '# what was there\n'])
def test_no_file_is_left_that_could_not_be_read(tmp_path, document, words, before):
    path = tmp_path / 'mine.yaml'
    if before is not None:
        path.write_text(before)
    with pytest.raises(InputError, match=words):
        write_boat(document, path)
    assert [one.name for one in tmp_path.iterdir()] == ([] if before is None else ['mine.yaml'])
    assert before is None or path.read_text() == before


def test_a_boat_that_would_be_its_own_base_is_refused(tmp_path):
    """identify electrical --boat b.yaml --out b.yaml: the base must stay as it is."""
    path = tmp_path / 'b.yaml'
    write_boat(over('lutra_prop'), path)
    text = path.read_text()
    with pytest.raises(InputError, match='name each other in a circle'):
        write_boat(over(str(path)), path)
    assert path.read_text() == text


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r'b\.yaml: there is no folder .*none$'):
        write_boat(over('lutra_prop'), tmp_path / 'none' / 'b.yaml')
    assert not list(tmp_path.iterdir())
