"""HEC-RAS 2D plans."""
