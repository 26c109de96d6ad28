import importlib.util
import json
import math
import os
import subprocess
import sys

import pytest
from places import ROOT

BENCHMARKS = ('plant', 'latency', 'processes', 'executors', 'lockstep')


def bench(*args):
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get('PYTHONPATH'))))
    return subprocess.run([sys.executable, str(ROOT / 'bench' / 'run.py'), *args], capture_output=True, text=True,
                          timeout=600.0, env={**os.environ, 'PYTHONPATH': path})


@pytest.fixture
def report():
    spec = importlib.util.spec_from_file_location('bench_report', ROOT / 'bench' / 'report.py')
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize(('args', 'named'), [
    (['--only', 'plant', 'speed'], ['speed', *BENCHMARKS]),
    (['--only'], ['--only']),
    (['--fast'], ['--fast']),
    (['--peer', 'nowhere'], ['nowhere', 'otter.py']),
    (['--route-peer', 'nowhere'], ['nowhere', 'solver_ef.py']),
    (['--route-peer-python', 'nowhere'], ['nowhere', 'no such file']),
    (['--json', '.'], ['.', 'folder']),
    (['--busy', '-1'], ['--busy -1', '0 or greater']),
    (['--json', 'no/such/folder/figures.json'], ['no/such/folder/figures.json', 'there is no folder']),
])
def test_wrong_arguments_are_named_before_anything_runs(args, named):
    done = bench(*args)
    assert done.returncode == 2
    assert done.stdout == ''
    assert all(text in done.stderr for text in named)
    assert 'Traceback' not in done.stderr


def test_list_names_every_benchmark():
    done = bench('--list')
    assert done.returncode == 0
    assert set(BENCHMARKS) <= {line.split()[0] for line in done.stdout.splitlines()}


def test_the_plant_gives_positive_figures_and_says_what_it_left_out():
    done = bench('--only', 'plant', '--quick', '--json', '-')
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document['quick'] is True
    assert list(document['benchmarks']) == ['plant']
    plant = document['benchmarks']['plant']
    assert {'rk4_steps_per_s', 'runner_steps_per_s', 'power_float_calls_per_s',
            'power_array_samples_per_s', 'runner_over_rk4_ratio'} == set(plant['figures'])
    assert all(value > 0.0 for value in plant['figures'].values())
    assert all(low <= plant['figures'][key] <= high for key, (low, high) in plant['spread'].items())
    assert '--peer' in plant['skipped']['peer']
    assert plant['failed'] is None


def test_a_percentile_is_a_value_that_was_measured(report):
    values = list(range(100, 0, -1))
    assert [report.percentile(values, share) for share in (0.0, 0.5, 0.99, 1.0)] == [1, 50, 99, 100]
    assert math.isnan(report.percentile([], 0.5))


def test_a_missed_aim_is_said_in_table_and_json(report):
    result = report.Result('latency')
    result.add('p99_ms', [4.0, 9.0, 6.0], aim=5.0)
    result.add('lost_count', [0], aim=0)
    assert 'MISSED: at most 5' in report.table([result])
    assert 'reached: at most 0' in report.table([result])
    figures = report.document([result], False, 1.0)['benchmarks']['latency']
    assert figures['figures'] == {'p99_ms': 6.0, 'lost_count': 0.0}
    assert figures['spread'] == {'p99_ms': [4.0, 9.0]}
    assert figures['aims']['p99_ms'] == {'at_most': 5.0, 'reached': False}


def test_a_figure_that_is_no_number_is_null_in_json(report):
    result = report.Result('latency')
    result.add('p99_ms', [math.nan])
    figures = json.loads(report.text_of(report.document([result], False, 1.0)))['benchmarks']['latency']['figures']
    assert figures == {'p99_ms': None}
