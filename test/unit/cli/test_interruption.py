"""Ctrl-C while the command is imported, and errors in destructors while it goes through."""

import runpy
import signal
import sys
import time
from types import SimpleNamespace

import pytest

from usv_energy.cli.arguments import on_unraisable


@pytest.fixture
def passed_on(monkeypatch):
    """Return the list of what Python's own hook got."""
    got = []
    monkeypatch.setattr(sys, '__unraisablehook__', got.append)
    return got


def unraisable(kind, module):
    def destructor():
        pass
    destructor.__module__ = module
    return SimpleNamespace(exc_type=kind, object=destructor)


def test_what_llvmlite_had_not_made_yet_is_not_spoken_of(passed_on):
    on_unraisable(unraisable(AttributeError, 'llvmlite.binding.ffi'))
    assert passed_on == []


@pytest.mark.parametrize('kind, module', [(ValueError, 'llvmlite.binding.ffi'), (AttributeError, 'netCDF4')])
def test_all_else_is_said_as_ever(passed_on, kind, module):
    other = unraisable(kind, module)
    on_unraisable(other)
    assert passed_on == [other]


def test_ctrl_c_in_a_destructor_is_not_lost(passed_on):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            on_unraisable(unraisable(KeyboardInterrupt, 'llvmlite.binding.ffi'))
            time.sleep(10.0)  # Ends at once by the signal; else a failure, not a hang.
    finally:
        signal.signal(signal.SIGINT, before)
    assert passed_on == []


def test_ctrl_c_while_the_command_is_imported_is_one_line_and_status_130(monkeypatch, capsys):
    name = 'usv_energy.cli.arguments'

    def interrupted(wanted, *_):
        if wanted == name:
            raise KeyboardInterrupt

    for module in (name, 'usv_energy.cli.main'):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(sys, 'meta_path', [SimpleNamespace(find_spec=interrupted), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module('usv_energy.cli.main')
    assert ended.value.code == 130 and capsys.readouterr() == ('', 'usv-energy: interrupted\n')
