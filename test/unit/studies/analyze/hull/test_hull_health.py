"""Hull and propellers, on cruises whose truth shares no code with the product: found in time, and no false alarm."""

import cmath
import math
from types import SimpleNamespace

import numpy as np
import pytest
from hull_cruises import BLUEBOAT, LUTRA, STEP, Cruise, Water, tell

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.studies.analyze.hull.drag_filters import DRAG_SPREAD, FlowSpread
from usv_energy.studies.analyze.hull.hull_health import (
    BIAS_MEMORY,
    GAIN_ERROR,
    HEADING_MEMORY,
    HEALTHY_UP_TO,
    LEARNT,
    LOAD_ERROR,
    OFFSET,
    ONE_COURSE,
    ONE_HEADING,
    SEEN_SQUARE,
    SEEN_SUM,
    SURE,
    TRUSTED,
    WAITING,
    HullState,
    HullWatch,
    _bias,
    _duration,
)
from usv_energy.studies.analyze.hull.hull_response import PERIOD, CruiseBlock, CruiseSample

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


def watch_of(drag=0.0, deviation=0.01, current=(0.0, 0.0), spread=0.02, evidence=0.0, headings=0.0, bias=0.02,
             state=HullState.UNKNOWN, before=(math.nan, math.nan), doubt=HARDLY):
    """Return a watch whose filters say so: the logarithm of the drag, a current, m/s, with their deviations."""
    watch = HullWatch(vessel_of(LUTRA), doubt)
    mean, covariance = np.array([drag, *current, 0.0, 0.0, 0.0]), np.diag([deviation ** 2, *[spread ** 2] * 2, 1, 1, 1])
    watch._filters = SimpleNamespace(mixture=lambda: (mean, covariance), base_drag=(drag, deviation), sum=evidence)
    watch._headings, watch._bias, watch._state, watch._before = headings, bias, state, before
    watch._observed, watch._begin, watch._last = PERIOD, 100.0, 400.0
    return watch


@pytest.mark.parametrize(('state', 'least'), [(HullState.UNKNOWN, 1.05), (HullState.MORE_DRAG, 1.025)])
def test_drag_is_above_the_boat_files_by_a_twentieth_of_it_and_stays_above_half_of_that(state, least):
    """The whole interval is, with what stays wrong of the measured power in it."""
    edge = math.log(least) + SURE * math.hypot(0.01, 0.02)
    for drag, above in ((edge + 1e-9, True), (edge - 1e-9, False)):
        watch = watch_of(drag, state=state)
        assert watch._has_more_drag() is above and (watch._judged() is HullState.MORE_DRAG) is above


@pytest.mark.parametrize(('state', 'rise'), [(HullState.UNKNOWN, 1.1), (HullState.MORE_DRAG, 1.05)])
def test_drag_is_above_what_it_was_by_a_tenth_where_that_was_learnt(state, rise):
    """There the bias of the power cancels."""
    edge = -0.3 + math.log(rise) + SURE * math.hypot(0.01, 0.03)
    for drag, risen in ((edge + 1e-9, True), (edge - 1e-9, False)):
        assert watch_of(drag, bias=0.5, state=state, before=(-0.3, 0.03))._has_more_drag() is risen


def test_on_one_course_no_drag_is_told_from_a_current_unless_that_is_known():
    """One course: the mean of unit vectors along the bow of late is 0.9 long, or longer."""
    for headings, doubt, told in ((ONE_COURSE, HARDLY, False), (0.89, HARDLY, True), (0.89j, HARDLY, True),
                                  (1.0, FlowSpread(TRUSTED, 0.5), True), (1.0, FlowSpread(0.11, 0.5), False)):
        watch = watch_of(0.5, headings=headings, doubt=doubt)
        assert watch._drag_is_known() is told and watch._has_more_drag() is told
        width = SURE * math.sqrt(0.01 ** 2 + 0.02 ** 2 + (0.0 if told else DRAG_SPREAD ** 2))
        assert watch.interval() == pytest.approx((math.exp(0.5), math.exp(0.5 - width), math.exp(0.5 + width)))
    kept = watch_of(0.5, headings=1.0, state=HullState.MORE_DRAG)
    assert kept._has_more_drag(), 'an alarm stays on one course'


def test_a_current_is_seen_that_is_5_cm_a_second_and_surely_none_of_0():
    """13.8 squares of its deviations: 0.1 % of chi squared of two are beyond."""
    assert math.exp(-0.5 * SEEN_SQUARE) == pytest.approx(1e-3, rel=0.02)
    edge = 0.02 * math.sqrt(SEEN_SQUARE)
    for size, spread, seen in ((1.001 * edge, 0.02, True), (0.999 * edge, 0.02, False), (0.0499, 0.001, False),
                               (0.0501, 0.001, True)):
        current = 0.6 * size, -0.8 * size
        found = watch_of(current=current, spread=spread).current()
        assert found == (pytest.approx(current) if seen else None)
        assert watch_of(current=current, spread=spread)._judged() is (
            HullState.CURRENT_UNKNOWN if seen else HullState.HEALTHY)


