"""
ROS's own linters, where they are installed, by the settings of setup.cfg: what `colcon test` of a ROS user runs.

They read ROS's side of the package and the files that setup.cfg names. ruff, which `./run test` begins with, asks the
same of all files in a hundredth of their time.
"""

from ament_flake8.main import main_with_errors
from ament_pep257.main import main as main_of_pep257
from places import ROOT

NEEDS = ('ament_flake8', 'ament_pep257')
NAMED = ('studies/analyze/analysed_log.py', 'studies/plan/steady_motion.py', 'studies/route/route_order.py')
CHECKED = [str(ROOT / name) for name in ('usv_energy/ros', 'usv_energy/nodes', 'launch', 'setup.py',
                                         *(f'usv_energy/{name}' for name in NAMED))]


def test_flake8_finds_nothing():
    status, errors = main_with_errors(argv=['--config', str(ROOT / 'setup.cfg'), *CHECKED])
    assert status == 0, '\n'.join(errors)


def test_pep257_finds_nothing():
    """But for the form of first lines (D205, D400, D401, D415), which ruff leaves free, too."""
    assert main_of_pep257(['--add-ignore', 'D205', 'D400', 'D401', 'D415', '--', *CHECKED]) == 0
