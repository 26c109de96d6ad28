from pathlib import Path

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path


@pytest.mark.parametrize(('written', 'meant'), [
    ('~/boats/mine.yaml', '/home/ada/boats/mine.yaml'), ('~', '/home/ada'), ('a/~/b', 'a/~/b'), ('/a', '/a'),
    ('a~', 'a~'), (Path('~/x'), '/home/ada/x'),
])
def test_the_home_folder_stands_for_a_tilde_at_the_start(monkeypatch, written, meant):
    monkeypatch.setenv('HOME', '/home/ada')
    assert user_path(written) == Path(meant)


def test_the_home_of_nobody_is_refused():
    with pytest.raises(InputError, match='~no_such_user_here/x: there is no home folder of that user'):
        user_path('~no_such_user_here/x')
