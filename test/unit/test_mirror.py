"""
A file finds its tests at the same place: usv_energy/<room>/<file>.py in test/unit/<room>/test_<file>.py.

A long one may be split by what it looks at, test_<file>_<aspect>.py. What is tested through another file stands in
ELSEWHERE, with the test that does it; nodes are tested on a real graph, in test/node and test/launch.
"""

from collections import Counter
from pathlib import Path

import pytest
from places import ROOT

PACKAGE, UNIT = ROOT / 'usv_energy', ROOT / 'test' / 'unit'
ON_A_GRAPH = ('nodes', 'ros')
MODULES = sorted(path.relative_to(PACKAGE).with_suffix('') for path in PACKAGE.rglob('*.py')
                 if path.name != '__init__.py')
TESTS = sorted(path.relative_to(UNIT) for path in UNIT.rglob('test_*.py'))
# Files without a test file of the same name, and the test that covers each of them.
ELSEWHERE = {
    'commands/log_arguments': 'unit/commands/test_identify.py',
    'commands/monitor': 'node/test_monitor.py',
    'boats/hull_parts': 'unit/boats/test_parted_hull_of.py',
    'engine/block_around': 'unit/engine/test_ensemble_waves.py',
    'engine/run_around': 'unit/engine/test_ensemble_waves.py',
    'physics/compiled_waves': 'unit/engine/test_ensemble_waves.py',
    'show/text/sea_text': 'unit/commands/test_range.py',
    'engine/episode': 'unit/engine/test_boat_environment.py',
    'engine/numpy_engine': 'unit/engine/test_ensemble.py',
    'engine/python_engine': 'unit/engine/test_ensemble.py',
    'engine/results': 'unit/engine/test_ensemble.py',
    'engine/run_state': 'unit/engine/test_ensemble.py',
    'engine/run_start': 'unit/engine/test_ensemble.py',
    'engine/run_steps': 'unit/engine/test_ensemble.py',
    'engine/single_run': 'unit/engine/test_numba_engine.py',
    'planning/corner_costs': 'unit/planning/test_mission_estimate_legs.py',
    'planning/mission_advice': 'unit/planning/test_mission_study.py',
    'planning/mission_scenario': 'unit/planning/test_mission_estimate_legs.py',
    'show/text/acoustic_text': 'unit/commands/test_acoustics.py',
    'show/text/hil_text': 'unit/commands/test_hil.py',
    'show/pictures/team_picture': 'unit/commands/test_team.py',
    'show/text/team_text': 'unit/air/test_team_run.py',
    'show/text/lane_text': 'unit/commands/test_mission_make.py',
    'show/text/departures_text': 'unit/planning/test_mission_study.py',
    'show/text/mission_study_text': 'unit/planning/test_mission_study.py',
    'show/text/mission_words': 'unit/planning/test_mission_study.py',
    'sim/waypoint_order': 'unit/sim/test_autopilot.py',
    'files/errors': 'unit/files/test_checked.py',
    'files/progress_protocol': 'unit/show/test_progress.py',
    'logs/telemetry_vehicles': 'unit/logs/test_telemetry.py',
    'identify/rollout/identification_result': 'unit/identify/rollout/test_identification.py',
    'show/text/rotor_text': 'unit/identify/electrical/test_rotor_report.py',
    'show/figure': 'unit/show/test_run_folder.py',
    'show/page/page_pictures': 'unit/show/page/test_report_page.py',
    'show/page/mission_assumptions': 'unit/show/page/test_mission_page.py',
    'show/page/mission_drawings': 'unit/show/page/test_mission_page.py',
    'routes/hop_ways': 'unit/routes/test_hop_search.py',
    'routes/route_study': 'unit/show/text/test_route_text.py',
    'show/page/route_drawings': 'unit/show/page/test_route_page.py',
    'show/page/page_template': 'unit/show/page/test_report_page.py',
    'show/page/page_svg': 'unit/show/page/test_report_page.py',
    'show/pictures/overlay_picture': 'unit/commands/test_overlay.py',
    'show/text/overlay_text': 'unit/commands/test_overlay.py',
    'show/pictures/cell_picture': 'unit/commands/test_identify_battery.py',
    'show/text/cell_text': 'unit/commands/test_identify_battery.py',
    'show/pictures/bollard_picture': 'unit/commands/test_identify_bollard.py',
    'show/text/bollard_text': 'unit/commands/test_identify_bollard.py',
    'show/pictures/wave_fit_picture': 'unit/commands/test_identify_waves.py',
    'show/text/wave_fit_text': 'unit/commands/test_identify_waves.py',
    'show/pictures/coast_down_picture': 'unit/commands/test_identify_coast_down.py',
    'show/text/coast_down_text': 'unit/commands/test_identify_coast_down.py',
    'show/pictures/maneuver_picture': 'unit/commands/test_maneuvers.py',
    'show/text/maneuver_text': 'unit/commands/test_maneuvers.py',
    'show/pictures/electrical_picture': 'unit/commands/test_identify_electrical.py',
    'show/pictures/rotor_picture': 'unit/commands/test_identify_electrical_revolutions.py',
    'show/pictures/flow_map': 'unit/commands/test_flow.py',
    'show/pictures/map_pictures': 'unit/commands/test_maps.py',
    'show/pictures/range_picture': 'unit/commands/test_range.py',
    'show/pictures/rollout_pictures': 'unit/commands/test_identify.py',
    'show/pictures/run_picture': 'unit/show/test_run_folder.py',
    'show/pictures/steady_picture': 'unit/commands/test_identify_steady.py',
    'show/text/electrical_text': 'unit/commands/test_identify_electrical.py',
    'show/text/flow_text': 'unit/commands/test_flow.py',
    'show/text/steady_text': 'unit/commands/test_identify_steady.py',
    'sim/steady_closure': 'unit/commands/test_closure.py',
    'sim/plant_step': 'unit/sim/test_plant.py',
    'start': 'launch/test_without_messages.py',
    'version': 'unit/test_api.py',
}
COMMAND_CHAINS = ('commands/test_identification_chain.py', 'commands/test_cli.py')


