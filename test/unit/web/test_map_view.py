"""Which coasts a map is given: those that are GeoJSON."""

import json

import pytest

from usv_energy.files.errors import InputError

NEEDS = ('nicegui',)


@pytest.mark.parametrize(('content', 'sentence'), [
    ('[]', "has no key 'type'"), ('{"type": 3}', "has no key 'type'"), ('{', 'JSON'), ('x' * 10, 'JSON')])
def test_what_is_no_geojson_is_no_coast(tmp_path, content, sentence):
    from usv_energy.web.map_view import coast_shapes
    (tmp_path / 'coast.json').write_text(content)
    with pytest.raises(InputError, match=sentence):
        coast_shapes(tmp_path / 'coast.json')


def test_a_coast_is_sent_as_it_is_unless_it_is_too_large(tmp_path, monkeypatch):
    from usv_energy.web import map_view
    shapes = {'type': 'Polygon', 'coordinates': [[[9.0, 45.0], [9.1, 45.0], [9.0, 45.1], [9.0, 45.0]]]}
    (tmp_path / 'coast.geojson').write_text(json.dumps(shapes))
    assert map_view.coast_shapes(tmp_path / 'coast.geojson') == shapes
    monkeypatch.setattr(map_view, 'COAST_BYTES', 20)
    with pytest.raises(InputError, match='a coast on the map may have'):
        map_view.coast_shapes(tmp_path / 'coast.geojson')
