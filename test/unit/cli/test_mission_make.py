"""`usv-energy mission make` as a person runs it."""

import json

import pytest

from usv_energy.cli.main import main


def made(capsys, tmp_path, *arguments, ending='geojson'):
    """Return what a pattern amounts to, and what the command said."""
    out = tmp_path / f'a.{ending}'
    assert main(['mission', 'make', *arguments, '--out', str(out)]) == 0
    said = capsys.readouterr().err
    assert main(['mission', str(out), '--json', '-']) == 0
    return json.loads(capsys.readouterr().out), said


AT = ('--at', '45.6', '9.55')


@pytest.mark.parametrize(('arguments', 'length'), [
    (('lawnmower', '--size', '200', '100', '--spacing', '25', *AT), 4 * 200.0 + 3 * 25.0),
    (('lawnmower', '--size', '200', '100', '--spacing', '25', '--angle', '30', *AT), 4 * 200.0 + 3 * 25.0),
    (('box', '--size', '60', '40', *AT), 200.0), (('box', '--size', '60', '40', '--spacing', '10', *AT), 334.142),
    (('circle', '--radius', '20', *AT), 125.504), (('sector', '--radius', '100', '--angle', '45', *AT), 900.0)])
def test_patterns_have_the_lengths_of_their_closed_forms(capsys, tmp_path, arguments, length):
    figures, said = made(capsys, tmp_path, *arguments)
    assert figures['length_m'] == pytest.approx(length, abs=2e-3)
    assert f'{len(figures["legs"])} places' in said


def test_lanes_over_the_area_of_a_file_run_where_they_are_fewest(capsys, tmp_path):
    """300 m to the north, 78.8 m to the east: 4 lanes of 300 m northwards."""
    area = tmp_path / 'area.geojson'
    ring = [[9, 45], [9.001, 45], [9.001, 45.0027], [9, 45.0027], [9, 45]]
    area.write_text(json.dumps({'type': 'Polygon', 'coordinates': [ring]}))
    figures, said = made(capsys, tmp_path, 'lawnmower', '--area', str(area), '--spacing', '20')
    assert '4 lanes 19.7' in said
    assert 'along 000 (N)' in said
    assert figures['length_m'] == pytest.approx(4 * 300.07 + 3 * 19.71, rel=1e-3)


@pytest.mark.parametrize('north', [0.01, -0.01])
def test_lanes_begin_where_home_is(capsys, tmp_path, north):
    figures, _ = made(capsys, tmp_path, 'lawnmower', '--size', '200', '100', '--spacing', '25', *AT,
                      '--home', str(45.6 + north), '9.54')
    assert (figures['legs'][0]['latitude'] - 45.6) * north > 0.0
    assert figures['legs'][0]['longitude'] < 9.55


def test_without_a_place_it_is_a_scenario_in_metres(capsys, tmp_path):
    figures, _ = made(capsys, tmp_path, 'circle', '--radius', '20', '--speed', '0.8', '--accept', '1.5', ending='yaml')
    assert figures['home'] == {}
    assert {(leg['speed_m_s'], leg['radius_m']) for leg in figures['legs']} == {(0.8, 1.5)}


@pytest.mark.parametrize(('arguments', 'says'), [
    (('lawnmower', '--spacing', '5'), 'must be one of the two'),
    (('lawnmower', '--spacing', '5', '--size', '9', '9', '--area', 'a.kml'), 'must be one of the two'),
    (('box', '--spacing', '5', '--area', 'a.kml'), '--spacing of a box goes inwards from a rectangle: give --size'),
    (('lawnmower', '--spacing', '5', '--area', 'a.kml', *AT), '--at goes with --size'),
    (('lawnmower', '--spacing', '5', '--area', 'a.kml'), 'a.kml: there is no such file'),
    (('circle', '--radius', '5', '--home', '45', '9'), 'home is a place on the Earth, and the pattern has none'),
    (('circle', '--radius', '5'), 'its places are local metres')])
def test_what_is_wrong_is_named(capsys, tmp_path, arguments, says):
    assert main(['mission', 'make', *arguments, '--out', str(tmp_path / 'a.plan')]) == 2
    assert says in capsys.readouterr().err
    assert not (tmp_path / 'a.plan').exists()


def test_the_best_direction_is_taken_and_said(capsys, tmp_path):
    """A square in a current to the north: lanes across it; what they cost is what the mission then costs."""
    square = ('lawnmower', '--size', '200', '200', '--spacing', '10', *AT, '--best', '--boat', 'blueboat_watts_only')
    report = tmp_path / 'a.json'
    _, said = made(capsys, tmp_path, *square, '--current', '0.5,90', '--speed', '1', '--json', str(report),
                         ending='plan')
    figures = json.loads(report.read_text())
    assert abs((figures['best']['angle_deg'] + 90.0) % 180.0 - 90.0) < 15.0
    assert len(figures['by_angle']) == 180 and 'to the worst direction' in said
    assert figures['best']['energy_j'] <= min(one['energy_j'] for one in figures['by_angle'])
    assert main(['mission', str(tmp_path / 'a.plan'), '--boat', 'blueboat_watts_only', '--current', '0.5,90', '--json',
                 str(report)]) == 0
    assert json.loads(report.read_text())['energy_j'] == pytest.approx(figures['best']['energy_j'], rel=2e-3)


@pytest.mark.parametrize(('arguments', 'words'), [
    (('--best', '--angle', '30'), '--angle is a direction'), (('--current', '1,0'), 'go with --best'),
    (('--best', '--current', 'x'), "no flow"), (('--best', '--boat', 'x'), "no boat named 'x'"),
    (('--best', '--boat', 'blueboat_watts_only', '--speed', '9'), 'in no direction')])
def test_what_is_wrong_with_the_best_direction_is_said(capsys, tmp_path, arguments, words):
    area = ('lawnmower', '--size', '200', '200', '--spacing', '50', *AT, '--out', str(tmp_path / 'a.plan'))
    assert main(['mission', 'make', *area, *arguments]) == 2
    assert words in capsys.readouterr().err
