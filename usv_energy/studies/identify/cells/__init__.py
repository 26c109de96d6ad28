"""A battery's cells from bench measurements or missions."""
