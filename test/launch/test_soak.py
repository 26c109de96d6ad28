"""A few seconds of bench/soak.py: what is right after two hours is right after a reset and a kill, too."""

import json
import sys

import pytest
from launched import DEADLINE, ROOT

SHORT = ('--hours', 0.015, '--rate', 10, '--reset-every', 0.25, '--kill-every', 0.5, '--deactivate-every', 0.3)


def test_no_joule_is_lost_over_loops_resets_a_kill_and_a_deactivation(start, tmp_path):
    pytest.importorskip('rosbags', reason='recording a bag here needs rosbags')
    figures = tmp_path / 'soak.json'
    soak = start(sys.executable, ROOT / 'bench' / 'soak.py', *SHORT, '--json', figures)
    # 1 would be a verdict that fails: here only memory may, whose flatness takes longer to tell.
    assert soak.exit_code(2.0 * DEADLINE) in (0, 1), soak.output()
    assert figures.exists(), soak.output()
    told = json.loads(figures.read_text())['benchmarks']['soak']
    assert told['failed'] is None, soak.output()
    counts = told['figures']
    assert counts['loops_count'] >= 1
    assert counts['b_kills_count'] >= 1
    assert counts['b_deactivations_count'] >= 1
    assert counts['a_resets_count'] >= 2
    assert counts['a_energy_j'] > 500.0
    assert counts['b_energy_j'] > 0.0
    missed = [key for key, aim in told['aims'].items() if not aim['reached'] and 'growth' not in key]
    assert missed == [], soak.output()


@pytest.mark.parametrize(('argument', 'said'), [
    (('--hours', 0), '--hours is 0.0; must be greater than 0'),
    (('--kill-every', -1), '--kill-every is -1.0; must be at least 0'),
    (('--json', '.'), 'is a folder'),
])
def test_a_wrong_argument_is_named(start, argument, said):
    soak = start(sys.executable, ROOT / 'bench' / 'soak.py', *argument)
    assert soak.exit_code() == 2
    assert said in soak.output()
    assert 'Traceback' not in soak.output()
