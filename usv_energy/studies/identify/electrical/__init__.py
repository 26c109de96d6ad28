"""Electrical power of thrusters, fitted over their commands or their revolutions."""
