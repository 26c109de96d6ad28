"""What a map is given: coasts that are GeoJSON, and a zoom that shows all places."""

import json
import math

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


@pytest.mark.parametrize('span', [1e-3, 0.1, 5.0, 90.0])
def test_a_map_shows_all_places_and_not_much_more(span):
    """At zoom z the Earth's 360 degrees are 256 * 2^z px wide (Web Mercator)."""
    from usv_energy.web.map_view import WIDTH, zoom_of
    pixels = span / 360.0 * 256.0 * 2.0 ** zoom_of([(0.0, 0.0), (0.0, span)])
    assert 0.5 * WIDTH < pixels <= WIDTH or math.isclose(pixels, WIDTH)
