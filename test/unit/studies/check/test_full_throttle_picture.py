"""The picture of full throttle over charge: its line is the discharge, its points and dashes are the sheets."""

import numpy as np

from usv_energy.studies.check import boat_check_picture
from usv_energy.studies.check.boat_check_picture import plot_full_throttle
from usv_energy.studies.check.full_throttle import FullThrottle, SheetPoint

NEEDS = ('matplotlib',)


def test_line_points_and_dashes(kept_figures, tmp_path):
    figures = kept_figures(boat_check_picture)
    charge = np.linspace(1.0, 0.1, 10)
    found = FullThrottle(1.0 - charge, charge, 12.0 + 3.0 * charge, 30.0 + charge, 400.0 * charge, 90.0 * charge,
                         charge)
    sheets = (SheetPoint(16.0, np.nan, 103.0, 2.6, 650.0), SheetPoint(12.9, 0.3, 73.0, 2.1, 345.0))
    plot_full_throttle('boat', found, sheets, tmp_path / 'full.png')
    for axis, quantity in zip(figures[0].axes, ('bollard', 'speed', 'power')):
        line, *others = axis.get_lines()
        np.testing.assert_allclose(line.get_xydata().T, [100.0 * charge, getattr(found, quantity)])
        dashes = [other.get_ydata()[0] for other in others if other.get_linestyle() == '--']
        points = [tuple(other.get_xydata()[0]) for other in others if other.get_marker() == 'o']
        assert dashes == [getattr(point, quantity) for point in sheets]
        assert points == [(30.0, getattr(sheets[1], quantity))]
    assert (tmp_path / 'full.png').stat().st_size > 10_000