def test_a_boat_is_healthy_whose_interval_ends_below_a_fifth_more():
    edge = math.log(HEALTHY_UP_TO) - SURE * math.hypot(0.01, 0.02)
    assert watch_of(edge - 1e-9)._judged() is HullState.MORE_DRAG, 'which is above a twentieth more, too'
    wide = SURE * math.hypot(0.06, 0.02)
    for drag, state in ((math.log(1.2) - wide - 1e-9, HullState.HEALTHY), (math.log(1.2) - wide + 1e-9,
                                                                           HullState.UNKNOWN)):
        assert watch_of(drag, 0.06)._judged() is state
    assert watch_of(evidence=SEEN_SUM)._judged() is HullState.HEALTHY
    assert watch_of(evidence=SEEN_SUM + 0.1)._judged() is HullState.CURRENT_UNKNOWN


def test_the_words_of_every_state():
    """Since 300 s. A drag is told above the boat file, or above what it was where it rose by more than that."""
    within = "drag is 1.17 to 1.27 of the boat file's"
    words = {
        'MORE_DRAG boat': watch_of(math.log(1.22), 0.01, state=HullState.MORE_DRAG),
        'MORE_DRAG was': watch_of(math.log(1.22), 0.01, state=HullState.MORE_DRAG, before=(math.log(0.9), 0.01)),
        'CURRENT power': watch_of(math.log(1.22), 0.01, evidence=31.0, state=HullState.CURRENT_UNKNOWN),
        'CURRENT seen': watch_of(0.0, 0.01, (-0.3, 0.4), state=HullState.CURRENT_UNKNOWN),
        'HEALTHY': watch_of(0.0, 0.01, state=HullState.HEALTHY)}
    told = {name: watch.report() for name, watch in words.items()}
    assert {report.since for report in told.values()} == {300.0} and told['HEALTHY'].observed == PERIOD
    assert told['MORE_DRAG boat'].message.startswith('drag 22 % above the boat file for 5 minutes: weed or fouling')
    assert told['MORE_DRAG boat'].message.endswith(within)
    assert told['MORE_DRAG was'].message.startswith('drag 36 % above what it was for 5 minutes')
    assert told['CURRENT power'].message == ('the power has changed: by the drag or by the water current; another '
                                             f'heading tells which; {within}{ONE_HEADING}')
    assert told['CURRENT seen'].message.startswith(
        'a water current of 0.50 m/s (1.0 kn) set 323 (NW) beyond the known one; drag is 0.96 to')
    assert told['HEALTHY'].message == "drag is 0.96 to 1.04 of the boat file's"


def test_a_duration_is_told_in_seconds_minutes_and_hours():
    assert [_duration(seconds) for seconds in (89.4, 90.0, 150.1, 119.4 * 60.0, 119.6 * 60.0, 9000.0)] == [
        '89 s', '2 minutes', '3 minutes', '119 minutes', '2.0 h', '2.5 h']


def test_what_stays_wrong_of_the_power_is_gain_offset_and_loads():
    """46 W, 6 W of them loads: 2 %, and 0.75 W beside 5 % of 6 W, over 40 W."""
    block = CruiseBlock(0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 46.0, 6.0, 0.0)
    assert _bias(block) == pytest.approx(math.sqrt(0.02 ** 2 + (0.75 ** 2 + 0.3 ** 2) / 40.0 ** 2))
    assert (GAIN_ERROR, OFFSET, LOAD_ERROR) == (0.02, 0.75, 0.05)


def test_headings_and_bias_are_averaged_over_blocks_and_a_change_starts_what_was_observed_anew():
    """The first heading counts whole; the drag before a change is kept where it was known to 5 %."""
    watch, says = HullWatch(vessel_of(LUTRA)), {'changed': False, 'deviation': 0.5}
    block = CruiseBlock(100.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 46.0, 6.0, 0.0)
    made = watch_of(0.02, 0.01)._filters
    watch._filters = SimpleNamespace(take=lambda one: says['changed'], mixture=made.mixture, sum=0.0,
                                     base_drag=(0.1, 0.01), forget_time=lambda: says.update(forgotten=True))
    blocks = iter([block, block._replace(time=110.0, yaw=2.5), block._replace(time=120.0), block._replace(time=40.0),
                   block._replace(watts=6.0)])
    watch._blocks = SimpleNamespace(add=lambda sample: next(blocks))
    assert watch.take(None) and watch._headings == cmath.rect(1.0, 0.5)
    bias = GAIN_ERROR + (_bias(block) - GAIN_ERROR) / BIAS_MEMORY
    assert watch._bias == pytest.approx(bias) and (watch._begin, watch._observed) == (100.0, PERIOD)
    assert watch.take(None)
    one = cmath.rect(1.0, 0.5)
    assert watch._headings == pytest.approx(one + (cmath.rect(1.0, 2.5) - one) / HEADING_MEMORY)
    assert watch._bias == pytest.approx(bias + (_bias(block) - bias) / BIAS_MEMORY)
    assert (watch._observed, watch._last, math.isnan(watch._before[0])) == (2.0 * PERIOD, 110.0, True)
    says['changed'] = True
    assert watch.take(None) and watch._observed == PERIOD and watch._before == (0.1, 0.01) and LEARNT > 0.01
    begin = watch._begin
    says['changed'] = False
    assert watch.take(None) and says['forgotten'] and watch._begin == begin - 80.0
    assert watch.take(None) is False, 'loads take it all'
