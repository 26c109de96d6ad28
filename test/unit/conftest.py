import pytest

from usv_energy.cli import main


@pytest.fixture
def cli(capsys):
    """Return a function that runs the command in this process and returns its exit status, stdout and stderr."""
    def run(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = stop.code
        return status, *capsys.readouterr()
    return run


@pytest.fixture
def yaml_file(tmp_path):
    """Return a function that writes a YAML file and returns its path."""
    def write(text, name='mine.yaml'):
        path = tmp_path / name
        path.write_text(f'{text}\n')
        return path
    return write