def own_tests(module):
    """Return the test files at a module's place in the mirror."""
    folder = UNIT / module.parent
    return [path for path in (folder.glob(f'test_{module.name}*.py') if folder.is_dir() else ())
            if module_of(path.relative_to(UNIT)) == module]


def module_of(test):
    """Return the module that a test file is for: the longest name that its own begins with; None if there is none."""
    name = test.stem.removeprefix('test_')
    near = [module for module in MODULES if module.parent == test.parent
            and (name == module.name or name.startswith(f'{module.name}_'))]
    return max(near, key=lambda module: len(module.name), default=None)


@pytest.mark.parametrize('test', [test for test in TESTS if (PACKAGE / test.parent).is_dir() and test.parent.name
                                  and str(test) not in COMMAND_CHAINS],
                         ids=str)
def test_a_test_file_is_named_for_a_file(test):
    assert module_of(test) is not None, f'{test} tests no file of usv_energy/{test.parent}'


def test_no_two_test_files_share_a_name():
    """Pytest imports them by their names alone."""
    names = Counter(path.name for path in (ROOT / 'test').rglob('test_*.py'))
    assert [name for name, number in names.items() if number > 1] == []


@pytest.mark.parametrize('module', [module for module in MODULES if module.parts[0] not in ON_A_GRAPH], ids=str)
def test_a_file_finds_its_tests(module):
    if str(module) in ELSEWHERE:
        assert (ROOT / 'test' / ELSEWHERE[str(module)]).is_file()
        assert not own_tests(module), f'{module} has a test file now: take it out of ELSEWHERE'
    else:
        assert own_tests(module), f'no test/unit/{module.parent}/test_{module.name}.py'


def test_every_file_that_is_tested_elsewhere_is_there():
    assert set(ELSEWHERE) <= {str(module) for module in MODULES}


@pytest.mark.parametrize('module', [module for module in MODULES if module.parts[0] == 'nodes'
                                    and module.name != 'flow_client'], ids=str)
def test_a_node_is_brought_up_in_a_test(module):
    texts = [path.read_text(encoding='utf-8') for folder in ('node', 'launch', 'gazebo')
             for path in Path(ROOT / 'test' / folder).glob('*.py')]
    name = ''.join(part.title() for part in module.name.split('_'))
    assert any(module.name in text or name in text for text in texts)
