import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.analysis.analysed_log import analysed_log
from usv_energy.analysis.flow_along_log import AnalysisOptions
from usv_energy.analysis.log_report import log_report


def test_a_side_force_that_no_thruster_gives_is_said_with_its_share():
    """A boat that slips sideways at 0.3 m/s all the way: d22 v^2 of 16.3 + ... W that is no propulsion."""
    slipping = log_report(analysed_log(straight(v=np.full(400, 0.3)), BOAT, AnalysisOptions(motion='recorded')))
    note, = (note for note in slipping.notes if note.code == 'side_force')
    assert slipping.side_force_share == note.figures['relative'] < 0.0
    given = slipping.analysed.energy.thrust + slipping.analysed.energy.unrecovered
    assert slipping.side_force_share * given == pytest.approx(slipping.analysed.energy.side_force)
    assert -slipping.analysed.energy.side_force == pytest.approx(10.193 * 0.09 * 19.95, rel=0.02), 'less the wind\'s'
    ahead = log_report(analysed_log(straight(), BOAT))
    assert ahead.side_force_share == pytest.approx(0.0, abs=1e-12)
    assert all(note.code != 'side_force' for note in ahead.notes)
    thesis = log_report(analysed_log(straight(v=np.full(400, 0.3)), BOAT, AnalysisOptions('as_published', 'recorded')))
    assert thesis.side_force_share == 0.0, 'it bills a side force as propulsion'
