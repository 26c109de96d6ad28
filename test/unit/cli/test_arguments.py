"""Arguments that several verbs take: what is allowed, and what is said of the rest."""

import argparse
import math
from pathlib import Path

import pytest

from usv_energy.cli.arguments import ArgumentParser, JoinedWords, add_outputs
from usv_energy.cli.boat_options import add_battery
from usv_energy.cli.quantities import (
    any_length,
    course,
    duration,
    length,
    list_of,
    not_negative,
    number,
    plain_number,
    positive,
    share,
    speed,
    within,
)
from usv_energy.files.errors import InputError
from usv_energy.flow.flow_argument import flow_of
from usv_energy.units import speed_of


@pytest.mark.parametrize('words', [['0.3,-30'], ['0.3', '-30'], ['0.3,', '-30'], ['0.3', 'm/s', 'to', '120']])
def test_a_current_is_a_phrase_with_or_without_quotes(words):
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument('--current', nargs='+', action=JoinedWords)
    flow = flow_of(parser.parse_args(['--current', *words]).current, '--current', 'water')
    assert (flow.x, flow.y) == pytest.approx((0.3 * math.cos(math.radians(30.0)), -0.15))


@pytest.mark.parametrize('text, said', [
    ('0.3', 'must be'), ('0.3,1,2', 'must be'), ('fast,30', 'fast,30'), ('0.3,nan', 'finite'), ('0.3,inf', 'finite')])
def test_what_is_no_current_is_refused(text, said):
    with pytest.raises(InputError, match=said):
        flow_of(text, '--current', 'water')


@pytest.mark.parametrize('old, new, value', [
    (['--static-load', '5'], 'hotel', 5.0), (['--static-load=5'], 'hotel', 5.0),
    (['--energy-wh', '148'], 'battery', '148Wh'), (['--energy-wh=148'], 'battery', '148Wh'),
    (['--state-of-charge', '80%'], 'charge', 0.8)])
def test_an_old_name_of_an_option_works_and_the_new_one_is_said(old, new, value, capsys):
    parser = ArgumentParser(prog='usv-energy range')
    add_battery(parser, 0.2)
    assert getattr(parser.parse_args(old), new) == value
    assert f'{old[0].partition("=")[0]} is called --{new} now' in capsys.readouterr().err


@pytest.mark.parametrize('metavar, known', [('PNG', True), ('FILE', True), ('DIR', False)])
def test_plot_is_an_output_wherever_that_is_no_folder(metavar, known, capsys):
    parser = ArgumentParser(prog='usv-energy range')
    parser.add_argument('--out', metavar=metavar)
    if known:
        assert parser.parse_args(['--plot', 'a.png']).out == 'a.png'
    else:
        with pytest.raises(SystemExit):
            parser.parse_args(['--plot', 'a.png'])
    assert ('--plot is called --out now' in capsys.readouterr().err) == known


@pytest.mark.parametrize('words, plot, out', [
    (['--out', 'a.png'], 'a.png', None), (['--out', 'a.nc'], None, 'a.nc'),
    (['--out', 'a.PNG', '--out', 'b.nc'], 'a.PNG', 'b.nc'), (['--plot', 'a.png', '--out', 'b.nc'], 'a.png', 'b.nc'),
    (['--plot'], 'default.png', None), ([], None, None)])
def test_an_output_is_a_picture_by_its_ending(words, plot, out, capsys):
    parser = ArgumentParser(prog='usv-energy map')
    add_outputs(parser, 'data', 'default.png')
    args = parser.parse_args(words)
    assert (args.plot, args.out) == tuple(name and Path(name) for name in (plot, out))
    assert ('--plot is called --out now' in capsys.readouterr().err) == ('--plot' in words)


def test_two_outputs_of_a_kind_are_refused(capsys):
    parser = ArgumentParser(prog='usv-energy map')
    add_outputs(parser, 'data', 'default.png')
    with pytest.raises(SystemExit):
        parser.parse_args(['--out', 'a.png', '--out', 'b.png'])
    assert 'b.png is beside a.png' in capsys.readouterr().err


@pytest.mark.parametrize('kind, good, value, bad', [
    (share, '80%', 0.8, ['120%', '80', '-1', 'x']), (speed, '2 kn', 2 * 1852 / 3600, ['0', '-1 kn', '2 nmi']),
    (length, '2 nmi', 3704.0, ['0', '3 miles', '1 kn']), (any_length, '-10 ft', -3.048, ['1 kn', 'far']),
    (duration, '1.5 h', 5400.0, ['0', '-1 min', '90 m']), (course, 'NE', math.pi / 4, ['-90', 'ahead'])])
def test_what_people_write_is_read_with_its_unit(kind, good, value, bad):
    assert kind(good) == pytest.approx(value)
    for text in bad:
        with pytest.raises(argparse.ArgumentTypeError, match=text.rstrip('%')):
            kind(text)


@pytest.mark.parametrize('text, speeds', [
    ('1,2', [1.0, 2.0]), ('3,6 km/h', [3 / 3.6, 6 / 3.6]), ('1 m/s,3.6 km/h', [1.0, 1.0]), ('3.6 km/h', [1.0]),
    ('0:2:3', [0.0, 1.0, 2.0]), ('0:7.2:3 km/h', [0.0, 1.0, 2.0]), ('0 km/h:7.2 km/h:3', [0.0, 1.0, 2.0]),
    ('3.6 to 7.2 km/h', [1.0, 1.25, 1.5, 1.75, 2.0]),
    ('1 – 2 m/s', [1.0, 1.25, 1.5, 1.75, 2.0]), ('1e0,2', [1.0, 2.0])])
def test_a_list_of_speeds_has_the_unit_of_its_last(text, speeds):
    assert list_of(speed_of, 5)(text) == pytest.approx(speeds)


@pytest.mark.parametrize('text', ['1 kn,fast', '1:2', '1 to 2 kn', '1:2:1', '0:1:2:3', '', '1 nmi,2 kn'])
def test_what_is_no_list_of_speeds_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError):
        list_of(speed_of)(text)
    with pytest.raises(argparse.ArgumentTypeError):
        list_of(plain_number)('1,2 kn')


@pytest.mark.parametrize('kind, good, bad', [
    (number, '-1e3', ['nan', 'inf', 'x', '']), (positive, '0.5', ['0', '-1', 'nan']),
    (not_negative, '0', ['-0.1', 'nan']), (within(0.0, 1.0), '1', ['1.01', '-0.01', 'nan'])])
def test_numbers_keep_their_limits(kind, good, bad):
    assert kind(good) == float(good)
    for text in bad:
        with pytest.raises(argparse.ArgumentTypeError, match=text or "''"):
            kind(text)
