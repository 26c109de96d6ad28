"""Numbers with their units, and moments, as people write them."""

from datetime import datetime, timedelta, timezone

import pytest

from usv_energy.files.errors import InputError
from usv_energy.units import length_of, moment_of, moment_words, speed_of


def test_speeds_and_lengths_have_units():
    assert [speed_of(text, 's') for text in ('1.2', '1.2 kn', '1,2kn', '36 km/h', '2e-1')] == pytest.approx(
        [1.2, 1.2 * 1852 / 3600, 1.2 * 1852 / 3600, 10.0, 0.2])
    assert [length_of(text, 's') for text in ('250', '2 nmi', '1.5 km', '3 cables', '10ft', '9 in')] == pytest.approx(
        [250.0, 3704.0, 1500.0, 555.6, 3.048, 0.2286])
    for function, text in ((speed_of, '2 nmi'), (length_of, '2 kn'), (speed_of, 'fast'), (speed_of, 'inf')):
        with pytest.raises(InputError, match='must be a number'):
            function(text, '--x')
    with pytest.raises(InputError, match=r'3 nmi` or `4\.82803 km'):
        length_of('3 miles', '--x')


def test_moments_have_zones():
    moment = moment_of('2026-06-01T09:00+02:00', '--depart')
    assert moment == datetime(2026, 6, 1, 7, tzinfo=timezone.utc) == moment_of('2026-06-01 07:00 UTC', '--depart')
    assert moment.utcoffset() == timedelta(hours=2.0)
    assert moment_words(moment) == '2026-06-01 09:00 +02:00'
    assert moment_words(moment_of('2026-06-01T07:00:40Z', '--depart')) == '2026-06-01 07:01 UTC'
    with pytest.raises(InputError, match=r'no zone.*09:00Z` or `2026-06-01T09:00\+02:00'):
        moment_of('2026-06-01T09:00', '--depart')
    with pytest.raises(InputError, match=r'no time of day; must be as 2026-06-01T09:00\+02:00, or in UTC .*T07:00Z$'):
        moment_of('2026-06-01', '--depart')
    with pytest.raises(InputError, match='must be a date'):
        moment_of('tomorrow', '--depart')
