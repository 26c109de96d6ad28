"""Which files a page opens: what was dropped, what the folder holds, what is shipped, and nothing else."""

import os

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.locate import names, share_folder
from usv_energy.web.browser_session import BrowserSessions
from usv_energy.web.chosen_file import (
    boat_choices,
    chosen_boat,
    chosen_columns,
    chosen_path,
    file_choices,
    in_own_words,
    in_page_words,
    is_boat_file,
    shown,
)
from usv_energy.web.folder import offer

MINE = 'base: lutra_prop\nname: mine\nwindage: {frontal_area: 0.5}\n'


@pytest.fixture
def session(tmp_path):
    (tmp_path / 'own').mkdir()
    (tmp_path / 'folder' / 'deep').mkdir(parents=True)
    (tmp_path / 'folder' / 'deep' / 'a.csv').write_text('1\n')
    (tmp_path / 'secret.csv').write_text('secret\n')
    (tmp_path / 'secret.yaml').write_text('name: secret\n')
    offer((tmp_path / 'folder').resolve())
    return BrowserSessions(tmp_path / 'own').begin()


def test_dropped_and_offered_files_are_listed_and_found(session):
    dropped = session.dropped('b.csv', b'2\n', ())
    assert file_choices(session, ('.csv',)) == ['dropped: b.csv', 'folder: deep/a.csv']
    assert chosen_path(session, 'dropped: b.csv') == dropped
    assert chosen_path(session, 'folder: deep/a.csv').read_text() == '1\n'
    assert in_own_words(session, {'boat': 'blueboat', 'file': str(chosen_path(session, 'folder: deep/a.csv'))}) == {
        'boat': 'blueboat', 'file': 'deep/a.csv'}
    assert shown(session, f'{dropped}: is wrong') == 'b.csv: is wrong'
    assert shown(session, f'{chosen_path(session, "folder: deep/a.csv")}: x') == 'deep/a.csv: x'


@pytest.mark.parametrize('name', [
    '', 'b.csv', 'dropped: ', 'dropped: ../x', 'dropped: /etc/passwd', 'folder: ../secret.csv', 'folder: /etc/passwd',
    'folder: ', '../secret.csv', '/etc/passwd', 'dropped: none.csv'])
def test_nothing_else_is_opened(session, name):
    with pytest.raises(InputError, match='there is no such file'):
        chosen_path(session, name)


def test_a_link_out_of_the_folder_is_not_followed(session, tmp_path):
    os.symlink(tmp_path / 'secret.csv', tmp_path / 'folder' / 'link.csv')
    with pytest.raises(InputError, match='there is no such file'):
        chosen_path(session, 'folder: link.csv')


def test_boats_are_shipped_or_dropped(session):
    session.dropped('mine.yaml', MINE.encode(), ())
    assert boat_choices(session)[0] == 'dropped: mine.yaml' and 'blueboat' in boat_choices(session)
    assert chosen_boat(session, 'blueboat').name == 'blueboat'
    assert chosen_boat(session, 'dropped: mine.yaml', 3.0).name == 'mine'


def test_maps_of_columns_name_no_paths(session):
    assert chosen_columns(session, 'samples') == 'samples'
    for text, sentence in (('base: /etc/passwd\ncolumns: {}', "base is '/etc/passwd'"), ('name: x', "no key 'columns'"),
                           ('columns: {x: {column: a, unit: m, file: ../b.csv}}', "file is '../b.csv'")):
        session.dropped('map.yaml', text.encode(), ())
        with pytest.raises(InputError, match=sentence):
            chosen_columns(session, 'dropped: map.yaml')


def test_options_are_the_fields_of_a_page_or_the_command_s():
    words = 'take --wind W; --boat NAME or FILE says another (--write-fitting writes it) var(--c-wind) a--wind'
    assert in_page_words(words, {'wind': 'Wind', 'boat': 'Boat'}) == (
        "take Wind; Boat says another (the command's --write-fitting writes it) var(--c-wind) a--wind")


def test_a_dropped_file_is_named_as_it_was_dropped(session):
    """So that the command below a plan opens the user's file, whatever it is called here."""
    own = '<img src=x>\u202e "a\'b$(c).csv'
    path = session.dropped(f'C:\\fakepath\\{own}', b'2\n', ('.csv',))
    assert path.name != own and path.parent == session.folder
    assert in_own_words(session, {'file': str(path)}) == {'file': own.replace('\u202e', '\\u202e')}


@pytest.mark.parametrize('name', names('boats'))
def test_each_shipped_boat_could_have_been_dropped(session, name):
    session.dropped('mine.yaml', (share_folder() / 'config' / 'boats' / f'{name}.yaml').read_bytes(), ())
    assert chosen_boat(session, 'dropped: mine.yaml').name == chosen_boat(session, name).name


@pytest.mark.parametrize('text', [
    'base: ../../secret.yaml', 'base: {folder}/secret.yaml', 'base: ~/x.yaml', 'base: secret.yml',
    'base: lutra_prop\nthrusters: [{{name: a, propeller: {{model: /etc/passwd}}}}]',
    'base: lutra_prop\nsensors: [{{preset: ../secret.yaml}}]',
    'base: lutra_prop\nbattery: {{chemistry: x/../../secret}}'])
def test_a_dropped_boat_reads_no_other_file(session, tmp_path, text):
    session.dropped('mine.yaml', text.format(folder=tmp_path).encode(), ())
    with pytest.raises(InputError, match='may name shipped files only') as error:
        chosen_boat(session, 'dropped: mine.yaml')
    assert 'secret\n' not in str(error.value)


def test_a_boat_is_a_yaml_file(session):
    session.dropped('b.csv', b'2\n', ())
    for name in ('dropped: b.csv', 'secret', '/etc/passwd', 'dropped: mine.yaml'):
        with pytest.raises(InputError):
            chosen_boat(session, name)


def test_a_boat_file_is_told_from_a_scenario_by_its_keys_or_its_shipped_base(tmp_path):
    path = tmp_path / 'a.yaml'
    for text, is_boat in ((MINE, True), ('base: lutra_prop\n', True), ('battery: {capacity_wh: 300}\n', True),
                          ('base: 3\n', False), ('base: 3\nsensors: []\nspeed: 1.0\n', False)):
        path.write_text(text)
        assert is_boat_file(path) is is_boat, text
