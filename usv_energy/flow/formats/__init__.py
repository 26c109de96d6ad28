"""Readers of files of water current and wind, one folder per format."""
