"""The penalty of barriers: its derivatives, the place of a part that is nearest, and forces that a finer path keeps."""

import numpy as np
import pytest
from route_flows import Box, Disc

from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.polishing.path_barriers import PathBarriers

PATH = np.column_stack((np.linspace(-2.0, 2.0, 9), np.linspace(0.5, 0.51, 9)))


def around(barrier):
    return PathBarriers(barrier, 8, 0.5)


def total(barriers, path):
    return barriers.penalty(barriers.contact(path)).sum()


def test_the_push_is_the_slope_of_the_penalty():
    barriers = around(Disc(0.1, 0.0, 0.52))
    slope, _ = barriers.penalty_derivatives(PATH, barriers.contact(PATH))
    by_point = np.zeros((9, 2))
    by_point[:-1] += slope[:, :2]
    by_point[1:] += slope[:, 2:]
    small = 1e-7
    for point in range(9):
        for axis in (0, 1):
            moved = small * np.outer(np.eye(9)[point], np.eye(2)[axis])
            change = (total(barriers, PATH + moved) - total(barriers, PATH - moved)) / (2.0 * small)
            assert by_point[point, axis] == pytest.approx(change, rel=2e-3, abs=1e-3 * abs(by_point).max())
    assert by_point[4, 1] < 0.0     # Down the slope is away from the disc's middle.


def test_the_corner_that_a_part_passes_is_found_between_the_samples():
    barriers = around(Box(0.06, -1.0, 0.3, 0.495))
    contact = barriers.contact(PATH)
    nearest = (contact.number == 0) & (contact.part == 4)
    assert contact.distance[nearest][0] == pytest.approx(0.5 + 0.01 * 2.06 / 4.0 - 0.495, abs=1e-4)
    assert contact.place[nearest][0] == pytest.approx(0.12, abs=0.05)  # The edge beyond it is as near.


def test_the_bend_of_the_penalty_at_a_corner_holds_that_parts_turn_round_it(rng):
    barriers = around(Box(0.2, -1.0, 0.2001, 0.496))
    bend = barriers.penalty_derivatives(PATH, barriers.contact(PATH))[1][4]
    small = 1e-5
    for move in rng.normal(size=(5, 4)):
        paths = [PATH + sign * small * np.vstack((np.zeros((4, 2)), move.reshape(2, 2), np.zeros((3, 2))))
                 for sign in (1.0, 0.0, -1.0)]
        ahead, here, back = (barriers.penalty(barriers.contact(path))[4] for path in paths)
        assert move @ bend @ move == pytest.approx((ahead - 2.0 * here + back) / small ** 2, rel=2e-2)


def test_off_barriers_there_is_nothing():
    for barrier in (NoBarriers(), Disc(0.0, 20.0, 1.0)):
        barriers = around(barrier)
        contact = barriers.contact(PATH)
        assert contact.part.size == 0
        assert total(barriers, PATH) == 0.0
        assert not barriers.penalty_derivatives(PATH, contact)[0].any()
        assert barriers.worst_violation(contact) == 0.0


def test_multipliers_grow_where_a_path_is_too_near_and_stay_in_their_places_on_a_finer_path():
    barriers = around(Disc(0.1, 0.0, 0.52))
    contact = barriers.contact(PATH)
    barriers.update_multipliers(contact)
    assert (barriers.multiplier > 0.0).any(axis=1).tolist() == [False] * 3 + [True] * 2 + [False] * 3
    finer = barriers.finer(0.03)
    assert finer.scale == 0.25
    for part, number in np.argwhere(barriers.multiplier > 0.0):
        place = contact.place[(contact.part == part) & (contact.number == number)][0]
        half, force = 2 * part + number, barriers.multiplier[part, number]      # A part of the finer path, and
        quarter = int(place >= (0.25 if number == 0 else 0.75))                 # its half, in which the place is.
        assert finer.multiplier[half, quarter] == (0.5 * force if place == number else force)
    assert finer.multiplier.sum() == pytest.approx(barriers.multiplier.sum(), rel=1e-12)


def test_along_a_straight_edge_a_path_is_held_by_its_points_alone():
    """Whatever way its parts turn a little, none of the samples jumps; on a finer path new points take their share."""
    wall = Box(-5.0, -1.0, 5.0, 0.49)
    for turn in (-1e-3, 1e-3):
        barriers = around(wall)
        path = PATH + np.column_stack((np.zeros(9), turn * (np.arange(9) % 2)))
        contact = barriers.contact(path)
        np.testing.assert_array_equal(contact.place, contact.number)
        barriers.update_multipliers(contact)
        finer = barriers.finer(0.03).multiplier
        np.testing.assert_allclose(finer[::2], np.repeat(0.5 * barriers.multiplier[:, :1], 2, axis=1), rtol=1e-12)
        np.testing.assert_allclose(finer[1::2], np.repeat(0.5 * barriers.multiplier[:, 1:], 2, axis=1), rtol=1e-12)
        assert (barriers.multiplier > 0.0).any()


def test_a_sample_at_a_corner_follows_it_as_the_path_moves():
    barriers = around(Box(0.2, -1.0, 0.2001, 0.49))
    contact = barriers.contact(PATH)
    moved = PATH - [0.05, 0.0]      # Along itself: the part's slope is 1 in 400.
    followed, fresh = barriers.moved(contact, moved), barriers.contact(moved)
    at = (contact.part == 4) & (contact.number == 0)
    assert followed.place[at][0] - contact.place[at][0] == pytest.approx(0.1, abs=1e-3)
    again = (fresh.part == 4) & (fresh.number == 0)
    assert followed.distance[at][0] == pytest.approx(fresh.distance[again][0], abs=1e-9)
