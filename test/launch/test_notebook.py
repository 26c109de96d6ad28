"""The notebook of ROS runs as it stands, beside a graph of its own."""

import shutil
import sys

from launched import ROOT, assert_quiet


def test_the_notebook_hears_what_python_computes(start, tmp_path, monkeypatch):
    shutil.copytree(ROOT / 'examples', tmp_path / 'examples')
    monkeypatch.chdir(tmp_path / 'examples')
    run = start(sys.executable, ROOT / 'test/unit/notebook_cells.py', 'ros_graph.ipynb')
    assert run.exit_code() == 0, run.output()
    assert 'the graph ended with 0' in run.output()
    assert_quiet(run.output())
