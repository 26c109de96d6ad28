
import pytest
from analyze_files import BOAT, straight

from usv_energy.analysis.analysed_log import analysed_log
from usv_energy.analysis.flow_along_log import AnalysisOptions
from usv_energy.analysis.log_report import log_report


def test_noise_that_counts_as_braking_is_said_with_its_share(rng):
    log = straight(2000, u=1.0 + rng.normal(0.0, 0.1, 2000))
    note, = (note for note in log_report(analysed_log(log, BOAT)).notes if note.code == 'noisy_acceleration')
    assert note.figures['relative'] < -0.2
    smooth = analysed_log(log, BOAT, AnalysisOptions(time_constant=0.5))
    assert all(note.code != 'noisy_acceleration' for note in log_report(smooth).notes)
    assert smooth.energy.total == pytest.approx(analysed_log(straight(2000), BOAT).energy.total, rel=0.05)
    assert all(note.code != 'noisy_acceleration' for note in log_report(analysed_log(straight(2000), BOAT)).notes)
