"""A simulated boat for a real autopilot: orders in, motion out, and how late everything was."""
