"""Ways by what they use of cells: the range in uniform water, a sprint that is open only to a full battery."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.lattice import CurrentAndWind, Lattice, moves_of
from usv_energy.studies.maps.map_study import reach_study
from usv_energy.studies.maps.pack_shares import MoveShares, missing_share, usable_before_return, used_on_arrival
from usv_energy.studies.plan.steady_range import BatteryUse, best_speed

LINE = Lattice(0.0, 0.0, 0.0, 1.0, 7, 2)    # Two rows of points; moves along the first are looked at.


@pytest.fixture(scope='module')
def boat(tmp_path_factory):
    """Return a Lutra Prop on a small pack, which its best speed drains in three hours."""
    path = tmp_path_factory.mktemp('boat') / 'cells.yaml'
    path.write_text('base: lutra_prop\nname: small\nbattery: {chemistry: nmc, series: 4, capacity_ah: 4, '
                    'nominal_voltage: 14.8, capacity_wh: null}\n')
    return with_static_load(read_boat(str(path)), 5.0)


def ways_along(eastward, westward=None):
    """Return the moves of LINE with costs and limits, ((cost, most), ...), of one step east and west; no others."""
    moves = moves_of(LINE, 1)
    number = LINE.rows * LINE.columns
    options = max(len(eastward(0)), 1)
    cost = np.full((options, number, moves.direction.size), math.inf)
    most = np.full(cost.shape, -math.inf)
    for k, (columns, rows) in enumerate(zip(moves.columns, moves.rows)):
        give = {(1, 0): eastward, (-1, 0): westward or eastward}.get((columns, rows))
        for point in range(LINE.columns) if give else ():
            if 0 <= point + columns < LINE.columns:
                for option, pair in enumerate(give(point)):
                    cost[option, point, k], most[option, point, k] = pair
    return moves, MoveShares(cost, most)


def test_a_sprint_is_open_until_its_share_is_used_and_then_the_slow_way_is_taken():
    """Quick steps use 0.1 each, open until 0.35 is used: three of them; slow ones 0.15, until 0.8: three more."""
    moves, going = ways_along(lambda point: ((0.1, 0.35), (0.15, 0.8)))
    used = used_on_arrival(LINE, moves, going, 0)[:7]
    np.testing.assert_allclose(used, [0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75], atol=1e-12)
    short = missing_share(LINE, moves, going, used_on_arrival(LINE, moves, going, 0), 0, None)[:7]
    assert (short <= 0.0).all() and short[6] == pytest.approx(0.75 - 0.8)
    barred, closed = ways_along(lambda point: ((0.1, 0.25), (math.inf, -1.0)) if point == 3 else ((0.1, 0.35),
                                                                                              (0.15, 0.8)))
    far = used_on_arrival(LINE, barred, closed, 0)[:7]
    assert np.isfinite(far[:4]).all() and np.isinf(far[4:]).all(), 'no way leads through the rapid at 0.3 used'
    missing = missing_share(LINE, barred, closed, used_on_arrival(LINE, barred, closed, 0), 0, None)
    assert missing[4] == pytest.approx(0.15)


def test_the_way_home_has_to_be_made_with_what_is_left():
    """Home up the current, 0.2 a step, open until 0.9 is used: n steps back may begin with 0.9 - 0.2 n used."""
    moves, going = ways_along(lambda point: ((0.1, 1.0),), lambda point: ((0.2, 0.9),))
    usable = usable_before_return(LINE, moves, going, 0)[:7]
    np.testing.assert_allclose(usable[:6], [1.0, 0.7, 0.5, 0.3, 0.1, -0.1], atol=1e-12)
    assert usable[6] == -math.inf
    used = used_on_arrival(LINE, moves, going, 0)
    short = missing_share(LINE, moves, going, used, 0, usable_before_return(LINE, moves, going, 0))[:7]
    np.testing.assert_allclose(short[1:6], [-0.6, -0.3, 0.0, 0.3, 0.6], atol=1e-12)


@pytest.mark.parametrize('current', [0.0, 0.3])
def test_reach_in_uniform_water_is_the_range_on_cells(boat, current):
    fields = CurrentAndWind(UniformFlow(current, 0.0), UniformFlow(0.0, 0.0))
    found = reach_study(boat, fields, (0.0, 0.0), points=41).result
    energy = BatteryUse().energy_at(boat)
    for place, course in ((0, 0.0), (18, math.pi)):
        furthest = best_speed(boat.vessel, energy, course, Flow(current, 0.0, 0.0, 0.0)).range
        assert found.distances[place] == pytest.approx(furthest, rel=2e-3)
    assert found.on_cells and found.limit == 1.0 and not found.not_held.any()
    assert found.area == pytest.approx(found.uniform_area, rel=0.03)


def test_there_and_back_is_half_the_way_in_still_water(boat):
    fields = CurrentAndWind(UniformFlow(0.0, 0.0), UniformFlow(0.0, 0.0))
    one, both = (reach_study(boat, fields, (0.0, 0.0), points=41, round_trip=back).result for back in (False, True))
    np.testing.assert_allclose(both.distances[::9], 0.5 * one.distances[::9], rtol=2e-3)


def test_a_battery_that_cannot_give_the_power_of_any_motion_is_refused_by_name(boat):
    weak = with_static_load(boat, 2000.0)
    with pytest.raises(InputError, match='the battery of small, charged to 1, cannot give the power of any motion'):
        reach_study(weak, CurrentAndWind(UniformFlow(0.0, 0.0), UniformFlow(0.0, 0.0)), (0.0, 0.0), points=21)
