"""Many boats at once with the same step functions as `sim`: compiled by numba, or on numpy arrays."""
