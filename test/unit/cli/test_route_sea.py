"""`usv-energy route --sea` as a person runs it: what waves cost, in table, JSON and page; each wrong word by name."""

import json

import pytest
from command_line import assert_refused
from needs import NEEDS_NETCDF
from netcdf_files import ORIGIN
from wave_files import SHAFT_BOAT, wave_file

from usv_energy.cli.main import main

NEEDS = ('numba',)
WAVES = 'waves: {source: a test, directions_deg: [0, 180], periods: [2.0], coefficients: [[60.0], [-20.0]]}\n'
METRE = 2.0 * (6.0 * 16.296) ** 0.5     # J/m at the best speed, of linear drag and a hotel load.


@pytest.fixture
def boat(tmp_path):
    """Return the path of a boat, with or without waves in its file."""
    def write(text=SHAFT_BOAT + WAVES):
        (tmp_path / 'boat.yaml').write_text(text)
        return str(tmp_path / 'boat.yaml')
    return write


def way(boat, *more):
    return ['route', '--from', '0', '0', '--to', '100', '0', '--boat', boat, *more]


def test_the_waves_force_is_paid_on_every_metre_and_told_everywhere(capsys, boat, tmp_path):
    """R = 60 (0.3 m)^2 = 5.4 N against the waves, and -1.8 N with them, back."""
    page = tmp_path / 'r.html'
    for towards, force, out in (('180', 5.4, ('--out', str(page))), ('0', -1.8, ())):
        status = main(way(boat(), '--sea', f'0.3,2.0,{towards}', '--json', '-', *out))
        out, err = capsys.readouterr()
        figures = json.loads(out)
        assert status == 0 and figures['sea']['towards_deg'] == float(towards)
        assert figures['route_energy_j'] == pytest.approx(100.0 * (METRE + force), rel=2e-3)
        assert figures['sea']['waves_energy_j'] == pytest.approx(100.0 * force, rel=2e-3)
        assert sum(leg['waves_energy_j'] for leg in figures['legs']) == pytest.approx(
            figures['sea']['waves_energy_j'], rel=1e-9)
        assert figures['sea']['waves_share_of_thrust'] == pytest.approx(force / (0.5 * METRE + force), rel=0.02)
        assert 0.0 <= figures['gap'] < 0.03
        assert 'by waves, Wh' in err and 'Hs 0.3 m, Tp 2 s' in err
        assert 'by waves' in page.read_text(encoding='utf-8')


def test_the_sea_of_a_flow_file_is_taken(capsys, boat):
    """That of the shipped one runs east or west; the boat's coefficients hold for its period, too."""
    assert main(way(boat(), '--sea', 'sea', '--json', '-')) == 0
    sea = json.loads(capsys.readouterr().out)['sea']
    assert sea['made_for_ships'] is False and sea['significant_height_m'] == pytest.approx(0.3, rel=1e-6)


def test_in_calm_water_nothing_is_said_of_waves(capsys, boat):
    assert main(way(boat(), '--json', '-')) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)['sea'] is None and 'waves' not in err
    assert 'waves_energy_j' not in json.loads(out)['legs'][0]


def refused(capsys, arguments, message):
    assert_refused((main(arguments), *capsys.readouterr()), message)


@pytest.mark.parametrize(('more', 'message'), [
    (['--sea', '0.3,2.5'], 'or HS,TP,TOWARDS: significant height'), (['--sea', 'river'], 'a flow without waves'),
    (['--sea', '0.3,2.0,180', '--wave-estimate', 'stawave-1'], 'does not go with a route'),
    (['--sea', '0.3,2.0,180', '--simulate'], '--simulate does not go with --sea')])
def test_what_does_not_go_together_is_refused(capsys, boat, more, message):
    refused(capsys, way(boat(), *more), message)


def test_a_boat_without_coefficients_is_refused(capsys, boat):
    refused(capsys, way(boat(SHAFT_BOAT), '--sea', '0.3,2.0,180'), 'nothing of its added resistance in waves')


@NEEDS_NETCDF
def test_a_sea_that_differs_by_place_is_refused(capsys, boat, tmp_path):
    wave_file(tmp_path / 'waves.nc')
    field = tmp_path / 'field.yaml'
    field.write_text(f'medium: water\nwaves: {{kind: field, path: waves.nc, options: {{origin: {list(ORIGIN)}}}}}\n')
    refused(capsys, way(boat(), '--sea', str(field)), 'whose waves differ by place and time')
