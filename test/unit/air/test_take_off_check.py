"""Flights that a battery does not hold are refused, with both figures."""

import re

import pytest
from landings import COUNTED, CRAFT

from usv_energy.air.flight_battery import LANDING_TIME, POWER_MARGIN, energy_to_use, shortfall


def test_a_counter_has_what_is_over_its_reserve():
    """70 s and a landing of 25 s at 1.15 times 55.5 W are 1.68 Wh; 0.3 of the 11.1 Wh less a fifth of them 1.11."""
    words = shortfall(COUNTED, 0.3, 70.0, 0.2)
    assert 'need 1.68 Wh; ar_drone has 3.33 Wh, of which a reserve of 2.22 Wh is kept' in words
    assert shortfall(COUNTED, 0.4, 70.0, 0.2) == ''


def test_cells_have_what_they_give_at_that_power():
    """Full cells hold just as long as energy_to_use says, and a second longer is refused with both figures."""
    power = POWER_MARGIN * CRAFT.hover_power
    longest = energy_to_use(CRAFT, 1.0, power, 0.2) / power - LANDING_TIME
    assert shortfall(CRAFT, 1.0, longest - 1.0, 0.2) == ''
    words = shortfall(CRAFT, 1.0, longest + 1.0, 0.2)
    assert 'Wh at 64 W before their cutoff or the reserve of 20 %' in words
    needed, given = (float(figure) for figure in re.search(r'need ([\d.]+) Wh.* give ([\d.]+) Wh', words).groups())
    assert needed == pytest.approx((longest + 1.0 + LANDING_TIME) * power / 3600.0, abs=0.005)
    assert given == pytest.approx((longest + LANDING_TIME) * power / 3600.0, abs=0.005)


def test_a_cold_pack_gives_less():
    cold = CRAFT._replace(ambient=CRAFT.ambient - 25.0)
    assert energy_to_use(cold, 1.0, 64.0, 0.0) < 0.97 * energy_to_use(CRAFT, 1.0, 64.0, 0.0)
