"""Electrical power from thruster commands."""
