"""The river's banks and the bridge's pillars."""

import math
from itertools import pairwise

import numpy as np
import pytest
from sdf_reading import model_in, numbers, world_of

from usv_energy.files.errors import InputError
from usv_energy.flow.flow_file import read_flow
from usv_energy.gazebo.world import BANK_WIDTH, PILLAR_RADIUS
from usv_energy.sim.scenario import read_scenario


def test_the_banks_begin_where_the_water_ends():
    """Half a metre inside the bank's edge the flow has a value, half a metre beyond it has none."""
    river = read_flow('river')
    world = world_of('river/upstream_middle', 'river', river=river)
    for name, side in (('left_bank', 1.0), ('right_bank', -1.0)):
        bank = model_in(world, name)
        east, north = numbers(bank, 'pose')[:2] + numbers(bank.find('link/collision'), 'pose')[:2]
        edge = north - side * 0.5 * BANK_WIDTH
        size = numbers(bank, 'link/collision/geometry/box/size')
        assert size[0] == river.source.parameters['length'] and east == pytest.approx(150.0)
        _, _, inside = river.velocity(0.0, np.array([200.0, 200.0]), np.array([edge - 0.5 * side, edge + 0.5 * side]))
        assert list(inside) == [True, False]


def test_pillars_stand_in_the_water_and_in_no_shipped_boats_way():
    river = read_flow('river')
    bridge = model_in(world_of('river/upstream_middle', 'river', river=river), 'bridge')
    (x, y, _, _, _, yaw), turned = numbers(bridge, 'pose'), []
    for pillar in bridge.findall('link/collision'):
        if pillar.get('name').startswith('pillar'):
            along, aside = numbers(pillar, 'pose')[:2]
            turned.append((x + along * math.cos(yaw) - aside * math.sin(yaw),
                           y + along * math.sin(yaw) + aside * math.cos(yaw)))
    places = np.array(turned)
    assert places.shape == (4, 2) and river.velocity(0.0, *places.T)[2].all()
    for name in ('river/upstream_middle', 'river/upstream_bank', 'river/crossing_both', '1', '7'):
        scenario = read_scenario(name)
        way = np.array([scenario.start[:2], *scenario.waypoints])
        for start, end in pairwise(way):
            share = np.clip(((places - start) @ (end - start)) / ((end - start) @ (end - start)), 0.0, 1.0)
            clear = np.linalg.norm(places - start - share[:, None] * (end - start), axis=1) - PILLAR_RADIUS
            assert clear.min() > 2.0


def test_a_river_that_is_turned_and_moved_has_its_banks_turned_and_moved(tmp_path):
    path = tmp_path / 'turned.yaml'
    path.write_text('medium: water\nanalytic: {kind: river, speed: 1.0, direction_deg: 30.0, width: 20.0, '
                    'length: 80.0, x: 5.0, y: 6.0}\ntransform: {x: 1.0, y: 2.0, rotation_deg: 90.0}\n')
    river = read_flow(str(path))
    bank = model_in(world_of('1', 'river', river=river), 'left_bank')
    x, y, _, _, _, yaw = numbers(bank, 'pose')
    vx, vy, inside = river.velocity(0.0, np.array([x]), np.array([y]))
    assert inside[0] and math.hypot(vx[0], vy[0]) == pytest.approx(1.0), 'its middle is the river\'s, where it is fast'
    assert (math.cos(yaw), math.sin(yaw)) == pytest.approx((vx[0], vy[0]))


def test_only_a_river_in_closed_form_has_banks():
    with pytest.raises(InputError, match=r'vortex\.yaml: the water of the world river must be an analytic flow'):
        world_of('1', 'river', river=read_flow('vortex'))
