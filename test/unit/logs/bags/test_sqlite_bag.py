import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.sqlite_bag import SqliteFile


@pytest.mark.parametrize(('content', 'says'), [(b'', 'is empty'), (b'0123456789' * 90, 'SQLite')])
def test_what_is_no_database_is_refused(tmp_path, content, says):
    (tmp_path / 'a.db3').write_bytes(content)
    with pytest.raises(InputError, match=says):
        SqliteFile(tmp_path / 'a.db3')
