"""Arguments that several verbs take: what is allowed, and what is said of the rest."""

import argparse

import pytest

from usv_energy.cli.arguments import SpeedAndDirection, not_negative, number, positive, within


@pytest.fixture
def parse():
    """Return a function that parses a command line with a current, or returns the message of its error."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument('--current', nargs='+', action=SpeedAndDirection)

    def parsed(*words):
        try:
            return parser.parse_args(words).current
        except argparse.ArgumentError as error:
            return str(error)
    return parsed


@pytest.mark.parametrize('words', [['0.3,-30'], ['0.3', '-30'], ['0.3,', '-30']])
def test_a_current_is_speed_and_direction_with_a_comma_or_a_space(parse, words):
    assert parse('--current', *words) == [0.3, -30.0]


@pytest.mark.parametrize('words, said', [
    (['0.3'], 'SPEED,DIRECTION'), (['0.3,1,2'], 'SPEED,DIRECTION'), (['fast,30'], "'fast,30'"),
    (['0.3,nan'], 'finite'), (['0.3,inf'], 'finite')])
def test_what_is_no_current_is_refused(parse, words, said):
    assert said in parse('--current', *words)


@pytest.mark.parametrize('kind, good, bad', [
    (number, '-1e3', ['nan', 'inf', 'x', '']), (positive, '0.5', ['0', '-1', 'nan']),
    (not_negative, '0', ['-0.1', 'nan']), (within(0.0, 1.0), '1', ['1.01', '-0.01', 'nan'])])
def test_numbers_keep_their_limits(kind, good, bad):
    assert kind(good) == float(good)
    for text in bad:
        with pytest.raises(argparse.ArgumentTypeError, match=text or "''"):
            kind(text)
