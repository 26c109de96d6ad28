import pytest
from png_files import png_size
from run_summaries import summary

from usv_energy.studies.compare.compare_pictures import plot_comparison


@pytest.mark.parametrize(('number', 'width'), [(2, 1152), (5, 1380)])
def test_the_picture_grows_with_the_number_of_runs(tmp_path, number, width):
    runs = [summary(f'run {k}', damping=100.0 + k, wind=-5.0 * k, losses=20.0) for k in range(number)]
    plot_comparison(runs, tmp_path / 'x.png')
    assert png_size(tmp_path / 'x.png') == (width, 588)


def test_runs_that_took_nothing_are_drawn(tmp_path):
    plot_comparison([summary('a'), summary('b')], tmp_path / 'x.png')
    assert png_size(tmp_path / 'x.png') == (1152, 588)
