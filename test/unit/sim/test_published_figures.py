"""Figures that a source printed belong to one run; a file that makes another of it has none."""

import math

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.sim.scenario import read_scenario


@pytest.fixture
def over_6(tmp_path):
    """Return a function that reads a scenario of a file over scenario 6."""
    def read(text, base='"6"', name='mine'):
        path = tmp_path / f'{name}.yaml'
        path.write_text(f'base: {base}\n{text}\n')
        return read_scenario(str(path)).published
    return read


@pytest.mark.parametrize('text', [
    'title: the same again', 'guidance: {lookahead: 3.0}', 'controller: {speed: {kp: 20.0}}',
    'simulation: {step: 0.01}', 'convention: as_published', 'boat: lutra_prop', 'current: {speed: 0.3}',
    'stop: {timeout: 200.0}'])
def test_the_same_run_keeps_its_figures(over_6, text):
    assert over_6(text) == read_scenario('6').published and over_6(text).energy == 305.73


@pytest.mark.parametrize('text', [
    'boat: blueboat', 'plant: lutra_prop_usvsim', 'start: {x: 239.0}', 'waypoints: [{x: 280.0, y: 95.0}]',
    'speed: {target: 0.9}', 'current: {direction_deg: 0.0}', 'wind: null', 'wind: {height: 10.0}'])
def test_another_run_has_none(over_6, text):
    published = over_6(text)
    assert math.isnan(published.energy) and math.isnan(published.duration)
    assert (published.source, published.note) == ('', '')


def test_nor_has_what_lies_over_another_run(over_6, tmp_path):
    over_6('boat: blueboat', name='other')
    assert math.isnan(over_6('title: the same as the other', base='other.yaml').energy)
    own = over_6('boat: blueboat\npublished: {energy: 400.0, source: mine}')
    assert (own.energy, own.source, own.note) == (400.0, 'mine', '') and math.isnan(own.duration)


def test_a_file_may_add_to_the_figures_of_its_run_or_take_them_away(over_6):
    own, six = over_6('published: {note: seen again}'), read_scenario('6').published
    assert (own.energy, own.duration, own.source, own.note) == (six.energy, six.duration, six.source, 'seen again')
    assert math.isnan(over_6('published: null').energy)


def test_figures_that_are_no_mapping_are_refused(over_6):
    with pytest.raises(InputError, match=r"mine\.yaml: published is '1'; must be a mapping"):
        over_6('published: 1')


def test_every_shipped_scenario_says_its_own_figures_or_none():
    with_figures = [name for name in names('scenarios') if not math.isnan(read_scenario(name).published.duration)]
    assert {'1', '2', '3', '4', '5', '6', '7'} <= set(with_figures)
    assert 'sailing/upwind' not in with_figures
