"""Bags as folders: dropped as an archive, or in the served folder; no name and no size leads beyond."""

import zipfile

import pytest
from analyze_files import RUN, write_bag

from usv_energy.files.errors import InputError
from usv_energy.files.work import no_progress
from usv_energy.studies.analyze.log_report import report_figures
from usv_energy.web import browser_session
from usv_energy.web.browser_session import BrowserSessions
from usv_energy.web.chosen_file import bag_choices, chosen_path, shown_stem
from usv_energy.web.folder import offer
from usv_energy.web.report_shelf import LogQuestion, new_report
from usv_energy.web.zipped_bag import unpacked_bag


@pytest.fixture
def session(tmp_path):
    (tmp_path / 'own').mkdir()
    offer(tmp_path / 'none')
    return BrowserSessions(tmp_path / 'own').begin()


def zipped(session, parts, name='trip.zip'):
    """Write an archive of names with their contents, as it was dropped."""
    path = session.place_for(name, 0, ('.zip',))
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return path


def test_a_bag_is_the_same_by_its_folder_and_by_its_archive(session, tmp_path):
    pytest.importorskip('rosbags')
    served = tmp_path / 'served'
    served.mkdir()
    offer(served)
    bag = write_bag(served / 'trip', RUN, every=10)
    path = unpacked_bag(session, zipped(session, {f'trip/{one.name}': one.read_bytes() for one in bag.iterdir()}))
    assert bag_choices(session) == ['dropped: trip', 'folder: trip']
    assert chosen_path(session, 'dropped: trip') == path and chosen_path(session, 'folder: trip') == bag
    assert shown_stem(session, path) == 'trip' and not path.with_name('trip.zip').exists()
    first, second = (report_figures(new_report(LogQuestion(one), no_progress)) for one in (path, bag))
    assert first['energy_j'] == second['energy_j'] > 0.0


def test_names_of_an_archive_lead_nowhere(session):
    path = unpacked_bag(session, zipped(session, {'../../evil.mcap': 'a', '/etc/x.db3': 'b', '.bashrc': 'c',
                                                  'a\\..\\b.mcap': 'd', 'metadata.yaml': 'e'}))
    assert sorted(one.name for one in path.iterdir()) == ['a\\..\\b.mcap', 'evil.mcap', 'metadata.yaml', 'x.db3']
    assert [one.name for one in session.folder.iterdir()] == ['trip']


@pytest.mark.parametrize(('parts', 'said'), [
    ({'metadata.yaml': 'x'}, 'holds no bag of ROS 2'), ({'boat.exe': 'x'}, 'holds no bag of ROS 2'),
    ({'a.mcap': '0' * 200_000}, 'were dropped; must be at most')])
def test_what_is_no_bag_or_unpacks_to_too_much_leaves_nothing(session, parts, said, monkeypatch):
    path = zipped(session, parts)
    monkeypatch.setattr(browser_session, 'MOST_UPLOADED', 100_000)
    with pytest.raises(InputError, match=said):
        unpacked_bag(session, path)
    assert list(session.folder.iterdir()) == []


def test_a_damaged_archive_and_one_that_lies_about_its_size_are_refused(session):
    path = zipped(session, {'a.mcap': '0' * 200_000})
    whole = path.read_bytes()
    for content in (b'PK\x03\x04', whole[:60] + b'\xff' * 8 + whole[68:],
                    whole.replace((200_000).to_bytes(4, 'little'), (9).to_bytes(4, 'little'))):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r'trip\.zip: cannot be unpacked'):
            unpacked_bag(session, path)
        assert list(session.folder.iterdir()) == []


def test_a_link_in_a_bag_is_not_followed(session, tmp_path):
    offer(tmp_path / 'served')
    (tmp_path / 'served' / 'bag').mkdir(parents=True)
    (tmp_path / 'secret.mcap').write_text('secret')
    (tmp_path / 'served' / 'bag' / 'metadata.yaml').write_text('a: 1\n')
    (tmp_path / 'served' / 'bag' / 'a.mcap').symlink_to(tmp_path / 'secret.mcap')
    with pytest.raises(InputError, match='there is no such file'):
        chosen_path(session, 'folder: bag')
