from pathlib import Path

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files import locate
from usv_energy.files.errors import InputError
from usv_energy.flow.flow_argument import flow_of
from usv_energy.flow.readers import open_flow


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


def test_a_file_of_another_kind_that_is_there_is_looked_into(tmp_path, monkeypatch):
    (tmp_path / 'a.csv').write_text('time,lat,lon\n0,1,2\n')
    monkeypatch.chdir(tmp_path)
    assert locate.resolve('boats', 'a.csv') == tmp_path / 'a.csv'
    with pytest.raises(InputError, match=r'a\.csv: is a table, which is no boat'):
        read_boat('a.csv')
    with pytest.raises(InputError, match=r"b\.csv: there is no such file"):
        read_boat('b.csv')


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


@pytest.fixture
def confined(tmp_path, monkeypatch):
    """Return a folder to which reading is confined, in which the test works, with a secret beside it."""
    monkeypatch.setattr(locate, '_CONFINED', [])
    (tmp_path / 'folder').mkdir()
    (tmp_path / 'secret.yaml').write_text('{hull: secret}')
    monkeypatch.chdir(tmp_path / 'folder')
    locate.confine(tmp_path / 'folder')
    return tmp_path / 'folder'


@pytest.mark.parametrize('given', ['../secret.yaml', '{secret}', '~/secret.yaml', 'x/../../secret.yaml', './../secret'])
def test_a_process_that_is_confined_reads_nothing_beside_its_folders(confined, given):
    name = given.format(secret=confined.parent / 'secret.yaml')
    for call in (locate.user_path, lambda text: locate.resolve('boats', text)):
        with pytest.raises(InputError, match='leads out of the folder that is served'):
            call(name)


def test_a_file_that_names_another_does_not_lead_out(confined):
    (confined / 'boat.yaml').write_text('base: ../secret')
    (confined / 'flow.yaml').write_text('medium: water\nfile: {path: ../tide.nc}')
    (confined / 'series.asc').write_text('ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n')
    for read in (lambda: read_boat('boat.yaml'), lambda: flow_of('flow.yaml', 'current', 'water'),
                 lambda: open_flow(confined / 'series.asc', {'kind': 'components', 'unit': 'm/s',
                                                             'partner': '../tide.asc'})):
        with pytest.raises(InputError, match='leads out of the folder that is served'):
            read()


def test_a_confined_process_reads_its_folders_and_what_is_shipped(confined):
    (confined / 'own.yaml').write_text('base: lutra_prop')
    assert read_boat('own.yaml').vessel.inertia == read_boat('lutra_prop').vessel.inertia
    assert locate.user_path(confined / 'own.yaml') == confined / 'own.yaml'
    locate.confine()
    assert locate.user_path('../secret.yaml') == Path('../secret.yaml')
