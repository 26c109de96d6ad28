"""Many boats at once by the one step of `sim`: compiled by numba, on numpy arrays, or on a GPU."""
