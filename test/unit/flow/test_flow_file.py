"""Flow files: a flow placed in the world and on its clock, and what is refused."""

import json
import math

import numpy as np
import pytest
from needs import NEEDS_XARRAY

from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.flow.analytic import River
from usv_energy.flow.flow_file import raw_flow, read_flow
from usv_energy.flow.placement import Transform
from usv_energy.flow.readers import open_flow
from usv_energy.flow.sample_files import MeanderingRiver, around_cylinder

RIVER = 'analytic: {kind: river, speed: 0.8, direction_deg: 20.0, width: 30.0, length: 200.0}'
GUST = 'analytic: {kind: gust, speed: 3.0, direction_deg: 0.0, amplitude: 2.0, duration: 10.0, period: 40.0}'
ORIGIN = np.zeros(1)


@pytest.fixture
def flow_of(tmp_path):
    """Return a function that reads a flow from the text of its file."""
    def read(text, medium='water'):
        path = tmp_path / 'mine.yaml'
        path.write_text(f'{f"medium: {medium}" if medium else ""}\n{text}\n')
        return read_flow(path)
    return read


def speed_at(flow, t):
    return flow.velocity(t, ORIGIN, ORIGIN)[0][0]


# ---- place --------------------------------------------------------------------------------------


def test_a_transform_turns_places_and_velocities(flow_of, rng):
    """A river that flows 20 deg from the map's east flows 20 - 50 deg from the world's x axis, turned 50 deg."""
    flow = flow_of(f'{RIVER}\ntransform: {{x: 10.0, y: -5.0, rotation_deg: 50.0}}')
    x, y = Transform(10.0, -5.0, 50.0).to_world(0.0, 0.0)
    expected = River({'speed': 0.8, 'direction_deg': -30.0, 'width': 30.0, 'length': 200.0, 'x': x, 'y': y})
    places = rng.uniform(-110.0, 110.0, (2, 1000))
    vx, vy, inside = flow.velocity(0.0, *places)
    for found, wanted in zip((vx, vy, inside), expected.velocity(0.0, *places)):
        np.testing.assert_allclose(found.astype(float), wanted.astype(float), atol=1e-12)
    assert 0 < inside.sum() < inside.size
    corners = np.sort(flow.outline()[0], axis=0)
    np.testing.assert_allclose(corners, np.sort(expected.outline()[0], axis=0), atol=1e-9)


def test_the_extent_in_the_world_holds_all_that_is_inside(flow_of, rng):
    flow = flow_of(f'{RIVER}\ntransform: {{x: 10.0, y: -5.0, rotation_deg: 50.0}}')
    x, y = rng.uniform(-200.0, 200.0, (2, 5000))
    inside = flow.velocity(0.0, x, y)[2]
    xmin, ymin, xmax, ymax = flow.extent
    assert xmin <= x[inside].min() < x[inside].max() <= xmax
    assert ymin <= y[inside].min() < y[inside].max() <= ymax


def test_a_flow_without_bounds_has_none(flow_of):
    flow = flow_of('analytic: {kind: uniform, speed: 0.3, direction_deg: 45.0}\ntransform: {x: 1.0, y: 2.0}')
    assert not np.isfinite(flow.extent).any()
    assert flow.velocity(-7.0, np.array([1e9]), np.array([-1e9]))[2].all()
    assert flow.describe()['world']['extent_m'] is None


# ---- time ---------------------------------------------------------------------------------------


def test_loop_hold_and_end(flow_of):
    """The gust of 10 s is at its height at the file's 5 s, and over from 10 s on."""
    loop, hold, end = (flow_of(f'{GUST}\ntime: {{mode: {mode}, start: 3.0}}') for mode in ('loop', 'hold', 'end'))
    for flow in (loop, hold, end):
        assert speed_at(flow, 2.0) == pytest.approx(5.0)
        assert speed_at(flow, 30.0) == pytest.approx(3.0)
    assert speed_at(loop, 42.0) == pytest.approx(5.0)
    assert speed_at(hold, 42.0) == pytest.approx(3.0)
    vx, vy, inside = end.velocity(37.1, ORIGIN, ORIGIN)
    assert (math.isnan(vx[0]), math.isnan(vy[0]), inside[0]) == (True, True, False)
    assert not end.velocity(-3.1, ORIGIN, ORIGIN)[2][0]


@pytest.mark.parametrize('mode', ['loop', 'hold', 'end'])
def test_a_flow_of_a_later_world_is_the_same_at_its_time(flow_of, mode):
    flow = flow_of(f'{GUST}\ntime: {{mode: {mode}, start: 3.0}}')
    for later in (1.5, 30.0):
        for t in (0.0, 2.0, 11.0, 70.0):
            assert speed_at(flow.later(later), t) == pytest.approx(speed_at(flow, t + later), nan_ok=True)


def test_how_an_unsteady_flow_goes_on_is_to_be_said(flow_of):
    with pytest.raises(InputError, match=r'mine\.yaml: lacks the key time: .* 0 to 40 s, .* loop, hold or end'):
        flow_of(GUST)


@pytest.mark.parametrize('mode', ['hold', 'end'])
def test_a_start_beyond_the_file_is_refused(flow_of, mode):
    with pytest.raises(InputError, match=r'time\.start is 41; must be a time of the file, 0 to 40 s'):
        flow_of(f'{GUST}\ntime: {{mode: {mode}, start: 41.0}}')
    assert speed_at(flow_of(f'{GUST}\ntime: {{mode: loop, start: 45.0}}'), 0.0) == pytest.approx(5.0)


# ---- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize('name', names('flows'))
def test_the_shipped_flows_are_right_and_described_in_json(name):
    flow = read_flow(name)
    told = json.loads(json.dumps(flow.describe(), allow_nan=False))
    assert (told['flow'], told['medium'], told['title']) == (name, flow.medium, flow.title)
    assert flow.velocity(0.0, np.array([250.0]), np.array([95.0]))[2].all()


