"""A boat's numbers from its logs and trials: roll-outs, steady states, electrical power, cells, trials, waves."""
