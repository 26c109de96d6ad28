"""Filters of drag with rival accounts that left the base at given times."""

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.analyze.hull.drag_filters import DragFilters, FlowSpread

LUTRA = read_boat('lutra_prop').vessel
DOUBT = FlowSpread(0.2, 0.8)


def with_rivals(*births):
    """Return the filters of the Lutra Prop with rivals born at times, s."""
    filters = DragFilters(LUTRA, DOUBT)
    for birth in births:
        filters._branch(birth, 0.0)
    return filters
