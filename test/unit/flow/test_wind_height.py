"""A wind that holds at a height, at a boat: closed forms of the log law, and who is refused."""

import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import read_flow
from usv_energy.flow.wind_height import height_of_windage, wind_at_boat, wind_share

LUTRA = read_boat('lutra_prop')
HALF_METRE = replace(LUTRA, hull=LUTRA.hull._replace(windage_height=0.5))
LOG_LAW = math.log(0.5 / 2e-4) / math.log(10.0 / 2e-4)


def flow_yaml(path, height='', medium='air'):
    path.write_text(f'medium: {medium}\n{height}\nanalytic: {{kind: uniform, speed: 8.0, direction_deg: 90.0}}\n')
    return path


def test_half_the_hull_where_the_boat_does_not_say(tmp_path):
    assert height_of_windage(LUTRA) == pytest.approx(0.075), 'half of 0.15 m'
    assert height_of_windage(HALF_METRE) == 0.5
    own = tmp_path / 'own.yaml'
    own.write_text('base: lutra_prop\nname: own\nwindage: {height: {value: 0.4, unit: m}}\n')
    assert height_of_windage(read_boat(str(own))) == 0.4


def test_a_boat_without_height_is_refused_only_where_it_matters():
    flat = replace(LUTRA, hull=LUTRA.hull._replace(height=None))
    assert wind_share(flat, None) == 1.0
    with pytest.raises(InputError, match=r'lacks the key windage\.height'):
        wind_share(flat, 10.0)
    with pytest.raises(InputError, match=r'0\.005 m; must be at least 0\.01 m above water'):
        wind_share(LUTRA, 0.005)


def test_a_uniform_wind_goes_by_the_log_law_and_without_height_stays():
    wind = UniformFlow(3.0, -4.0)
    assert wind_at_boat(wind, HALF_METRE, 10.0) == pytest.approx((3.0 * LOG_LAW, -4.0 * LOG_LAW), rel=1e-14)
    assert wind_at_boat(wind, HALF_METRE) is wind
    assert wind_at_boat(None, HALF_METRE, 10.0) is None


def test_a_flow_file_says_its_height_and_what_is_said_beside_it_wins(tmp_path):
    plain, high = read_flow(flow_yaml(tmp_path / 'a.yaml')), read_flow(flow_yaml(tmp_path / 'b.yaml', 'height: 10'))
    here = np.zeros(2), np.zeros(2)

    def speed(flow, height=None):
        return wind_at_boat(flow, HALF_METRE, height).velocity(0.0, *here)[1]

    assert high.height == 10.0 and high.velocity(0.0, *here)[1] == pytest.approx(8.0), 'as the file has it'
    np.testing.assert_allclose(speed(plain), 8.0)
    np.testing.assert_allclose(speed(high), 8.0 * LOG_LAW)
    np.testing.assert_allclose(speed(plain, 10.0), 8.0 * LOG_LAW)
    np.testing.assert_allclose(speed(high, 0.5), 8.0)
    twice = wind_at_boat(wind_at_boat(high, LUTRA), HALF_METRE)
    np.testing.assert_allclose(twice.velocity(0.0, *here)[1], 8.0 * LOG_LAW), 'another boat, not one after the other'
    assert read_flow(flow_yaml(tmp_path / 'c.yaml', 'height: boat')).height is None
    assert read_flow(flow_yaml(tmp_path / 'd.yaml', 'height: {value: 2, unit: m}')).describe()['height_m'] == 2.0


@pytest.mark.parametrize('height, medium, said', [
    ('height: 0', 'air', ['height', '0', '0.01']), ('height: mast', 'air', ['height', 'mast', 'boat']),
    ('height: 10', 'water', ['height goes with a wind'])])
def test_wrong_heights_are_refused(tmp_path, height, medium, said):
    with pytest.raises(InputError) as error:
        read_flow(flow_yaml(tmp_path / 'wrong.yaml', height, medium))
    assert all(word in str(error.value) for word in said), error.value
