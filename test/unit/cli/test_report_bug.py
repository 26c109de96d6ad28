"""`usv-energy report-bug`: a command is run once more, and what a report needs is written; nothing else."""

import subprocess
import sys

from command_line import ENVIRONMENT


def test_a_command_that_fails_is_reported_with_its_input(cli, yaml_file, tmp_path):
    boat = yaml_file('base: lutra_prop\nname: x\nstatic_load: {value: -3, unit: W, source: secret}')
    status, _, err = cli('report-bug', '--out', tmp_path / 'r.md', 'range', '--boat', boat, '--current', '0.3,90')
    assert status == 0
    text = (tmp_path / 'r.md').read_text()
    assert 'Exit status 2, after' in text
    assert 'static_load.value is -3; must be at least 0' in text
    assert 'mine.yaml' in text and 'secret' not in text
    assert 'value: -3' in text
    assert 'nothing was sent' in err


def test_without_a_command_it_says_the_versions(cli):
    status, out, _ = cli('report-bug')
    assert status == 0
    assert '## Versions' in out and '## The command' not in out


def test_a_command_that_never_ends_is_stopped(cli):
    status, out, _ = cli('report-bug', '--seconds', '0.3', 'run', '3')
    assert status == 0
    assert 'It was still running after 0.3 s' in out


def test_below_the_traceback_of_a_bug_stands_how_to_report_it():
    code = ('import sys, usv_energy.cli.list as verb, usv_energy.cli.main as main; '
            "sys.argv = ['usv-energy', 'list', 'boats']; "
            'verb.execute = lambda args: 1 / 0; main.main()')
    ended = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, env=ENVIRONMENT)
    assert ended.returncode == 1
    assert 'ZeroDivisionError' in ended.stderr
    assert ended.stderr.endswith('usv-energy report-bug list boats\n')


def test_what_a_command_prints_is_reported_and_what_it_writes_is_no_input(cli, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'shown').mkdir()
    for words in (('./run', 'boat', 'check', 'lutra_prop', '--out', 'shown'), ('boat check lutra_prop --out shown',)):
        status, out, _ = cli('report-bug', *words)
        assert status == 0
        assert 'usv-energy boat check lutra_prop --out shown\n' in out
        assert 'top speed' in out.lower()
        assert '## Input' not in out


def test_it_does_not_report_itself(cli):
    assert '## The command' not in cli('report-bug', 'usv-energy', 'report-bug')[1]


def test_what_may_command_a_boat_is_not_run_again_and_places_and_hosts_are_cut(cli):
    status, out, _ = cli('report-bug', 'live', 'udpout:boat.company.example:14550', '--boat', 'blueboat',
                         '--home', '45.60,9.55', '--may-comm=RTL')
    assert status == 0
    assert 'It was not run again, since it may command a boat' in out
    assert 'usv-energy live udpout:…:14550 --boat blueboat --home … --may-comm=RTL\n' in out


def test_two_words_of_a_place_are_cut():
    from usv_energy.files.bug_report import report
    assert 'sea --at … --out a.csv' in report(['sea', '--at', '45.60', '9.55', '--out', 'a.csv'], '', '', '', [])
    assert 'run 1 --seed 3\n' in report(['run', '1', '--seed', '3'], '', '', '', [])
