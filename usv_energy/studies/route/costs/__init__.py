"""The power of steady motions as tables for the search of routes."""
