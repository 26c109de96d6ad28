"""The picture of a mission's fit: measured and found voltage, and their difference in millivolts."""

import numpy as np

from usv_energy.studies.identify.cells import cell_report
from usv_energy.studies.identify.cells.cell_report import plot_pack
from usv_energy.studies.identify.cells.mission_fit import FoundNumber, MissionCourse, PackFit

NEEDS = ('matplotlib',)


def test_the_difference_is_measured_less_found(kept_figures, tmp_path):
    figures = kept_figures(cell_report)
    time, one = np.arange(120.0), FoundNumber(1.0, 0.9, 1.1, True)
    course = MissionCourse('a.csv', time, 15.0 - 0.001 * time, np.full(120, 14.9), 0.9 - 0.001 * time)
    plot_pack(PackFit({}, one, one, one, one, 0.01, 1.0, None, course), tmp_path / 'pack.png')
    above, below = figures[0].axes
    np.testing.assert_allclose(below.get_lines()[0].get_ydata(), 100.0 - time, atol=1e-9)
    np.testing.assert_allclose(above.get_lines()[0].get_xdata(), time / 60.0)
