from dataclasses import replace

import pytest
from analyze_files import BOAT, STILL_AIR, straight

from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import uniform_of
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.what_if import what_if


def test_what_a_tenth_slower_saves_is_the_closed_form():
    """Linear drag: a tenth slower takes 0.81 of the power for 1 / 0.9 of the time; a static load takes longer."""
    for static_load, factor in ((0.0, 0.9), (5.0, None)):
        boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR, static_load=static_load))
        base, changes = what_if(analysed_log(straight(), boat))
        d11 = BOAT.vessel.damping.d11
        wanted = factor or (0.81 * d11 + static_load) / 0.9 / (d11 + static_load)
        assert base.energy == pytest.approx((d11 + static_load) * 19.95, rel=1e-9)
        assert [one.name for one in changes] == ['10 % slower'], 'what was not there cannot be taken away'
        assert 1.0 + changes[0].relative == pytest.approx(wanted, rel=1e-9)
        assert changes[0].duration == pytest.approx(19.95 / 0.9)


def test_no_current_and_no_wind_cost_what_the_boat_takes_without_them():
    boat = replace(BOAT, vessel=BOAT.vessel._replace(windage=STILL_AIR))
    options = AnalysisOptions(current=uniform_of('0.4,28.64789', '', 'water'), wind=UniformFlow(1.0, 1.0))
    base, changes = what_if(analysed_log(straight(), boat, options))
    found = {one.name: one for one in changes}
    d11 = BOAT.vessel.damping.d11
    assert base.energy == pytest.approx(d11 * 0.36 * 19.95, rel=1e-6), 'a following current of 0.4 m/s'
    assert found['no current'].energy == pytest.approx(d11 * 19.95, rel=1e-6)
    assert found['no wind'].relative == pytest.approx(0.0, abs=1e-9), 'this boat has no windage'
