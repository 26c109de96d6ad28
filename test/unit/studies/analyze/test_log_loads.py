"""Loads along a log: the run's own by name, off where the log has no leg, and what a log would cost without one."""

from dataclasses import replace

import pytest

from usv_energy.boats.load import Duty, Load, LoadRule, LoadTopic
from usv_energy.logs.read_log import read_log
from usv_energy.sim.leg_energy import WaypointOrder
from usv_energy.sim.run_files import LegBegin, write_samples
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_report import log_report, report_figures
from usv_energy.studies.runs.run_folder import write_run

SCENARIO = read_scenario('5')
LOADS = {'sonar': Load(20.0, Duty(0.1, 4.0)), 'radio': Load(3.5)}


def boat_of(loads, rules=None):
    rules = rules or tuple(map(LoadRule, loads))
    return replace(SCENARIO.boat, vessel=SCENARIO.boat.vessel._replace(loads=tuple(loads.values())), load_rules=rules)


@pytest.fixture(scope='module')
def run_and_log(tmp_path_factory):
    boat = boat_of(LOADS)
    run = run_scenario(replace(SCENARIO, boat=boat, plant=boat))
    path = tmp_path_factory.mktemp('run') / 'samples.csv'
    write_samples(run.rows, path)
    return run, read_log(path)


def test_a_run_s_log_has_its_loads_by_name(run_and_log):
    run, log = run_and_log
    analysed = analysed_log(log, boat_of(LOADS))
    energy = analysed.energy
    assert analysed.by_load == pytest.approx(run.by_load, rel=1e-9)
    assert sum(analysed.by_load) == pytest.approx(energy.loads, rel=1e-9)
    parts = energy.thrust + energy.unrecovered + energy.losses + energy.allocation + energy.static_load + energy.loads
    assert parts == pytest.approx(energy.total, rel=1e-9)
    assert energy.total - energy.loads == pytest.approx(analysed_log(log, SCENARIO.boat).energy.total, rel=1e-12)


def test_what_if_says_what_each_load_costs(run_and_log):
    _, log = run_and_log
    report = log_report(analysed_log(log, boat_of(LOADS)))
    changes = {change.name: change for change in report.changes}
    duration = report.steady.duration
    assert changes['without sonar'].change == pytest.approx(-2.0 * duration, rel=1e-9)  # Its mean, 10 % of 20 W.
    assert changes['without radio'].change == pytest.approx(-3.5 * duration, rel=1e-9)
    figures = report_figures(report)
    assert sum(figures['energy_by_load_j'].values()) == pytest.approx(figures['energy_loads_j'], rel=1e-9)


def test_a_load_by_leg_is_off_where_the_log_has_no_legs_and_that_is_said(run_and_log):
    _, log = run_and_log
    boat = boat_of({'winch': Load(100.0, share=0.0)}, (LoadRule('winch', ('2',)),))
    analysed = analysed_log(log, boat)
    assert analysed.by_load == (0.0,)
    assert [note.text for note in analysed.notes if note.code == 'loads_by_leg_off'] == [
        'the log does not say the leg, so loads by leg are taken as off: winch']


def test_a_load_by_leg_is_on_where_the_log_says_so(run_and_log):
    _, log = run_and_log
    boat = boat_of({'winch': Load(100.0, share=0.0)}, (LoadRule('winch', ('2',)),))
    named = replace(log, legs=(LegBegin(0.0, '1'), LegBegin(10.0, '2')))
    analysed = analysed_log(named, boat)
    assert analysed.by_load[0] == pytest.approx(100.0 * (log.duration - 10.0), rel=1e-6)
    assert not [note for note in analysed.notes if note.code == 'loads_by_leg_off']


def test_the_folder_of_a_run_has_its_legs(tmp_path):
    """Two ways and a stay of 10 s at the end of the first: what the run says of each load the analysis says, too."""
    rules = LoadRule('sonar', ('survey',)), LoadRule('winch', ('hold',)), LoadRule('lamp', ('2',))
    boat = boat_of({rule.name: Load(power, share=0.0) for rule, power in zip(rules, (35.0, 100.0, 1.0))}, rules)
    x, y = SCENARIO.start[:2]
    scenario = replace(SCENARIO, boat=boat, plant=boat, waypoints=((x + 10.0, y), (x + 20.0, y)),
                       orders=(WaypointOrder(name='survey', hold=10.0), WaypointOrder()))
    run = run_scenario(scenario)
    write_run(run, tmp_path, False, 'test')
    analysed = analysed_log(read_log(tmp_path), boat)
    assert run.by_load[1] == pytest.approx(1000.0, rel=0.02)
    by_leg = {leg.name: leg.of('duration') for leg in run.legs}
    assert run.by_load[0] == pytest.approx(35.0 * (by_leg['survey'] + by_leg['hold at survey']), rel=1e-9)
    assert run.by_load[2] == pytest.approx(by_leg['2'], rel=1e-9)
    assert sum(leg.of('loads') for leg in run.legs) == pytest.approx(sum(run.by_load), rel=1e-9)
    assert analysed.by_load == pytest.approx(run.by_load, rel=1e-9)
    assert sum(analysed.by_load) == pytest.approx(analysed.energy.loads, rel=1e-9)


def test_a_load_by_topic_has_its_stated_share_and_that_is_said(run_and_log):
    _, log = run_and_log
    boat = boat_of({'modem': Load(8.0, share=0.25)}, (LoadRule('modem', None, LoadTopic('modem/on', 'bool', 0.25)),))
    analysed = analysed_log(log, boat)
    assert analysed.by_load[0] == pytest.approx(2.0 * analysed.energy.duration, rel=1e-9)
    assert any('modem 25 %' in note.text for note in analysed.notes)


def test_a_number_stands_for_the_name_of_the_leg_in_the_order_of_the_log(run_and_log):
    _, log = run_and_log
    middle = 0.5 * log.duration
    log = replace(log, legs=(LegBegin(0.0, 'out'), LegBegin(middle, 'survey')))
    boat = boat_of({'winch': Load(100.0, share=0.0), 'lamp': Load(5.0, share=0.0)},
                   (LoadRule('winch', ('2',)), LoadRule('lamp', ('3',))))
    analysed = analysed_log(log, boat)
    assert analysed.by_load == pytest.approx((100.0 * (log.duration - middle), 0.0), rel=0.01)
    assert [note.code for note in analysed.warnings if 'lamp' in note.text] == ['load_without_leg']
