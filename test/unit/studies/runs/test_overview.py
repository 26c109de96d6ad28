from analyze_files import run_of
from png_files import png_size

from usv_energy.sim.record import summary_of
from usv_energy.studies.runs.run_picture import plot_overview


def test_the_overview_is_drawn_with_what_there_is(tmp_path):
    summary = summary_of(run_of('7'), 'ros')
    bare = {**summary, 'scenario': 'mine', 'published_energy_j': None, 'published_duration_s': None}
    plot_overview([summary, {**summary, 'convention': 'as_published'}, bare], tmp_path / 'overview.png')
    assert png_size(tmp_path / 'overview.png') == (1080, 768)
