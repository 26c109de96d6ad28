"""The picture of a polar diagram: what is drawn of the numbers."""

import matplotlib.figure
import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.plan.polar import PolarDiagram, PolarStudy
from usv_energy.studies.range.range_picture import plot_polar

NEEDS = ('matplotlib',)


def drawn(trim, angles, path, monkeypatch):
    """Return the axes of the picture of a boat whose speed is sin of the half angle, in winds of 2 and 4 m/s."""
    speed = np.sin(np.radians(np.minimum(angles, 360.0 - angles) / 2.0))[:, None] * np.array([1.0, 2.0])
    polar = PolarDiagram(angles, np.array([2.0, 4.0]), trim, speed, *[0.0 * speed] * 4)
    figures = []
    save = matplotlib.figure.Figure.savefig
    monkeypatch.setattr(matplotlib.figure.Figure, 'savefig',
                        lambda figure, *args, **words: (figures.append(figure), save(figure, *args, **words)))
    plot_polar(PolarStudy(read_boat('lutra_sail'), polar, 0.1), path)
    assert path.stat().st_size > 5000
    return figures[0].axes[0], speed


def test_a_line_a_wind_closed_all_around_and_the_best_on_both_tacks(tmp_path, monkeypatch):
    angles = np.arange(0.0, 360.0, 10.0)
    axes, speed = drawn('half', angles, tmp_path / 'p.png', monkeypatch)
    lines = [line for line in axes.lines if len(line.get_xdata()) == 37]
    np.testing.assert_allclose([line.get_ydata()[:-1] for line in lines], speed.T)
    assert all(line.get_ydata()[0] == line.get_ydata()[-1] for line in lines)
    assert [text.get_text() for text in axes.get_legend().texts] == ['2.00 m/s (3.9 kn)', '4.00 m/s (7.8 kn)']
    best = [np.degrees(line.get_xdata()) for line in axes.lines if line.get_marker() == 'o']
    assert [len(one) for one in best] == [2, 1, 2, 1], 'two tacks upwind, one way downwind, of each wind'
    assert best[0].sum() == pytest.approx(360.0)


def test_half_a_turn_stays_open_and_full_thrust_has_no_marks(tmp_path, monkeypatch):
    axes, _ = drawn(None, np.arange(0.0, 181.0, 10.0), tmp_path / 'p.png', monkeypatch)
    assert [len(line.get_xdata()) for line in axes.lines] == [19, 19]
