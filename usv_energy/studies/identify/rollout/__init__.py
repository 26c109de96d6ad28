"""A boat's parameters by roll-outs of the model against logs."""
