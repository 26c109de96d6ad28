"""The picture of a polar diagram: what is drawn of the numbers."""

import numpy as np
import pytest
from picture_checks import check_texts, kept_figures

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.plan.polar import PolarDiagram, PolarStudy
from usv_energy.studies.range.range_picture import plot_polar

NEEDS = ('matplotlib',)


def drawn(trim, angles, path, monkeypatch, winds=(2.0, 4.0)):
    """Return the axes of the picture of a boat whose speed is half the wind's, times sin of the half angle."""
    speed = np.sin(np.radians(np.minimum(angles, 360.0 - angles) / 2.0))[:, None] * (0.5 * np.array(winds))
    polar = PolarDiagram(angles, np.array(winds), trim, speed, *[0.0 * speed] * 4)
    figures = kept_figures(monkeypatch)
    plot_polar(PolarStudy(read_boat('lutra_sail'), polar, 0.1), path)
    assert path.stat().st_size > 5000
    check_texts(figures[0])
    return figures[0].axes[0], speed


def test_a_line_a_wind_closed_all_around_and_the_best_on_both_tacks(tmp_path, monkeypatch):
    angles = np.arange(0.0, 360.0, 10.0)
    axes, speed = drawn('half', angles, tmp_path / 'p.png', monkeypatch)
    lines = [line for line in axes.lines if len(line.get_xdata()) == 37]
    np.testing.assert_allclose([line.get_ydata()[:-1] for line in lines], speed.T)
    assert all(line.get_ydata()[0] == line.get_ydata()[-1] for line in lines)
    assert [text.get_text() for text in axes.figure.legends[0].texts] == ['2.00 m/s (3.9 kn)', '4.00 m/s (7.8 kn)']
    best = [np.degrees(line.get_xdata()) for line in axes.lines if line.get_marker() == 'o']
    assert [len(one) for one in best] == [2, 1, 2, 1], 'two tacks upwind, one way downwind, of each wind'
    assert best[0].sum() == pytest.approx(360.0)


def test_half_a_turn_stays_open_and_full_thrust_has_no_marks(tmp_path, monkeypatch):
    axes, _ = drawn(None, np.arange(0.0, 181.0, 10.0), tmp_path / 'p.png', monkeypatch)
    assert [len(line.get_xdata()) for line in axes.lines] == [19, 19]


def test_many_winds_have_their_names_beside_the_curves(tmp_path, monkeypatch):
    axes, _ = drawn('half', np.arange(0.0, 360.0, 10.0), tmp_path / 'p.png', monkeypatch, tuple(range(2, 12)))
    assert len(axes.figure.legends[0].texts) == 10
