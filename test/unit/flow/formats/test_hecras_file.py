"""What may be wrong with a HEC-RAS file: a clear refusal, or places without a value; never zero."""

import shutil

import h5py
import numpy as np
import pytest
from hecras_files import MESH, STEPS, X, Y, asked, change, edit, remove, replace

from usv_energy.files.errors import InputError
from usv_energy.flow.formats.hecras_file import SERIES
from usv_energy.flow.formats.hecras_reader import HecRasFlow, recognises


def test_all_dry_is_never_zero(copy):
    change(copy, edit(f'{STEPS}/Water Surface', slice(None), 0.0))
    vx, vy, inside = asked(copy)
    assert not inside.any() and np.isnan(vx).all() and np.isnan(vy).all()
    flow = HecRasFlow(copy, {})
    told = flow.describe()
    assert told['speeds'][0]['wet_cells'] == 0 and told['speeds'][0]['mean_m_per_s'] is None
    assert any('all dry' in note for note in told['notes'])
    flow.close()


@pytest.mark.parametrize('value', [np.nan, -9999.0, 3.4e38, np.inf])
@pytest.mark.parametrize('name', ['Face Velocity', 'Water Surface'])
def test_fill_values_are_no_velocity(copy, name, value):
    change(copy, edit(f'{STEPS}/{name}', 1, np.float32(value)))
    vx, vy, inside = asked(copy)
    assert not inside.any() and np.isnan(vx).all() and np.isnan(vy).all()
    assert asked(copy, t=600.0)[2].all()
    assert not asked(copy, t=450.0)[2].any()


def test_a_few_faces_without_value_are_rebuilt_from_the_others(copy):
    expected = asked(copy)
    change(copy, edit(f'{STEPS}/Face Velocity', (1, slice(0, None, 40)), np.nan))
    vx, vy, inside = asked(copy)
    assert inside.all()
    np.testing.assert_allclose((vx, vy), expected[:2], atol=0.1)


def test_a_dry_depth_of_ones_own(plan):
    assert asked(plan, {'dry_depth': 1.0})[2].all()
    assert not asked(plan, {'dry_depth': 30.0})[2].any()


def test_without_water_level(copy):
    change(copy, remove(f'{STEPS}/Water Surface'))
    with pytest.raises(InputError, match=r"no 'Water Surface'.*set assume_wet"):
        HecRasFlow(copy, {})
    assert asked(copy, {'assume_wet': True})[2].all()
    with h5py.File(copy, 'r+') as file:
        cells = len(file[f'{MESH}/Cells Center Coordinate'])
        file[f'{STEPS}/Depth'] = np.full((6, cells), 2.0, dtype=np.float32)
    assert asked(copy)[2].all()


@pytest.mark.parametrize('damage, message', [
    (remove(f'{STEPS}/Face Velocity'), 'no velocities; needed is one of: Face Velocity'),
    (remove(f'{MESH}/FacePoints Coordinate'), 'no 2D area'),
    (remove(f'{MESH}/Faces Cell Indexes'), "'Faces Cell Indexes' is missing"),
    (remove('Results'), 'is missing: the plan has no unsteady 2D results'),
    (remove('Geometry'), 'no 2D area under'),
    (remove(f'{SERIES}/Time'), "'Time' is missing"),
    (replace(f'{SERIES}/Time', np.zeros(6)), 'the times must rise'),
    (replace(f'{SERIES}/Time', np.full(6, np.nan)), 'no finite times'),
    (replace(f'{SERIES}/Time', np.arange(9.0)), 'needed: 9 rows'),
    (replace(f'{MESH}/Cells Center Coordinate', np.zeros((4, 2))), 'all indices from 0 to 3'),
    (replace(f'{MESH}/FacePoints Coordinate', np.zeros((900, 2))), 'has no length'),
    (replace(f'{MESH}/FacePoints Coordinate', np.full((900, 2), np.nan)), 'not finite'),
    (replace(f'{MESH}/FacePoints Coordinate', np.zeros(9)), 'needed: 2 columns'),
    (lambda file: [file.pop(f'{STEPS}/Face Velocity'), file.create_group(f'{STEPS}/Face Velocity')],
     r'Face Velocity: shape \(\)'),
    (lambda file: [replace(f'{MESH}/{name}', np.column_stack((np.arange(900.0), np.zeros(900))))(file) for name in (
        'FacePoints Coordinate', 'Cells Center Coordinate')], 'the mesh is damaged: no cell has an area'),
    (lambda file: file.attrs.__setitem__('Units System', np.bytes_('Roman')), "Units System: 'Roman'; allowed"),
])
def test_what_is_missing_or_wrong_is_named(copy, damage, message):
    change(copy, damage)
    with pytest.raises(InputError, match=message) as caught:
        HecRasFlow(copy, {})
    assert str(copy) in str(caught.value)
    shutil.move(copy, f'{copy}.moved')  # and the file is not left open


def test_a_variable_of_another_mesh(copy):
    change(copy, replace(f'{STEPS}/Face Velocity', np.zeros((6, 5), dtype=np.float32)))
    with pytest.raises(InputError, match='5 columns; needed'):
        asked(copy)


@pytest.mark.parametrize('share', [0.02, 0.3, 0.9, 0.999])
def test_a_truncated_file(copy, share):
    with open(copy, 'r+b') as file:
        file.truncate(int(share * file.seek(0, 2)))
    assert recognises(copy)
    with pytest.raises(InputError, match='damaged one'):
        HecRasFlow(copy, {})


def test_a_step_that_cannot_be_unpacked(copy):
    """Zeros over a packed chunk: the other steps are still read."""
    with h5py.File(copy, 'r') as file:
        chunk = file[f'{STEPS}/Face Velocity'].id.get_chunk_info(2)
    with open(copy, 'r+b') as file:
        file.seek(chunk.byte_offset)
        file.write(b'\0' * chunk.size)
    with pytest.raises(InputError, match='step 2: cannot be read'):
        asked(copy, t=600.0)
    assert asked(copy, t=300.0)[2].all()


def test_files_of_other_kinds(tmp_path):
    for name, content in (('a.hdf', b''), ('b.hdf', b'no HDF at all, but a text'), ('c.csv', b't,x,y\n')):
        (tmp_path / name).write_bytes(content)
        assert not recognises(tmp_path / name)
        with pytest.raises(InputError, match='not an HDF5 file'):
            HecRasFlow(tmp_path / name, {})
    with h5py.File(tmp_path / 'other.hdf', 'w') as file:
        file['uo'] = np.zeros(3)
    assert not recognises(tmp_path / 'other.hdf')
    assert not recognises(tmp_path) and not recognises(tmp_path / 'none.hdf')


@pytest.mark.parametrize('options, message', [
    ({'units': 'feet'}, 'allowed: si, us'),
    ({'dry_depth': -1.0}, 'option dry_depth'), ({'dry_depth': 'low'}, 'option dry_depth'),
    ({'assume_wet': 'yes'}, 'allowed: true, false'), ({'area': 3}, 'option area')])
def test_options_are_checked(plan, options, message):
    with pytest.raises(InputError, match=message):
        HecRasFlow(plan, options)


def test_closed(plan):
    flow = HecRasFlow(plan, {})
    flow.velocity(0.0, X, Y)
    flow.close()
    flow.close()
    with pytest.raises(InputError, match='cannot be read'):
        flow.velocity(300.0, X, Y)
