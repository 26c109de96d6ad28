"""Speeds in sentences in the unit that was chosen."""

import pytest

from usv_energy.web.speed_units import speeds_in


@pytest.mark.parametrize(('text', 'knots', 'metres'), [
    ('0.50 m/s (1.0 kn) set 120', '1.0 kn set 120', '0.50 m/s set 120'),
    ('good to 0.003 m/s east, +0.700 m/s ahead', 'good to 0.0058 kn east, +1.4 kn ahead', None),
    ('from 2.0 to 2.78 m/s: 12 to 14 W', 'from 3.9 to 5.4 kn: 12 to 14 W', None),
    ('a turn of 3 rad/s, 2 m/s^2, 4 N s/m, e1.5 m/s', None, None)])
def test_the_speeds_of_a_sentence_are_in_the_chosen_unit(text, knots, metres):
    assert speeds_in(text, True) == (knots or text)
    assert speeds_in(text, False) == (metres or text)
