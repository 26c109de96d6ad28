"""What there is to say of a HEC-RAS plan."""

from types import SimpleNamespace

from usv_energy.flow.formats.hecras_reader import missing, notes


def test_what_a_plan_lacks_is_named_and_what_follows_is_noted():
    found = {'cell': None, 'point': None, 'face': 'Face Velocity', 'water': None}
    plan = SimpleNamespace(found=found, start=None, projection='UTM', attribute=lambda group, name: None)
    assert missing(plan) == ['cell velocities', 'face point velocities', 'water level or depth',
                             'date of the first step']
    wet, dry = [{'wet_cells': 3}], [{'wet_cells': 0}]
    assert [note.split(':')[0] for note in notes(plan, wet)] == [
        'velocities are rebuilt from those along the normals of the faces',
        "no 'Water Surface' or depth in the file"]
    assert len(notes(plan, dry)) == 3
