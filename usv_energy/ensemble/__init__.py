"""Many boats: one scenario with parameters that vary, run by a compiled loop, by numpy, or on a GPU."""
