"""KML and KMZ, of Google Earth and most map tools: lines, points and rings of placemarks."""

import io
import zipfile
from pathlib import Path

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.files.limits import ARCHIVE_ERRORS, PART_BYTES, Unpacked
from usv_energy.files.parsed_text import Element
from usv_energy.missions.formats.documents import MapContent, MapLine, MapPoint, number_of_text, text_of
from usv_energy.missions.mission import check_item_count, checked_place

LINES = {'LineString': 'line', 'LinearRing': 'ring', 'Track': 'track'}


def kml_in_kmz(content: bytes, path: Path) -> bytes:
    """
    Return the first KML file in a KMZ, or RTZ file in an RTZP, which are zip archives.

    :param path: Of the file, for errors.
    :raises InputError: If there is none, it is too large, or the archive cannot be read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            inner = next((info for info in archive.infolist() if info.filename.lower().endswith(('.kml', '.rtz'))),
                         None)
            if inner is None:
                raise InputError(f'{path}: holds no KML or RTZ file: another ZIP archive, a spreadsheet or document')
            Unpacked(path).check(inner.compress_size, inner.file_size)
            with archive.open(inner) as file:
                return file.read(PART_BYTES)   # Of what the archive says; zipfile stops there, and checks its sum.
    except InputError:
        raise
    except ARCHIVE_ERRORS as error:
        raise InputError(f'{path}: is wrong KMZ: {error}') from None


def kml_content(root: Element, path: Path) -> MapContent:
    """
    Return what a KML file holds: a line for each placemark with lines or rings (of a polygon, the outer one).

    :param root: The root of its XML.
    :param path: Of the file, for errors.
    :raises InputError: If a point is not on the Earth: file, placemark, value, what is allowed.
    """
    lines, points = [], []
    for number, placemark in enumerate(root.iter('Placemark'), start=1):
        name = text_of(placemark, 'name')
        where = f'{path}: Placemark {name[:40]!r}' if name else f'{path}: Placemark {number}'
        rings = [ring for hole in placemark.iter('innerBoundaryIs') for ring in hole.iter('LinearRing')]
        inside = {id(ring) for ring in rings}
        found = [element for element in placemark.iter() if element.tag in LINES and id(element) not in inside]
        if found:
            lines.append(MapLine(LINES[found[0].tag], name, [
                MapPoint(place) for element in found for place in _places(element, where)],
                [[MapPoint(place) for place in _places(ring, where)] for ring in rings]))
        points += [MapPoint(place, name) for element in placemark.iter('Point') for place in _places(element, where)]
    return MapContent(lines, points)


def _places(element: Element, where: str) -> list[Place]:
    if element.tag == 'Track':
        texts = [','.join((inner.text or '').split()) for inner in element.iter('coord')]
    else:
        texts = ','.join(map(str.strip, (element.findtext('coordinates') or '').split(','))).split()
    check_item_count(len(texts), where)
    return [_place(text, where) for text in texts]


def _place(text: str, where: str) -> Place:
    numbers = text.split(',')
    if not 2 <= len(numbers) <= 3:
        raise InputError(f'{where}: {text[:40]!r} stands where longitude,latitude,altitude must')
    longitude, latitude = (number_of_text(number, f'{where}: coordinates') for number in numbers[:2])
    return checked_place(latitude, longitude, where)
