"""Formats of mission files: one file a format, reading and writing."""