@pytest.mark.parametrize('name', ['river', 'ridge', 'tower', pytest.param('bay', marks=NEEDS_XARRAY)])
def test_the_made_flows_are_right_and_described_in_json(samples, name):
    flow = read_flow(samples / f'{name}.yaml')
    json.dumps(flow.describe(), allow_nan=False)
    assert len(flow.outline()) >= 1
    flow.close()


def test_the_made_river_is_its_closed_form(samples, rng):
    """Rebuilt from what passes through the faces of 6 m cells: within 3 cm/s of 0.6 m/s away from the banks."""
    flow, closed_form = read_flow(samples / 'river.yaml'), MeanderingRiver()
    x = rng.uniform(30.0, 570.0, 500)
    y = closed_form.amplitude * np.sin(2.0 * math.pi * x / closed_form.wavelength) + rng.uniform(-20.0, 20.0, 500)
    vx, vy, inside = flow.velocity(600.0, x, y)
    expected = closed_form.velocity(600.0, x, y)
    assert inside.all()
    assert np.sqrt(np.mean((vx - expected[0]) ** 2 + (vy - expected[1]) ** 2)) < 0.03


def test_the_made_tower_is_its_closed_form_at_the_points(samples):
    flow = read_flow(samples / 'tower.yaml')
    x, y = np.array([-20.0, 0.0, 24.0]), np.array([0.0, 16.0, -12.0])
    np.testing.assert_allclose(flow.velocity(0.0, x, y)[:2], 5.0 * np.array(around_cylinder(x, y, 13.0)), atol=1e-4)
    assert not flow.velocity(0.0, ORIGIN, ORIGIN)[2][0]


def test_the_made_ridge_blows_from_where_it_says(samples):
    """From 270 degrees, the west, far from the ridge: towards the east."""
    vx, vy, _ = read_flow(samples / 'ridge.yaml').velocity(0.0, np.array([-975.0]), np.array([0.0]))
    assert (vx[0], vy[0]) == pytest.approx((6.0, 0.0), abs=0.01)


def test_a_relative_path_is_of_the_flow_files_folder(samples, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert read_flow(samples / 'river.yaml').velocity(0.0, np.array([100.0]), np.array([25.0]))[2][0]


def test_a_raw_file_has_its_own_coordinates_and_times(samples):
    source = open_flow(samples / 'river.p01.hdf')
    flow = raw_flow(samples / 'river.p01.hdf', source)
    x, y = np.array([100.0, 100.0]), np.array([25.0, 500.0])
    for found, wanted in zip(flow.velocity(450.0, x, y), source.velocity(450.0, x, y)):
        np.testing.assert_array_equal(found, wanted)
    assert not flow.velocity(source.times[-1] + 1.0, x, y)[2].any()
    assert flow.raw
    assert 'world' not in flow.describe()


# ---- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(('text', 'words'), [
    ('', 'must hold either file or analytic'),
    (f'{RIVER}\nfile: {{path: x.hdf}}', 'must hold either file or analytic'),
    ('file: {path: none.hdf}', r"file\.path is 'none\.hdf': there is no such file"),
    ('file: {path: mine.yaml}', r'file: .*mine\.yaml: no reader knows this file'),
    ('file: {path: mine.yaml, reader: bufr}', "no flow reader named 'bufr'"),
    ('file: {path: mine.yaml, option: {}}', "unknown key 'option' in file; did you mean 'options'"),
    ('analytic: {kind: tide}', r"analytic\.kind is 'tide' \(a text\); must be one of uniform, river, jet, vor"),
    ('analytic: {kind: river, speed: 1.0}', "analytic lacks the key 'direction_deg'"),
    ('analytic: {kind: uniform, speed: -1.0, direction_deg: 0.0}', r'analytic\.speed is -1.0; must be at least 0'),
    ('analytic: {kind: uniform, speed: 1.0, direction: 0.0}', "unknown key 'direction' in analytic; did you mean"),
    (RIVER.replace('}', ', bank_layer: 40.0}'), r'analytic\.bank_layer is 40; must be at most half the width'),
    (RIVER.replace('30.0', '{value: 30.0, unit: ft}'), r"analytic\.width\.unit is 'ft'.* must be given in 'm'"),
    (f'{RIVER}\ntransform: {{x: 1.0}}', "transform lacks the key 'y'"),
    (f'{RIVER}\ntransform: {{x: .nan, y: 0.0}}', r'transform\.x is nan; must be a finite number'),
    (f'{RIVER}\ntime: {{mode: repeat}}', r"time\.mode is 'repeat' .*must be one of loop, hold, end"),
])
def test_wrong_flow_files_name_file_key_value_and_what_is_allowed(flow_of, text, words):
    with pytest.raises(InputError, match=rf'mine\.yaml: .*{words}'):
        flow_of(text)


def test_the_medium_is_to_be_said(flow_of):
    with pytest.raises(InputError, match="lacks the key 'medium'"):
        flow_of(RIVER, medium='')
    with pytest.raises(InputError, match=r"medium is 'lava' .*must be one of water, air"):
        flow_of(RIVER, medium='lava')


def test_an_unknown_flow_is_refused_with_those_there_are():
    with pytest.raises(InputError, match=r"no flow named 'rivver'\. Did you mean 'river'.*There are: gusts, river"):
        read_flow('rivver')


def test_numbers_may_have_unit_and_source(flow_of):
    text = RIVER.replace('0.8', '{value: 0.8, unit: m/s, source: gauge}')
    assert speed_at(flow_of(text), 0.0) == speed_at(flow_of(RIVER), 0.0)
