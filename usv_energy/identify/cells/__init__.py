"""A battery's cells from bench measurements or missions: open-circuit voltage, resistances, lag, heat."""
