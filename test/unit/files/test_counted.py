from usv_energy.files.errors import counted


def test_one_thing_is_in_the_singular():
    assert [counted(number, 'gap') for number in (0, 1, 2)] == ['0 gaps', '1 gap', '2 gaps']
