"""The folder examples runs as its README says: its commands, its scripts, and the cells of its notebooks."""

import contextlib
import io
import runpy
import shutil
import sys

import matplotlib
import pytest
from doc_files import commands, fences, links
from notebook_cells import run_cells
from places import ROOT

from usv_energy.cli import main

FOLDER = ROOT / 'examples'
PAGE = 'examples/README.md'
NOTEBOOKS = sorted({path.name for path in FOLDER.glob('*.ipynb')} - {'ros_graph.ipynb'})   # test/launch runs that one
SCRIPTS = sorted(path.name for path in FOLDER.glob('*.py'))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a copy of the folder, in which the test stands."""
    shutil.copytree(FOLDER, tmp_path / 'examples')
    monkeypatch.chdir(tmp_path / 'examples')
    matplotlib.use('Agg')
    return tmp_path / 'examples'


@pytest.mark.parametrize('words', [words for fence in fences(PAGE) if fence.runs for words in commands(fence)][:3],
                         ids=lambda words: ' '.join(words[1:3]))
def test_commands_about_a_boat_run(folder, words):
    check(words)


def test_a_run_is_analyzed_and_a_boat_is_made(folder):
    for words in [words for fence in fences(PAGE) if fence.runs for words in commands(fence)][3:]:
        check(words)
    assert (folder / 'pulled.yaml').is_file()


def check(words):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        assert main.main(words[1:]) == 0, said.getvalue()


@pytest.mark.parametrize('name', NOTEBOOKS)
def test_the_cells_of_a_notebook_run_in_their_order(folder, name):
    with contextlib.redirect_stdout(io.StringIO()):
        run_cells(folder / name)


@pytest.mark.parametrize('name', SCRIPTS)
def test_a_script_runs(folder, name, monkeypatch):
    monkeypatch.setattr(sys, 'argv', [name, 'my_boat.yaml', 'out.png'])
    with contextlib.redirect_stdout(io.StringIO()):
        runpy.run_path(str(folder / name), run_name='__main__')
    assert (folder / 'out.png').stat().st_size > 1000


def test_the_readme_names_every_file():
    assert {path.name for path in FOLDER.iterdir()} - {'README.md', '__pycache__'} <= {name for name, _ in links(PAGE)}
