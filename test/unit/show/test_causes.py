from usv_energy.powering.energy import CAUSES as ALL
from usv_energy.powering.power import Power
from usv_energy.show.causes import CAUSES


def test_what_is_shown_are_all_causes_that_sum_to_the_total():
    """Thrust is the sum of others, total that of all: they are no causes of their own."""
    assert {cause.key for cause in CAUSES} == set(ALL) - {'thrust', 'total'}
    assert set(ALL) <= set(Power._fields)


def test_no_two_causes_look_alike():
    for field in ('key', 'name', 'colour', 'colour_on_dark'):
        assert len({getattr(cause, field) for cause in CAUSES}) == len(CAUSES), field
