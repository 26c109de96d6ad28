"""`usv-energy mission` as a person runs it."""

import json

import pytest

from usv_energy.cli.main import main


@pytest.fixture
def plan(tmp_path):
    """Return a plan over 200 m x 100 m."""
    path = tmp_path / 'survey.plan'
    assert main(['mission', 'make', 'lawnmower', '--size', '200', '100', '--spacing', '20', '--at', '45.6', '-9.55',
                 '--speed', '1.2', '--out', str(path)]) == 0
    return path


@pytest.mark.parametrize('verb', [[], ['show']])
def test_a_file_is_shown_with_or_without_the_verb(capsys, plan, verb):
    assert main(['mission', *verb, str(plan), '--json', '-']) == 0
    out, err = capsys.readouterr()
    figures = json.loads(out)
    assert figures['length_m'] == pytest.approx(5 * 200.0 + 4 * 20.0, rel=1e-6)
    assert {leg['speed_m_s'] for leg in figures['legs']} == {1.2}
    assert '10 ways, 1.08 km' in err


@pytest.mark.parametrize('ending', ['waypoints', 'gpx', 'geojson', 'yaml'])
def test_what_is_converted_is_as_long(capsys, plan, tmp_path, ending):
    out = tmp_path / f'a.{ending}'
    assert main(['mission', 'convert', str(plan), str(out)]) == 0
    assert str(out) in capsys.readouterr().err
    assert main(['mission', str(out), '--json', '-']) == 0
    assert json.loads(capsys.readouterr().out)['length_m'] == pytest.approx(1080.0, abs=1e-3)


def test_a_scenario_needs_an_origin_to_be_a_plan(capsys, tmp_path):
    out = tmp_path / 'a.gpx'
    assert main(['mission', 'convert', '3', str(out)]) == 2
    assert 'give --origin LATITUDE LONGITUDE' in capsys.readouterr().err
    assert main(['mission', 'convert', '3', str(out), '--origin', '-33.9', '18.4']) == 0
    capsys.readouterr()
    assert main(['mission', str(out), '--json', '-']) == 0
    assert json.loads(capsys.readouterr().out)['length_m'] == pytest.approx(30.0, abs=1e-6)


def test_one_of_several_lines_is_chosen(capsys, tmp_path):
    path = tmp_path / 'two.gpx'
    routes = ''.join(f'<rte><name>boat {name}</name><rtept lat="45" lon="9"/><rtept lat="45" lon="{east}"/></rte>'
                     for name, east in (('one', 9.001), ('two', 9.002)))
    path.write_text(f'<gpx>{routes}</gpx>')
    assert main(['mission', str(path)]) == 2
    assert 'holds 2 lines: 1 boat one, 2 boat two; choose one with --part' in capsys.readouterr().err
    assert main(['mission', str(path), '--part', 'boat two']) == 0
    assert 'boat two: without home' in capsys.readouterr().out


def test_a_part_of_a_file_that_has_none_is_refused(capsys, plan):
    assert main(['mission', str(plan), '--part', '7']) == 2
    assert 'holds one mission, no part' in capsys.readouterr().err
    assert main(['mission', str(plan), '--part', 'all']) == 0


def test_rounds_of_a_patrol(capsys, tmp_path):
    path = tmp_path / 'patrol.waypoints'
    path.write_text('QGC WPL 110\n0 1 0 16 0 0 0 0 45 9 0 1\n1 0 3 16 0 0 0 0 45 9.001 0 1\n'
                    '2 0 3 16 0 0 0 0 45 9 0 1\n3 0 2 177 1 -1 0 0 0 0 0 1\n')
    assert main(['mission', str(path)]) == 2
    assert 'patrol.waypoints: item 3, DO_JUMP: jumps to 1 for ever' in capsys.readouterr().err
    assert main(['mission', str(path), '--rounds', '5', '--json', '-']) == 0
    assert json.loads(capsys.readouterr().out)['length_m'] == pytest.approx(10 * 78.85, rel=1e-4)


@pytest.mark.parametrize(('arguments', 'says'), [
    (['nothing.plan'], 'nothing.plan: there is no such file'),
    (['convert', '3', 'a.kml', '--origin', '45', '9'], "a.kml: ends with '.kml'; must be one of .plan"),
    (['convert', '3', 'a.gpx', '--origin', '95', '9'], '--origin: the latitude is 95')])
def test_what_is_wrong_is_named(capsys, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    assert main(['mission', *arguments]) == 2
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
