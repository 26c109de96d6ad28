"""The bench of faulty files: what it calls a fault, and a few files of cheap kinds, which must end as they should."""

import importlib
import random
import shutil

import pytest
from places import ROOT


@pytest.fixture
def hostile(monkeypatch):
    """Return the module of the bench."""
    monkeypatch.syspath_prepend(str(ROOT / 'bench'))
    return importlib.import_module('hostile')


def test_what_is_a_fault(hostile, monkeypatch):
    def ends(with_status=0, error=None, shows=''):
        def command(arguments):
            print(shows)
            if error is not None:
                raise error
            return with_status
        monkeypatch.setattr(hostile, 'main', command)
        return hostile.fault_of(*hostile.shown_by([]))

    assert ends() == ends(2, shows='one line') == ends(3) == ''
    assert 'KeyError' in ends(error=KeyError('a')) and 'status 1' in ends(1)
    assert ends(2, shows='a\nb\nc').startswith('3 lines') and 'control character' in ends(shows='\x1b[31m')
    assert 'status 2' in ends(2, shows='there is not enough memory')


def test_a_command_that_takes_too_long_is_stopped(hostile, monkeypatch):
    def endless(arguments):
        while True:
            pass

    monkeypatch.setattr(hostile, 'main', endless)
    monkeypatch.setattr(hostile, 'SECONDS', 0.1)
    assert 'takes more than 0.1 s' in hostile.fault_of(*hostile.shown_by([]))


@pytest.mark.parametrize('name', ['boat', 'scenario', 'geojson', 'mission gpx', 'mission waypoints', 'log rmc.nmea',
                                  'log track.gpx', 'table', 'raster'])
def test_faulty_files_end_as_they_should(hostile, tmp_path, name):
    kind, whole = hostile.KINDS[name], tmp_path / 'whole'
    whole.mkdir()
    kind.make(whole)
    for seed in range(3):
        arguments = hostile.faulty(kind, whole, tmp_path / 'faulty', random.Random(f'{name} {seed}'))
        assert hostile.fault_of(*hostile.shown_by(arguments)) == '', seed
    shutil.rmtree(tmp_path / 'faulty')
