"""Hull and propellers, on cruises whose truth shares no code with the product: found in time, and no false alarm."""

import math

import pytest
from hull_cruises import BLUEBOAT, LUTRA, STEP, Cruise, Water, tell

from usv_energy.analysis.cruise_blocks import CruiseSample
from usv_energy.analysis.drag_filters import FlowSpread
from usv_energy.analysis.hull_health import WAITING, HullState, HullWatch
from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import checked_boat_with

ONSET = 1500.0
TIDES, HARDLY = Water(), FlowSpread()


def vessel_of(boat):
    return checked_boat_with(read_boat(boat.name), {'static_load': boat.hotel,
                                                    'losses.efficiency': boat.efficiency}).vessel


def reports_of(boat, cruise, seconds, seed, water=TIDES, doubt=HARDLY):
    """Return the times, s, and the reports of a cruise."""
    watch, found = HullWatch(vessel_of(boat), doubt), []
    for told in tell(boat, cruise, water, seconds, seed):
        if watch.take(CruiseSample(*told[:9], boat.hotel)):
            found.append((told.time, watch.report()))
    return found


def fouled(factor, onset=ONSET):
    return lambda time: factor if time > onset else 1.0


@pytest.mark.parametrize('boat', [LUTRA, BLUEBOAT])
@pytest.mark.parametrize('seed', [11, 12, 13])
def test_a_fifth_more_drag_is_found_on_lanes_and_not_before(boat, seed):
    found = reports_of(boat, Cruise('lanes', drag=fouled(1.2)), 2100.0, seed)
    alarms = [time for time, report in found if report.state is HullState.MORE_DRAG]
    assert ONSET < alarms[0] < ONSET + 500.0
    last = found[-1][1]
    assert last.drag_ratio_lower < 1.2 < last.drag_ratio_upper and 'weed or fouling' in last.message
    assert last.since == pytest.approx(found[-1][0] - alarms[0], abs=1.0)


@pytest.mark.parametrize('water', [Water(), Water(tide=0.5, mean=0.4, wind=8.0), Water(known=True)])
def test_a_clean_hull_gives_no_alarm_in_currents_that_nobody_knows(water):
    for boat in (LUTRA, BLUEBOAT):
        assert HullState.MORE_DRAG not in {report.state for _, report in reports_of(
            boat, Cruise('lanes'), 3600.0, 21, water)}


def test_on_one_heading_nothing_is_alarmed_of_and_the_words_say_why():
    found = reports_of(LUTRA, Cruise('straight', drag=fouled(1.3)), 3600.0, 31)
    assert HullState.MORE_DRAG not in {report.state for _, report in found}
    assert any('other heading' in report.message for _, report in found if _ < ONSET)
    assert any('another heading tells' in report.message for _, report in found if _ > ONSET)


def test_weed_that_falls_off_is_noticed():
    found = reports_of(BLUEBOAT, Cruise('lanes', drag=lambda time: 1.3 if 1200.0 < time < 2400.0 else 1.0), 3600.0, 41)
    states = {round(time / 300.0): report.state for time, report in found}
    assert states[7] is HullState.MORE_DRAG and states[11] is not HullState.MORE_DRAG


def test_a_boat_that_starts_fouled_is_seen_once_the_current_is_told():
    found = reports_of(BLUEBOAT, Cruise('lanes', drag=fouled(1.3, -1.0)), 1500.0, 51)
    assert found[-1][1].state is HullState.MORE_DRAG and 'boat file' in found[-1][1].message


def test_a_trusted_current_lets_one_heading_do():
    water = Water(tide=0.0, mean=0.0, eddies=0.005)
    found = reports_of(LUTRA, Cruise('straight', drag=fouled(1.3)), 2400.0, 61, water, FlowSpread(0.02, 0.5))
    assert found[-1][1].state is HullState.MORE_DRAG


def test_nothing_is_said_before_steady_cruising_and_what_cannot_be_is_passed_by():
    watch = HullWatch(vessel_of(LUTRA))
    sample = CruiseSample(0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 40.0, 6.0)
    for k in range(200):
        assert not watch.take(sample._replace(time=STEP * k, watts=5.0 if k % 2 else math.nan))
    for k in range(200, 400):
        assert not watch.take(sample._replace(time=STEP * k, watts=3.0)), 'less than the loads take'
    report = watch.report()
    assert report.state is HullState.UNKNOWN and report.message == WAITING and math.isnan(report.drag_ratio)


def test_time_that_jumps_back_keeps_what_is_known():
    watch = HullWatch(vessel_of(LUTRA))
    for told in tell(LUTRA, Cruise('lanes'), Water(), 900.0, 71):
        watch.take(CruiseSample(*told[:9], LUTRA.hotel))
    before = watch.report()
    again = (CruiseSample(*told[:9], LUTRA.hotel) for told in tell(LUTRA, Cruise('lanes'), Water(), 60.0, 71))
    assert any([watch.take(sample) for sample in again])
    after = watch.report()
    assert after.drag_ratio == pytest.approx(before.drag_ratio, abs=0.05) and after.since >= 0.0
