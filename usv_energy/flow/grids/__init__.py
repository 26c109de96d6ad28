"""Flows on grids, curvilinear lattices and triangles."""
