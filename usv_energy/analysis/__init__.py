"""Recorded logs analysed: energy by cause, water current and drag estimated, hull and battery watched, what-if."""
