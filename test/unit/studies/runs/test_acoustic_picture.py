"""The picture of acoustic modems: words at a line lie where no other line is."""

import numpy as np
import pytest

from usv_energy.sim.acoustics.acoustic_run import AcousticContact
from usv_energy.studies.runs.acoustic_output import MARGIN, WORDS_WIDTH, _free_place

TIME = np.linspace(0.0, 1000.0, 101)


@pytest.mark.parametrize(('level', 'side'), [
    (70.0 + 0.1 * TIME, 'right'), (40.0 + 0.1 * TIME, 'left'), (94.0 + 0.0001 * (TIME - 500.0) ** 2 - 6.0, 'center'),
    (90.0 + 30.0 * np.exp(-((TIME - 500.0) / 100.0) ** 2), 'left')])
def test_words_stand_where_the_levels_are_farthest_from_the_line(level, side):
    contact = AcousticContact('a', 'b', TIME, TIME, level, 94.0, ((0.0, True),))
    place, found = _free_place([contact], 1000.0)
    assert found == side
    assert place == 1000.0 * {'left': MARGIN, 'center': 0.5, 'right': 1.0 - MARGIN}[side]
    begin = place - 1000.0 * WORDS_WIDTH * {'left': 0.0, 'center': 0.5, 'right': 1.0}[side]
    beneath = (begin <= TIME) & (begin + 1000.0 * WORDS_WIDTH >= TIME)
    assert np.abs(level - 94.0)[beneath].min() > 0.5
