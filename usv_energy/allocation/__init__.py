"""Allocation: the thrusts and angles that give a force for the least electrical power."""
