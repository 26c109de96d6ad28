"""XML is written in one way only."""

import math

import pytest
from sdf_reading import parse

from usv_energy.gazebo.sdf import document, number, text_of


def test_numbers_are_written_in_one_way_only():
    assert [number(x) for x in (1.0, -0.0, 0.1 + 0.2, 1e-12, 1 / 3, 11.5, 6.63296e-06)] == [
        '1', '0', '0.3', '1e-12', '0.3333333333', '11.5', '6.63296e-06']
    assert text_of((1.0, -2.5, True)) == '1 -2.5 1' and text_of(True) == 'true'
    for wrong in (math.nan, math.inf):
        with pytest.raises(ValueError, match='has no place in an SDF file'):
            number(wrong)


def test_a_comment_survives_hyphens():
    root = parse('<sdf/>')
    assert parse(document(root, 'a --b ---')).tag == 'sdf'
