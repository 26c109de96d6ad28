"""All numbers of a vessel in their order, for tests that compare boats."""

import numpy as np

from usv_energy.engine.run_state import leaves


def vessel_numbers(vessel):
    """Return the numbers of a Vessel, or of another tuple of tuples, shape (n,): those in its arrays too."""
    return np.concatenate([np.ravel(leaf) for leaf in leaves(vessel)])
