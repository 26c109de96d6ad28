import math

import numpy as np
import pytest
from needs import NEEDS_NETCDF
from netcdf_files import ORIGIN
from wave_files import height_of, wave_file

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.flow_file import read_flow
from usv_energy.flow.sea import SeaState, irregular_sea
from usv_energy.physics.motion import Flow
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.water_around import Surroundings

pytestmark = NEEDS_NETCDF


@pytest.fixture
def flow(tmp_path):
    """Return a flow on still water with the waves of a file; closed in the end."""
    opened = []

    def make(**keys):
        if not (tmp_path / 'waves.nc').exists():
            wave_file(tmp_path / 'waves.nc')
        path = tmp_path / 'sea.yaml'
        path.write_text(f'medium: water\nwaves: {{kind: field, path: waves.nc, options: {{origin: {list(ORIGIN)}}}}}\n'
                        + ''.join(f'{key}: {value}\n' for key, value in keys.items()))
        opened.append(read_flow(path))
        return opened[-1]
    yield make
    for one in opened:
        one.close()


@pytest.mark.parametrize(('time', 'x'), [(0.0, 0.0), (1800.0, 900.0), (9e5, -900.0)])
def test_the_sea_has_the_height_and_the_way_of_its_place(flow, time, x):
    one = flow()
    sea = one.sea_around(time, x, 0.0)
    expected = height_of(min(time, 10800.0), x)
    assert sea.significant_height == pytest.approx(expected, rel=1e-4)
    east, north = (float(np.sum(sea.waves.amplitude ** 2 * part)) for part in (sea.waves.east, sea.waves.north))
    assert math.degrees(math.atan2(north, east)) == pytest.approx(20.0, abs=4.0)  # 600 waves, drawn
    assert one.sea_state(time, x, 0.0) == pytest.approx((expected, 4.0, math.radians(20.0)), rel=1e-4)
    mean = np.sum(sea.waves.amplitude ** 2 / sea.waves.frequency) / np.sum(sea.waves.amplitude ** 2) * math.tau
    assert mean == pytest.approx(4.0 * 0.9049, rel=0.05)


def test_crests_go_on_from_place_to_place(flow):
    one = flow()
    first, second = one.sea_around(0.0, 0.0, 0.0), one.sea_around(0.0, 50.0, 0.0)
    point = np.array([25.0]), np.array([0.0])
    difference = float(first.elevation(0.0, *point)[0] - second.elevation(0.0, *point)[0])
    assert abs(difference) < 2.0 * (height_of(0.0, 50.0) - height_of(0.0, 0.0))


def test_the_drift_is_the_local_one(flow):
    vx, vy, inside = flow().velocity(0.0, np.array([0.0, 900.0]), np.zeros(2))
    assert inside.all()
    for n, x in enumerate((0.0, 900.0)):
        sea = irregular_sea(SeaState(height_of(0.0, x), 4.0), 0)
        assert math.hypot(vx[n], vy[n]) == pytest.approx(math.hypot(*sea.stokes_drift()), rel=0.05)
    # East of the origin the meridians, and what is given by them, lean to the left: by 0.009 degrees here.
    assert np.degrees(np.arctan2(vy, vx)) == pytest.approx([20.0, 20.009], abs=1e-3)


def test_on_a_turned_map_the_waves_are_turned(flow):
    plain, turned = flow(), flow(transform='{x: 100.0, y: 0.0, rotation_deg: 90.0}')
    assert turned.sea_state(0.0, 0.0, 0.0)[2] == pytest.approx(math.radians(20.0 - 90.0))
    here, there = turned.sea_around(0.0, 0.0, 0.0), plain.sea_around(0.0, 100.0, 0.0)
    zero = np.zeros(1)
    assert here.elevation(3.0, zero, zero)[0] == pytest.approx(there.elevation(3.0, zero + 100.0, zero)[0])


def test_a_hull_of_parts_moves_on_them(flow):
    one, heights = flow(), []
    plant = Plant(read_boat('otter_parts').vessel, (0.0, 0.0, 0.0), lambda *_: Flow(0.0, 0.0, 0.0, 0.0), 0.04,
                  Surroundings(None, sea_around=one.sea_around))
    for _ in range(3000):
        plant.advance((0.0, 0.0))
        heights.append(plant.state.afloat.height)
    assert 4.0 * np.std(heights) == pytest.approx(0.5, rel=0.25)  # Two minutes of a sea of 4 s


def test_a_file_that_is_not_there(tmp_path):
    path = tmp_path / 'sea.yaml'
    path.write_text('medium: water\nwaves: {kind: field, path: nowhere.nc}\n')
    with pytest.raises(InputError, match=r"waves\.path is 'nowhere\.nc': there is no such file"):
        read_flow(path)
