import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.text_file import ENCODING_BYTES, encoding_of, open_text

TEXT = 'time,Yaw (°)\r\n0,1\r\n'
ENCODINGS = {'utf-8': '', 'utf-8-sig': '', 'utf-16-le': '\ufeff', 'utf-16-be': '\ufeff', 'latin-1': '', 'cp1252': ''}


@pytest.mark.parametrize('encoding', ENCODINGS)
def test_a_text_is_read_in_the_encoding_that_it_has(tmp_path, encoding):
    path = tmp_path / 'a.csv'
    path.write_bytes((ENCODINGS[encoding] + TEXT).encode(encoding))
    with open_text(path) as file:
        assert file.read() == TEXT


def test_a_letter_across_the_end_of_what_is_looked_at_makes_no_other_encoding(tmp_path):
    path = tmp_path / 'a.txt'
    path.write_bytes(b'a' * (ENCODING_BYTES - 1) + '°'.encode())
    assert encoding_of(path) == 'utf-8'


def test_what_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match=r'b\.csv: cannot be read: No such file'):
        encoding_of(tmp_path / 'b.csv')
    with pytest.raises(InputError, match='cannot be read: Is a directory'):
        open_text(tmp_path)
