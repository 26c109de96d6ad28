"""A map with a track on it: coloured, with places that move; without content of other hosts."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from usv_energy.earth import Place, plane_about
from usv_energy.files.errors import InputError
from usv_energy.show.page.page_parts import LEVELS
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.folder import offered_path
from usv_energy.web.map_view import MapView

Degrees = Sequence[float]   # north and east
NOWHERE = Place(0.0, 0.0)   # About which local metres are laid that say no place on the Earth.
LINE, PLACE = {'weight': 4, 'lineCap': 'round', 'interactive': False, 'fill': False}, {
    'radius': 7, 'weight': 3, 'fillOpacity': 1.0}


def degrees_of_track(track: dict[str, Any]) -> np.ndarray:
    """Return the places of `track_series` in degrees, shape (n, 2); local metres about no place in particular."""
    if 'latitude_deg' in track:
        return np.column_stack([track['latitude_deg'], track['longitude_deg']])
    return np.column_stack(plane_about(NOWHERE).to_geodetic(np.array(track['x_m']), np.array(track['y_m'])))


def lines_by_level(places: np.ndarray, numbers: Sequence[float | None],
                   ) -> tuple[list[list[list[Degrees]]], list[float]]:
    """
    Return the lines of a track by levels of a quantity, the lowest first, and the edges of the levels.

    :param places: Degrees, shape (n, 2).
    :param numbers: Of the quantity between them, n - 1; None where a gap is.
    """
    values = np.array([np.nan if one is None else one for one in numbers], dtype=float)
    known = values[np.isfinite(values)]
    low, high = np.percentile(known, (2.0, 98.0)) if known.size else (0.0, 1.0)
    if high - low < 1e-3 * max(abs(high), 1e-9):
        low, high = low - 0.05 * abs(low) - 0.5, high + 0.05 * abs(high) + 0.5
    edges = np.linspace(low, high, LEVELS + 1)
    level = np.clip(np.digitize(values, edges) - 1, 0, LEVELS - 1)
    lines: list[list[list[Degrees]]] = [[] for _ in range(LEVELS)]
    before = -1
    for number in range(values.size):
        if not np.isfinite(values[number]):
            before = -1
            continue
        pair = places[number].tolist(), places[number + 1].tolist()
        if level[number] == before:
            lines[before][-1].append(pair[1])
        else:
            before = int(level[number])
            lines[before].append(list(pair))
    return lines, edges.tolist()


class TrackMap(MapView):
    """A map on which a track is coloured, and places move."""

    def __init__(self, label: str, session: BrowserSession, is_on_earth: bool = True) -> None:
        """
        Make it, empty.

        :param label: What it shows, for the screen reader.
        :param session: Whose choice of coast and tiles, on the page Plan, it has.
        :param is_on_earth: Whether its places are; local metres have no degrees, coast and tiles.
        """
        super().__init__(label, is_styled=True, has_grid=is_on_earth)
        if is_on_earth:
            with suppress(InputError):      # A file that is gone since, or none: Plan says so.
                self.tiles(session.values.get('plan.tiles', ''))
                name = session.values.get('plan.coast', '')
                self.coast(offered_path(name) if name else None)

    def put_track(self, places: np.ndarray, numbers: Sequence[float | None]) -> list[float]:
        """Put a track, coloured as by `lines_by_level`, with its begin and its end; return the edges of the levels."""
        lines, edges = lines_by_level(places, numbers)
        for level, line in enumerate(lines):
            self.put_lines(f'track {level}', line, f'r{level}')
        self.put_place('begin', places[0].tolist())
        self.put_place('end', places[-1].tolist())
        return edges

    def put_lines(self, name: str, lines: Any, look: str, kind: str = 'polyline') -> None:
        """Put lines, or a polygon, that look as a class says, in the place of those of the name; empty: none."""
        if lines:
            self.put(name, kind, lines, {**LINE, 'className': look})
        else:
            self.take_away(name)

    def put_place(self, name: str, place: Degrees | None) -> None:
        """Put a mark at a place, which looks as the class of its name says, or take it away."""
        if place is None:
            self.take_away(name)
        else:
            self.put(name, 'circleMarker', list(place), {**PLACE, 'className': name})
