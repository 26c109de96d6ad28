import io
import zipfile

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import parsed_xml
from usv_energy.missions.formats.kml import kml_content, kml_in_kmz

RING = '<LinearRing><coordinates>{}</coordinates></LinearRing>'


@pytest.fixture
def read(tmp_path):
    """Return a function that reads what stands in a KML document."""
    def content(text):
        kml = f'<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="urn:gx"><Document>{text}</Document></kml>'
        return kml_content(parsed_xml(kml.encode(), tmp_path / 'a.kml'), tmp_path / 'a.kml')
    return content


def placemark(geometry, name='p'):
    return f'<Placemark><name>{name}</name>{geometry}</Placemark>'


def lines(found):
    return [(line.kind, line.name, [tuple(point.place) for point in line.points]) for line in found.lines]


@pytest.mark.parametrize('text', ['9,45,0 9.1,45.1,0', '9,45\n   9.1,45.1', '9, 45, 0\t9.1 ,45.1 ,0'])
def test_a_line_has_longitudes_first(read, text):
    found = read(placemark(f'<LineString><coordinates> {text} </coordinates></LineString>'))
    assert lines(found) == [('line', 'p', [(45.0, 9.0), (45.1, 9.1)])]


def test_of_a_polygon_the_outer_ring_counts(read):
    outer, inner = RING.format('9,45 9,46 10,46 9,45'), RING.format('9.1,45.1 9.2,45.2 9.1,45.1')
    found = read(placemark(f'<Polygon><outerBoundaryIs>{outer}</outerBoundaryIs>'
                           f'<innerBoundaryIs>{inner}</innerBoundaryIs></Polygon>'))
    assert lines(found) == [('ring', 'p', [(45.0, 9.0), (46.0, 9.0), (46.0, 10.0), (45.0, 9.0)])]
    assert [len(line.holes) for line in found.lines if line.holes] == [1]


def test_lines_of_one_placemark_are_one(read):
    line = '<LineString><coordinates>9,45 9,46</coordinates></LineString>'
    assert [len(points) for *_, points in lines(read(placemark(f'<MultiGeometry>{line}{line}</MultiGeometry>')))] == [4]
    assert len(lines(read(placemark(line) + f'<Folder>{placemark(line)}</Folder>'))) == 2


def test_points_and_tracks(read):
    found = read(placemark('<Point><coordinates>9,45</coordinates></Point>', 'buoy')
                 + placemark('<gx:Track><when>2020</when><gx:coord>9 45 0</gx:coord></gx:Track>', 't'))
    assert [(point.place, point.name) for point in found.points] == [((45.0, 9.0), 'buoy')]
    assert lines(found) == [('track', 't', [(45.0, 9.0)])]


@pytest.mark.parametrize(('text', 'says'), [
    ('9', "Placemark 'p': '9' stands where longitude,latitude,altitude must"),
    ('9,95', "Placemark 'p': the latitude is 95"), ('9,x', 'coordinates is "x"; must be a finite number')])
def test_what_is_wrong_is_named(read, text, says):
    with pytest.raises(InputError, match=rf'a\.kml: .*{says}'):
        read(placemark(f'<Point><coordinates>{text}</coordinates></Point>'))


def zipped(**files):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, 'w') as file:
        for name, content in files.items():
            file.writestr(name.replace('_', '.'), content)
    return archive.getvalue()


def test_a_kmz_holds_a_kml_and_an_rtzp_an_rtz(tmp_path):
    assert kml_in_kmz(zipped(a_rtz=b'<route/>'), tmp_path / 'a.rtzp') == b'<route/>'
    assert kml_in_kmz(zipped(icon_png=b'x', doc_kml=b'<kml/>'), tmp_path / 'a.kmz') == b'<kml/>'
    with pytest.raises(InputError, match=r'a\.kmz: holds no KML or RTZ file'):
        kml_in_kmz(zipped(icon_png=b'x'), tmp_path / 'a.kmz')
    with pytest.raises(InputError, match=r'a\.kmz: is wrong KMZ'):
        kml_in_kmz(zipped(doc_kml=b'<kml/>')[:40], tmp_path / 'a.kmz')
