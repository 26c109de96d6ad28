"""usv-energy gazebo."""

from usv_energy.cli.main import main


def refused(capsys, *arguments):
    assert main(['gazebo', *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == '' and err.startswith('usv-energy: error: ') and err.count('\n') == 1
    return err


def test_what_is_written_is_what_is_printed(tmp_path, capsys):
    assert main(['gazebo', 'world', '--scenario', '3', '--boats', '2']) == 0
    printed = capsys.readouterr().out
    assert main(['gazebo', 'world', '--scenario', '3', '--boats', '2', '--out', str(tmp_path / 'w.sdf')]) == 0
    assert (tmp_path / 'w.sdf').read_text() == printed and capsys.readouterr().out.strip() == str(tmp_path / 'w.sdf')


def test_wrong_arguments_are_refused_before_anything_is_written(tmp_path, capsys):
    out = tmp_path / 'x'
    assert "no boat named 'lutra'" in refused(capsys, 'model', '--boat', 'lutra', '--out', str(out))
    assert "--name is 'a b'" in refused(capsys, 'model', '--name', 'a b', '--out', str(out))
    assert '--pace is -1.0' in refused(capsys, 'world', '--pace', '-1', '--out', str(out))
    assert 'the number of boats is -2' in refused(capsys, 'world', '--boats', '-2', '--out', str(out))
    assert 'the step is 0.003 s' in refused(capsys, 'world', '--step', '0.003', '--out', str(out))
    assert 'nowhere' in refused(capsys, 'world', '--out', str(tmp_path / 'nowhere' / 'w.sdf'))
    assert not out.exists()
