import gc

from usv_energy.files.garbage import OBJECTS_KEPT, collect_seldom


def test_circles_are_looked_for_among_so_many_new_objects():
    before = gc.get_threshold()
    try:
        collect_seldom()
        assert gc.get_threshold() == (OBJECTS_KEPT, *before[1:])
    finally:
        gc.set_threshold(*before)
