"""A boat's parameters from its logs: steady states, roll-out fits, electrical maps."""
