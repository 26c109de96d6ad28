import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.foils.foil import Foil, curve_of_table
from usv_energy.studies.check import boat_check_picture
from usv_energy.studies.check.boat_check import FullThrottle, SheetPoint, boat_check
from usv_energy.studies.check.boat_check_picture import foil_coefficients, plot_boat_check, plot_full_throttle

NEEDS = ('matplotlib',)


def test_coefficients_of_a_foil_are_those_of_its_form():
    """C_L = lift sin 2a and C_D = drag0 + drag (1 - cos 2a); those of a table are interpolated."""
    attack = np.radians([0.0, 15.0, 45.0, 90.0])
    closed = Foil(0.0, 0.0, 1.0, 997.0, lift=1.5, drag=1.0, drag0=0.1, aft=0.0)
    lift, drag = foil_coefficients(closed, attack)
    np.testing.assert_allclose(lift, [0.0, 0.75, 1.5, 0.0], atol=1e-12)
    np.testing.assert_allclose(drag, [0.1, 0.1 + 1.0 - np.cos(np.radians(30.0)), 1.1, 2.1])
    table = closed._replace(curve=curve_of_table([[0, 0, 0.02], [30, 1.2, 0.3], [90, 0.0, 1.8]], ''))
    lift, drag = foil_coefficients(table, attack)
    np.testing.assert_allclose(lift, [0.0, 0.6, 0.9, 0.0], atol=1e-12)
    np.testing.assert_allclose(drag, [0.02, 0.16, 0.675, 1.8])


@pytest.fixture
def panels(kept_figures, tmp_path):
    """Return a function from a boat's text to the axes of its picture."""
    figures = kept_figures(boat_check_picture)

    def drawn(text):
        (tmp_path / 'mine.yaml').write_text(text)
        check = boat_check(read_boat(str(tmp_path / 'mine.yaml')))
        plot_boat_check(check, tmp_path / 'boat.png')
        return check, {axes.get_title(loc='left'): axes for axes in figures[-1].axes}
    return drawn


def test_the_curves_of_a_pair_are_its_figures(panels):
    check, axes = panels('base: lutra_prop\nname: mine\n')
    forces = axes['Drag and available thrust, N']
    drag, available = forces.lines[:2]
    np.testing.assert_array_equal(drag.get_ydata(), check.curves.drag)
    np.testing.assert_array_equal(available.get_ydata(), check.curves.available)
    np.testing.assert_array_equal(axes['Electrical power, W'].lines[0].get_ydata(), check.curves.power)
    np.testing.assert_array_equal(axes['Steady turns by thrust difference'].lines[0].get_ydata(), check.turning.radius)
    assert not any('foils' in title for title in axes)


def test_a_boat_that_cannot_turn_has_no_panel_of_turns_and_one_of_its_skeg(panels):
    _, axes = panels("""
base: lutra_prop
name: mine
thrusters: [{name: a, x: -0.4, y: 0, min_thrust: 0, max_thrust: 9}]
foils: [{name: skeg, x: -0.4, y: 0, area: 0.01, density: 997, lift: 1.5, drag: 1.0}]
""")
    assert not any('turns' in title for title in axes)
    lift, drag = axes['Lift (solid) and drag (dashed) of foils'].lines
    assert lift.get_ydata().max() == pytest.approx(1.5) and drag.get_ydata().max() == pytest.approx(2.0)


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
