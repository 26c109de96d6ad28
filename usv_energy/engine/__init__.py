"""Many boats at once by the one step of `sim`: compiled by numba, or on numpy arrays."""
