import json

import pytest
from analyze_files import run_of
from png_files import png_size

from usv_energy.powering.power import Power
from usv_energy.sim.record import summary_of
from usv_energy.sim.run_files import read_samples
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.runs.run_folder import run_folder, write_run
from usv_energy.studies.runs.run_picture import plot_overview


@pytest.fixture(scope='module')
def run():
    return run_scenario(read_scenario('7'))


def test_a_run_has_its_four_files(run, tmp_path):
    folder = run_folder(tmp_path, '7', 'rep103')
    summary = write_run(run, folder, True, 'usv-energy')
    assert folder.name == '7_rep103'
    assert sorted(path.name for path in folder.iterdir()) == ['legs.csv', 'plot.png', 'samples.csv', 'summary.json']
    assert json.loads((folder / 'summary.json').read_text()) == summary
    rows = read_samples(folder / 'samples.csv')
    assert rows[1:] == run.rows[1:]
    assert rows[-1].energy == summary['energy_j']
    assert png_size(folder / 'plot.png') == (1440, 960)


def test_the_same_run_gives_the_same_bytes(run, tmp_path):
    for name in ('a', 'b'):
        write_run(run, tmp_path / name, True, 'usv-energy')
    for name in ('samples.csv', 'legs.csv', 'summary.json', 'plot.png'):
        assert (tmp_path / 'a' / name).read_bytes() == (tmp_path / 'b' / name).read_bytes(), name


def test_an_old_plot_does_not_stay_beside_new_samples(run, tmp_path):
    write_run(run, tmp_path, True, 'usv-energy')
    (tmp_path / 'notes.txt').write_text('mine')
    write_run(run, tmp_path, False, 'usv-energy')
    assert sorted(path.name for path in tmp_path.iterdir()) == ['legs.csv', 'notes.txt', 'samples.csv', 'summary.json']


@pytest.mark.parametrize('rows', [0, 1, 2, 500])
def test_a_run_that_broke_off_or_has_holes_is_drawn(run, tmp_path, rows):
    nothing = Power(*[float('nan')] * 17)
    kept = [row if number % 100 else row._replace(power=nothing) for number, row in enumerate(run.rows[:rows])]
    write_run(run._replace(rows=kept, outcome='aborted'), tmp_path, True, 'ros')
    assert png_size(tmp_path / 'plot.png') == (1440, 960)


def test_the_overview_is_drawn_with_what_there_is(tmp_path):
    summary = summary_of(run_of('7'), 'ros')
    bare = {**summary, 'scenario': 'mine', 'published_energy_j': None, 'published_duration_s': None}
    plot_overview([summary, {**summary, 'convention': 'as_published'}, bare], tmp_path / 'overview.png')
    assert png_size(tmp_path / 'overview.png') == (1080, 768)
