"""Boats that are stepped: in the plane, on cells, afloat in waves, tied, beside another simulator."""
