"""Graphs: their nodes and parameters, launch files, composition in one process, the monitor."""
