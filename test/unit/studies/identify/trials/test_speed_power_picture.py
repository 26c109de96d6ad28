from pathlib import Path

import numpy as np
from png_files import png_size

from usv_energy.logs.log import Log
from usv_energy.studies.identify.trials.speed_power import speed_power
from usv_energy.studies.identify.trials.trial_report import speed_power_panels


def test_it_is_a_picture_of_its_size(tmp_path):
    speed, course = np.repeat([(one, to) for one in (1.0, 1.5, 2.0) for to in (0.0, np.pi)], 80, axis=0).T
    log = Log('log', Path('log.csv'), 0.5 * np.arange(speed.size), u=speed, v=0.0 * speed, yaw=course,
              electrical_power=20.0 + 5.0 * speed ** 3)
    speed_power_panels(speed_power([log])).write(tmp_path / 'a.png')
    width, height = png_size(tmp_path / 'a.png')
    assert width / height == 1.6
