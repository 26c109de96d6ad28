"""What of an input file is shown in a report of a bug, and what is not."""

import re
from pathlib import Path

import pytest
import yaml

from usv_energy.files import bug_report

SECRETS = ('secret', '45.6073', '9.5524')


def test_of_yaml_the_numbers_are_shown_and_no_words_or_places(tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_text('# a secret\nbase: ../secret/hull.yaml\nname: x\n'
                    'description: secret\norigin: {latitude: 45.6073, longitude: 9.5524}\n'
                    'inertia: {m11: {value: 9.75, unit: N/(m/s)^1.5, source: secret}}\n'
                    f'rows: {[[k, 2 * k] for k in range(50)]}\n')
    shown = bug_report.stripped(path)
    assert not any(secret in shown for secret in SECRETS)
    document = yaml.safe_load(shown.partition('\n')[2])
    assert document['inertia'] == {'m11': {'value': 9.75, 'unit': 'N/(m/s)^1.5', 'source': 'left out'}}
    assert document['base'] == 'hull.yaml'
    assert document['rows'] == [*([k, 2 * k] for k in range(20)), '30 more']


@pytest.mark.parametrize(('name', 'content', 'said'), [
    ('log.csv', 't_s;lat\n0;45.6073\n1;45.6073\n', 'header: t_s;lat\nrows: 2'),
    ('survey.plan', '{"mission": {"items": [45.6073]}, "fileType": "Plan"}',
     'keys: mission, fileType, mission.items'),
    ('nohead.csv', '0,45.6073,9.5524\n1,45.6073,9.5524\n', 'no header\nrows: 2'),
    ('anna.txt', '$GPRMC,120000,A,4536.438,N,00933.144,E\n', 'no header\nrows: 1'),
    ('way.gpx', '<gpx><wpt lat="45.6073"><name>secret</name></wpt></gpx>', 'elements: 1 gpx, 1 wpt, 1 name'),
    ('bad.yaml', 'a: [45.6073, secret\n', 'cannot be read: bad.yaml: line 2'),
    ('huge.json', '{"a": 1', 'cannot be read: huge.json')])
def test_of_other_files_their_form_is_shown(tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    shown = bug_report.stripped(tmp_path / name)
    assert said in shown
    assert not any(secret in shown for secret in SECRETS)
    assert str(tmp_path) not in shown


def test_what_is_said_has_no_places_names_or_folders(tmp_path):
    folder = tmp_path / 'secretclient'
    folder.mkdir()
    boat, plan = folder / 'b.yaml', folder / 'p.plan'
    boat.write_text('base: blueboat\nname: HMS Topsecret\nthrusters: [{name: port}]\n')
    plan.write_text('{"items": [{"name": "the secret pier", "x": 1}]}')
    text = bug_report.report(
        ['usv-energy', 'mission', str(plan), '--boat', str(boat), '--at', '45.607', '9.552', '--wind', '8 kn from S'],
        'Exit status 0.', 'HMS Topsecret: 56.99 W, port 12.346 J\n1 the secret pier 45.6073 9.5524\n',
        f'{boat}: 4536.438,N,00933.144,E\n', [plan, boat])
    assert "usv-energy mission p.plan --boat b.yaml --at … --wind '8 kn from S'" in text
    assert '…: 56.99 W, port 12.346 J\n1 … 45.6… 9.5…' in text
    assert 'b.yaml: …,N,…,E' in text
    assert not any(word in text for word in (*SECRETS, 'Topsecret', 'client'))


def test_of_a_folder_the_endings_and_sizes_are_shown(tmp_path):
    (tmp_path / 'secret.db3').write_bytes(b'0' * 7)
    assert bug_report.stripped(tmp_path) == 'a folder of 1 files\n.db3, 7 bytes'


def test_the_home_folder_is_not_named(monkeypatch, tmp_path):
    monkeypatch.setattr(Path, 'home', lambda: Path('/home/secret'))
    monkeypatch.chdir(tmp_path)
    assert bug_report.without_places(f'/home/secret/a.yaml {tmp_path}/b\x1b[2J') == r'~/a.yaml ./b\x1b[2J'


def test_the_versions_name_the_libraries_of_the_package_and_its_extras(monkeypatch):
    monkeypatch.setattr(bug_report, 'requires', lambda name: ['numpy>=1.26', "no-such-library>=2; extra == 'sweep'"])
    lines = bug_report.versions()
    assert re.fullmatch(r'libraries: numpy \d\S+', lines[-2])
    assert lines[-1] == 'not installed: no-such-library'


def test_without_an_installed_package_the_core_is_named(monkeypatch):
    def requires(name):
        raise bug_report.PackageNotFoundError(name)

    monkeypatch.setattr(bug_report, 'requires', requires)
    assert 'numpy' in bug_report.versions()[-2]
