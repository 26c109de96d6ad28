"""The picture of a mission's fit: measured and found voltage, and their difference in millivolts."""

import numpy as np
from matplotlib.figure import Figure

from usv_energy.studies.identify.cells.cell_report import pack_panels
from usv_energy.studies.identify.cells.mission_fit import FoundNumber, MissionCourse, PackFit

NEEDS = ('matplotlib',)


def test_the_difference_is_measured_less_found():
    time, one = np.arange(120.0), FoundNumber(1.0, 0.9, 1.1, True)
    course = MissionCourse('a.csv', time, 15.0 - 0.001 * time, np.full(120, 14.9), 0.9 - 0.001 * time)
    drawn = pack_panels(PackFit({}, one, one, one, one, 0.01, 1.0, None, course)).by_name
    above, below = Figure().subplots(2)
    drawn['voltage'](above)
    drawn['residuals'](below)
    np.testing.assert_allclose(below.get_lines()[0].get_ydata(), 100.0 - time, atol=1e-9)
    np.testing.assert_allclose(above.get_lines()[0].get_xdata(), time / 60.0)
