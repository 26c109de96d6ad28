"""Trials made to identify a boat: bollard pull, coast-down, power over speed."""
