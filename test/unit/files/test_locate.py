import pytest

from usv_energy.files import locate
from usv_energy.files.errors import InputError


def test_names_leave_out_shared_parts():
    names = locate.names('scenarios')
    assert [name for name in names if '/' not in name] == ['1', '2', '3', '4', '5', '6', '7']
    assert 'river/upstream_bank' in names
    assert not any('_thesis' in name or '/_' in name for name in names)


def test_a_path_is_tried_beside_the_file_that_names_it_then_from_the_working_folder(tmp_path, monkeypatch):
    for folder in ('beside', 'here'):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / 'x.yaml').write_text('a: 1')
    beside, here = tmp_path / 'beside' / 'x.yaml', tmp_path / 'here' / 'x.yaml'
    monkeypatch.chdir(here.parent)
    assert locate.resolve('boats', 'x.yaml', beside.parent) == beside
    assert locate.resolve('boats', 'x.yaml') == here
    assert locate.resolve('boats', 'x.yaml', tmp_path) == here
    assert locate.resolve('boats', str(beside), here.parent) == beside


def test_shared_files_are_found_in_an_installed_package(tmp_path, monkeypatch):
    """They lie under share/usv_energy of the prefix in whose lib/ the package lies."""
    (tmp_path / 'venv' / 'share' / 'usv_energy' / 'config' / 'boats').mkdir(parents=True)
    for prefix, found in (('venv', True), ('other', False)):
        monkeypatch.setattr(locate, 'SOURCE_ROOT', tmp_path / prefix / 'lib' / 'python3.12' / 'site-packages')
        if found:
            assert locate.share_folder() == tmp_path / prefix / 'share' / 'usv_energy'
        else:
            with pytest.raises(InputError, match=rf'were not found.*{prefix}/share/usv_energy'):
                locate.share_folder()


def test_a_map_of_columns_is_called_one():
    with pytest.raises(InputError, match=r"no column map named 'blueboot'. Did you mean 'blueboat'"):
        locate.resolve('columns', 'blueboot')
