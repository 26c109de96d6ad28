"""Who gives what: the thrusts and angles of all thrusters that make a force for the least electrical power."""
