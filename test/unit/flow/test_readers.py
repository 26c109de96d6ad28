"""The table of readers: the content tells, whatever the name; what nobody knows is refused with a list."""

import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow.grids.grid import GridFlow
from usv_energy.flow.readers import READERS, open_flow, reader, recognise

OWN = {'river.p01.hdf': 'hecras', 'bay.nc': 'netcdf', 'ridge_speed.asc': 'raster', 'tower_z10m.csv': 'openfoam'}


@pytest.mark.parametrize('name', READERS)
def test_every_reader_is_called_what_the_table_calls_it(name):
    found = reader(name)
    assert found.name == name
    assert all(isinstance(key, str) and what for key, what in found.options.items())


def test_the_samples_cover_every_reader():
    assert set(OWN.values()) == set(READERS) - {'grib'}  # which ecCodes writes: no sample without it


@pytest.mark.parametrize(('name', 'expected'), OWN.items())
def test_content_tells_the_format_not_the_name(samples, tmp_path, name, expected):
    assert recognise(samples / name).name == expected
    if expected != 'openfoam':  # a text table has no mark but its columns; ParaView's files end in .csv
        shutil.copy(samples / name, tmp_path / 'anything.bin')
        assert recognise(tmp_path / 'anything.bin').name == expected


@pytest.mark.parametrize('name', OWN)
def test_at_most_one_reader_claims_a_file(samples, name):
    assert [one for one in READERS if reader(one).recognises(samples / name)] == [OWN[name]]


@pytest.mark.parametrize('content', [b'hello\n', b'\x00' * 600, b'a,b\n1,2\n', b'\xe4\n'])
def test_what_nobody_knows_is_refused_with_the_list(tmp_path, content):
    path = tmp_path / 'flow.bin'
    path.write_bytes(content)
    with pytest.raises(InputError, match=r'no reader knows this file\. Readers: hecras: .*openfoam: .*netcdf: '):
        recognise(path)


def test_an_empty_file_and_an_empty_folder_are_refused(tmp_path):
    (tmp_path / 'empty.nc').touch()
    with pytest.raises(InputError, match=r'empty\.nc: is empty'):
        recognise(tmp_path / 'empty.nc')
    (tmp_path / 'folder').mkdir()
    with pytest.raises(InputError, match='no reader knows this file'):
        recognise(tmp_path / 'folder')


def test_a_missing_file_is_named(tmp_path):
    for ask in (recognise, open_flow):
        with pytest.raises(InputError, match=r'none\.hdf: there is no such file'):
            ask(tmp_path / 'none.hdf')


@pytest.mark.parametrize(('name', 'expected'), OWN.items())
def test_an_unknown_option_is_refused_with_those_there_are(samples, name, expected):
    with pytest.raises(InputError, match=f"unknown option 'colour' of the reader {expected}. Allowed: ") as refused:
        open_flow(samples / name, {'colour': 'red'})
    assert all(option in str(refused.value) for option in reader(expected).options)


def test_an_unknown_reader_is_refused_with_those_there_are(samples):
    with pytest.raises(InputError, match="named 'grab'; there are: hecras, openfoam, netcdf, grib, raster"):
        open_flow(samples / 'bay.nc', name='grab')


@pytest.mark.parametrize('name', OWN)
@pytest.mark.parametrize('wrong', READERS)
def test_a_file_given_to_another_reader_is_refused(samples, name, wrong):
    if wrong == OWN[name]:
        return
    with pytest.raises(InputError, match=f'is no file for the reader {wrong}, but for {OWN[name]}'):
        open_flow(samples / name, {}, wrong)


@pytest.mark.parametrize(('name', 'options'), [
    ('river.p01.hdf', {}), ('bay.nc', {}), ('tower_z10m.csv', {}),
    ('ridge_speed.asc', {'kind': 'speed_direction', 'unit': 'mph', 'direction': 'from',
                         'partner': 'ridge_direction.asc'})])
def test_what_was_opened_is_opened_anew_in_another_process(samples, monkeypatch, tmp_path, name, options):
    monkeypatch.chdir(samples)
    source = open_flow(Path(name), options)  # a relative path, and a worker in another folder
    sent = pickle.dumps(source)
    assert len(sent) < 1000
    xmin, ymin, xmax, ymax = source.extent
    x, y = np.random.default_rng(6).uniform((xmin, ymin), (xmax, ymax), (500, 2)).T
    times = source.times[:3].tolist()
    here = [source.velocity(t, x, y) for t in times]
    assert all(velocities[2].any() for velocities in here)
    monkeypatch.chdir(tmp_path)
    again = pickle.loads(sent)
    np.testing.assert_array_equal(here, [again.velocity(t, x, y) for t in times])
    assert pickle.loads(pickle.dumps(again)).extent == source.extent


def test_what_was_not_opened_from_a_file_cannot_be_sent():
    source = GridFlow(np.arange(3.0), np.arange(3.0), np.zeros(1), lambda _: (np.ones((3, 3)), np.ones((3, 3))))
    with pytest.raises(TypeError, match='GridFlow: was not opened from a file'):
        pickle.dumps(source)
