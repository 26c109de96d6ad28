import json
from dataclasses import replace

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import ALLOCATED, AnalysisOptions
from usv_energy.studies.analyze.log_report import log_report, log_title, report_figures
from usv_energy.studies.compare.comparison import PARTS


@pytest.mark.parametrize(('path', 'title'), [
    ('trip/samples.csv', 'trip'), ('trip/bag/bag_0.mcap', 'trip'), ('trip/bag', 'trip'), ('trip/north.csv', 'north'),
    ('trip', 'trip')])
def test_a_log_is_called_by_what_tells_it_from_others(tmp_path, path, title):
    (tmp_path / 'trip/bag').mkdir(parents=True)
    for name in ('samples.csv', 'north.csv', 'bag/bag_0.mcap'):
        (tmp_path / 'trip' / name).touch()
    assert log_title(replace(straight(), path=tmp_path / path)) == title


def test_figures_are_json_and_their_causes_add_up():
    log = replace(straight(), electrical_power=np.full(400, 20.0))
    figures = report_figures(log_report(analysed_log(log, BOAT)))
    assert json.loads(json.dumps(figures, allow_nan=False)) == figures
    assert sum(figures[f'energy_{cause}_j'] for cause in PARTS) == pytest.approx(figures['energy_j'], rel=1e-12)
    assert figures['mean_power_w'] * figures['duration_s'] == pytest.approx(figures['energy_j'], rel=1e-12)
    assert figures['measured']['measured_energy_j'] == pytest.approx(20.0 * 19.9), '399 steps of 0.05 s, less the first'
    assert figures['live_energy_j'] is None and figures['closure_relative'] is None


def test_means_are_over_the_time_that_is_integrated_and_the_power_s_source_is_told():
    """A boat at 1 m/s for 19.95 s, its way over ground; thrusts that a log has are not used where one says so."""
    thrust = np.tile([8.0, 9.0], (400, 1))
    log = replace(straight(), thrust=thrust, thrusters=BOAT.thruster_names)
    for options, source in ((AnalysisOptions(), 'thrusts'), (AnalysisOptions(actuators=ALLOCATED), 'cheapest way')):
        figures = report_figures(log_report(analysed_log(log, BOAT, options)))
        assert source in figures['actuators']
        assert figures['duration_s'] == pytest.approx(19.95)
        assert figures['mean_power_w'] == pytest.approx(figures['energy_j'] / 19.95)
        assert figures['mean_speed_over_ground_m_s'] == pytest.approx(1.0)
    assert report_figures(log_report(analysed_log(straight(), BOAT)))['actuators'] == 'cheapest way'
