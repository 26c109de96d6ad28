"""Boats for the tests of models: shipped ones, and one whose sway and yaw are coupled."""

import pytest

from usv_energy.boats.boat_file import read_boat

SHIPPED = ('lutra_prop', 'lutra_prop_eq57', 'lutra_prop_usvsim')


COUPLED = """
inertia: {m11: 20.0, m22: 45.0, m33: 6.0, m23: -4.0}
damping:
  linear: {d11: 3.0, d22: 9.0, d33: 2.0, d23: 1.5, d32: -2.5}
  quadratic: {d11: 5.0, d22: 30.0, d33: 4.0}
  speed: {d22: 6.0, d33: 5.0, d23: -3.0, d32: 7.0}
"""


@pytest.fixture
def boat_file(tmp_path):
    """Return a function that writes a boat file over lutra_prop and returns the boat."""
    def write(text):
        path = tmp_path / 'mine.yaml'
        path.write_text(f'base: lutra_prop\n{text}\n')
        return read_boat(str(path))
    return write


@pytest.fixture(params=[*SHIPPED, 'coupled'])
def boat(request, boat_file):
    return boat_file(COUPLED) if request.param == 'coupled' else read_boat(request.param)
