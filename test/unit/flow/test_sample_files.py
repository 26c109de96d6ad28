"""The sample files are their closed forms."""

import numpy as np
import pytest
from needs import NEEDS_XARRAY
from netcdf_files import opened

from usv_energy.earth import metres_per_degree
from usv_energy.flow.sample_files import write_bay

pytestmark = NEEDS_XARRAY


def test_the_made_bay_is_the_closed_form_at_its_nodes(tmp_path):
    write_bay(tmp_path / 'bay.nc')
    source = opened(tmp_path / 'bay.nc', depth=5.0)
    y = np.array([0.00035 * 20 * metres_per_degree(48.3)[1]])
    plain_y = 0.00035 * 20 * 111200.0
    vx, _, inside = source.velocity(1800.0, np.zeros(1), y)
    assert inside[0]
    tide = 0.8 * np.cos(2.0 * np.pi * 0.5 / 12.42)
    assert vx[0] == pytest.approx(0.85 * tide * (1.0 + (260.0 / plain_y) ** 2), abs=0.0006)  # packed in mm/s
    assert not source.velocity(1800.0, np.zeros(1), np.zeros(1))[2][0]
