"""ParaView's CSV of a plane: lattices, masked places, scattered points, faults."""

import json

import numpy as np
import pytest
from openfoam_files import DATA, lattice, write_csv

from usv_energy.files.errors import InputError
from usv_energy.flow import readers
from usv_energy.flow.formats.openfoam_reader import open_openfoam, recognises

RNG = np.random.default_rng(11)


@pytest.mark.parametrize('names', ['Points:0,Points:1,Points:2,U:0,U:1,U:2',
                                   '"Points_0","Points_1","Points_2","U_0","U_1","U_2"'])
def test_a_csv_lattice_is_bilinear_and_its_gaps_are_outside(tmp_path, names):
    x, y = lattice()
    vx = np.where((x == 4.0) & (y == 0.0), np.nan, 0.5 + 0.1 * x)
    path = write_csv(tmp_path / 'p.csv', x, y, vx, 0.2 * y, names=names)
    assert readers.recognise(path).name == 'openfoam'
    flow = readers.open_flow(path)
    vx, vy, inside = flow.velocity(0.0, np.array([7.0, 4.0, 4.9, 5.1, -0.1]), np.array([0.5, 0.0, 0.0, 0.0, 0.0]))
    assert inside.tolist() == [True, False, False, True, False]
    assert (vx[0], vy[0]) == pytest.approx((1.2, 0.1))


def test_places_that_paraview_masks_are_outside_though_their_velocity_is_zero(tmp_path):
    x, y = lattice()
    mask = (x != 4.0).astype(int)
    flow = open_openfoam(write_csv(tmp_path / 'p.csv', x, y, mask * 1.0, 0.0 * x, mask=mask), {})
    assert flow.velocity(0.0, np.array([4.0, 8.0]), np.array([0.0, 0.0]))[2].tolist() == [False, True]
    flow = open_openfoam(write_csv(tmp_path / 'q.csv', x, y, mask * 1.0, 0.0 * x), {})
    assert any('exactly 0' in note for note in flow.describe()['notes'])


def test_scattered_points_are_linear_between_neighbours_and_gaps_are_stated(tmp_path):
    x, y = RNG.uniform(0.0, 20.0, (2, 3000))
    x, y = np.append(x, [0.0, 20.0, 0.0, 20.0]), np.append(y, [0.0, 0.0, 20.0, 20.0])
    keep = np.hypot(x - 10.0, y - 10.0) > 4.0  # a round building
    path = write_csv(tmp_path / 's.csv', x[keep], y[keep], 0.1 * x[keep], 0.2 * y[keep])
    with pytest.raises(InputError, match=r's.csv: option gap is missing: .*buildings'):
        open_openfoam(path, {})
    flow = open_openfoam(path, {'gap': 3.0, 'spacing': 0.25})
    px, py = RNG.uniform(0.0, 20.0, (2, 2000))
    vx, vy, inside = flow.velocity(0.0, px, py)
    assert not inside[np.hypot(px - 10.0, py - 10.0) < 3.5].any()
    assert inside[np.hypot(px - 10.0, py - 10.0) > 5.0].mean() > 0.95  # the outermost neighbours are far apart
    np.testing.assert_allclose(vx[inside], 0.1 * px[inside], atol=0.02)  # exact but beside the hole: half a node
    np.testing.assert_allclose(vy[inside], 0.2 * py[inside], atol=0.04)


def test_csv_faults(tmp_path):
    x, y = lattice()
    path = write_csv(tmp_path / 'p.csv', x, y, x, y)
    with pytest.raises(InputError, match=r"p.csv: option velocity: no vector 'V'; it has: U"):
        open_openfoam(path, {'velocity': 'V'})
    with pytest.raises(InputError, match=r'p.csv: option height: 3; it has: 10'):
        open_openfoam(path, {'height': 3})
    two = write_csv(tmp_path / 'two.csv', np.tile(x, 2), np.tile(y, 2), np.tile(x, 2), np.tile(y, 2),
                    z=np.repeat((10.0, 20.0), x.size))
    with pytest.raises(InputError, match=r'two.csv: option height is missing: .*allowed: one of 10, 20'):
        open_openfoam(two, {})
    assert open_openfoam(two, {'height': 20.0}).velocity(0.0, np.ones(1), np.ones(1))[2][0]
    text = path.read_text()
    for cut, says in ((text[:-9], r'line \d+: 3 cells; the header has 6'), (text.splitlines()[0] + '\n', 'no rows'),
                      (text.rsplit(',', 1)[0], r'line \d+: 5 cells; the header has 6')):
        path.write_text(cut)
        with pytest.raises(InputError, match=rf'p\.csv: .*{says}'):
            open_openfoam(path, {})
    for other in ('t,x,y\n0,1,2\n', '', 'Points:0,Points:1,Points:2\n1,2,3\n'):
        path.write_text(other)
        assert not recognises(path)


@pytest.mark.skipif(not DATA.is_dir(), reason=f'no real data at {DATA} (USV_ENERGY_DATA)')
def test_paraviews_plane_is_returned_as_it_is():
    rows = np.loadtxt(DATA / 'wind_z10m.csv', delimiter=',', skiprows=1)
    flow = readers.open_flow(DATA / 'wind_z10m.csv')
    vx, vy, inside = flow.velocity(0.0, rows[:, 0], rows[:, 1])
    np.testing.assert_array_equal(inside, np.isfinite(rows[:, 3]))
    np.testing.assert_array_equal((vx, vy), rows[:, 3:5].T)
    told = json.loads(json.dumps(flow.describe(), allow_nan=False))
    assert told['points_with_value'] == 22_885 and told['height_m'] == 10.0
