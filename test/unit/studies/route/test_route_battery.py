"""The charge along a route is that of its energy; cells of a pack are stepped, and reserves are kept or not."""

from dataclasses import replace

import numpy as np
from ohmic_boat import AMPERE_HOURS, current_at, ohmic_boat
from route_cases import steady_route

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.studies.mission.mission_battery import GO, NO_BATTERY, NO_GO
from usv_energy.studies.route.route_study import route_battery

ROUTE = steady_route([(0.0, 0.0), (300.0, 0.0), (300.0, 400.0)], 1.0)
BOAT = read_boat('lutra_prop')


def test_a_counter_falls_by_the_energy_over_its_capacity():
    found = route_battery(BOAT, ROUTE, 0.9, 0.2)
    np.testing.assert_allclose(found.charge, 0.9 - ROUTE.energy / (BOAT.battery.capacity_wh * JOULES_PER_WH))
    assert found.verdict == GO


def test_the_reserve_decides():
    spent = ROUTE.energy[-1] / (BOAT.battery.capacity_wh * JOULES_PER_WH)
    assert route_battery(BOAT, ROUTE, 0.5 + 1.001 * spent, 0.5).verdict == GO
    assert route_battery(BOAT, ROUTE, 0.5 + 0.999 * spent, 0.5).verdict == NO_GO


def test_a_boat_without_battery_has_no_verdict():
    assert route_battery(replace(BOAT, battery=None), ROUTE).verdict == NO_BATTERY


def test_cells_lose_the_charge_of_their_current_and_brown_out_where_they_cannot(tmp_path):
    """A voltage and a resistance: the current of a power is known by hand."""
    boat = ohmic_boat(tmp_path)
    route = steady_route([(0.0, 0.0), (3600.0, 0.0), (3700.0, 0.0)], 1.0)
    found = route_battery(boat, route._replace(energy=np.array([0.0, 360e3, 370e3])), 0.9, 0.2)  # 100 W, 100 W.
    np.testing.assert_allclose(found.charge, 0.9 - current_at(100.0) / AMPERE_HOURS * route.time / 3600.0, rtol=1e-6)
    assert (found.verdict, found.brown_out) == (GO, None)
    strong = route_battery(boat, route._replace(energy=np.array([0.0, 360e3, 400e3])), 0.9, 0.2)  # 400 W at the end.
    assert (strong.verdict, strong.brown_out) == (NO_GO, 1)
