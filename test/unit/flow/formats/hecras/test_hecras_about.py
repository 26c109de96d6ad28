"""What there is to say of a HEC-RAS plan."""

import numpy as np
import pytest

from usv_energy.flow.formats.hecras.hecras_about import speeds


def test_speeds_are_those_of_the_wet_cells():
    told = speeds(60.0, np.array([1.0, 2.0, 6.0]))
    assert told == {'time_s': 60.0, 'wet_cells': 3, 'min_m_per_s': 1.0, 'mean_m_per_s': pytest.approx(3.0),
                    'max_m_per_s': 6.0}


def test_a_dry_step_has_no_speeds():
    told = speeds(0.0, np.empty(0))
    assert told['wet_cells'] == 0 and [told[f'{name}_m_per_s'] for name in ('min', 'mean', 'max')] == [None] * 3
