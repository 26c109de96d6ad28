"""The picture of a sweep: which values of its axes have a map, and that each map holds its own energies."""

import matplotlib.figure
import numpy as np
import pytest

from usv_energy.engine.sweep.sweep_file import read_sweep
from usv_energy.studies.runs import sweep_output

NEEDS = ('matplotlib',)


@pytest.mark.parametrize(('directions', 'shown', 'rows'), [
    ([0, 45, 90, 135, 180, 225, 270, 315], [0, 45, 90, 135, 180, 225, 270, 315], 2), ([0, 120, 240], [0, 120, 240], 1),
    ([0, 60, 120, 180, 240], [0, 60, 120, 180, 240], 2), (list(range(0, 360, 24)), None, 2)])
def test_a_map_a_value_of_the_third_axis_up_to_eight(tmp_path, monkeypatch, directions, shown, rows):
    """Energies are the direction itself, so that each map tells which it is."""
    path = tmp_path / 's.yaml'
    path.write_text('title: s\nscenario: "5"\ngrid:\n  speed.target: [0.5, 1.0]\n  current.speed: [0.1, 0.2, 0.3]\n'
                    f'  current.direction_deg: {directions}\n')
    figures = []
    save = matplotlib.figure.Figure.savefig
    monkeypatch.setattr(matplotlib.figure.Figure, 'savefig',
                        lambda figure, *args, **words: (figures.append(figure), save(figure, *args, **words)))
    energy = np.broadcast_to(np.asarray(directions, dtype=float), (2, 3, len(directions)))
    sweep_output._plot_maps(read_sweep(str(path)), energy, tmp_path / 's.png')
    maps = [axes for axes in figures[0].axes if axes.get_title('left')]
    words = [axes.get_title('left').split() for axes in maps]
    assert all(one[:2] == ['Current', 'set'] and one[3:] == ['deg'] for one in words)
    titles = [(90.0 - float(one[2])) % 360.0 for one in words]     # From the compass to counter-clockwise from east.
    assert titles == (shown or titles) and len(titles) <= sweep_output.PANELS
    assert (titles[0], titles[-1]) == (directions[0], directions[-1])
    assert [axes.collections[0].get_array().min() for axes in maps] == titles
    assert len({round(axes.get_position().y0, 3) for axes in maps}) == rows
