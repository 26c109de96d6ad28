"""A battery's cell from its measurements: open-circuit voltage, resistances, lag, heat."""
