"""A map with a track on it: coloured by power, with places that move; without content of other hosts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from nicegui import ui

from usv_energy.earth import Place, plane_about
from usv_energy.show.page.page_parts import LEVELS

Degrees = Sequence[float]   # north and east
CLOSEST = 24        # Zoom, at which a pixel is some millimetres.
NOWHERE = Place(0.0, 0.0)   # About which local metres are laid that say no place on the Earth.
LINE, PLACE = {'weight': 4, 'lineCap': 'round', 'interactive': False}, {'radius': 7, 'weight': 3, 'fillOpacity': 1.0}


def degrees_of_track(track: dict[str, Any]) -> np.ndarray:
    """Return the places of `track_series` in degrees, shape (n, 2); local metres about no place in particular."""
    if 'latitude_deg' in track:
        return np.column_stack([track['latitude_deg'], track['longitude_deg']])
    return np.column_stack(plane_about(NOWHERE).to_geodetic(np.array(track['x_m']), np.array(track['y_m'])))


def lines_by_power(places: np.ndarray, power: Sequence[float | None]) -> tuple[list[list[list[Degrees]]], list[float]]:
    """
    Return the lines of a track by levels of power, the lowest first, and the edges of the levels, W.

    :param places: Degrees, shape (n, 2).
    :param power: Between them, W, n - 1; None where a gap is.
    """
    values = np.array([np.nan if one is None else one for one in power], dtype=float)
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


class TrackMap:
    """The map, and the layers on it by name, which replace each other."""

    def __init__(self, label: str) -> None:
        """Make it, empty; `label`: what it shows, for the screen reader."""
        self.map = ui.leaflet((0.0, 0.0), 2, options={'attributionControl': False, 'zoomSnap': 0.25,
                                                    'maxZoom': CLOSEST})
        self.map.classes('map').props(f'role=region aria-label="{label}"')
        self.map.clear_layers()     # Tiles of another host.
        self._named: dict[str, list[Any]] = {}
        self._shown: list[Degrees] = []
        self.map.on('init', self._begin)

    def _begin(self) -> None:
        ui.run_javascript(f'L.control.scale({{imperial: false}}).addTo(getElement({self.map.id}).map)')
        self._fit()

    def _fit(self) -> None:
        if self._shown:
            places = np.array(self._shown)
            self.map.run_map_method('fitBounds', [places.min(axis=0).tolist(), places.max(axis=0).tolist()],
                                    {'padding': [24, 24], 'maxZoom': CLOSEST, 'animate': False})

    def fit(self, places: Sequence[Degrees]) -> None:
        """Show all of some places."""
        self._shown = [list(place) for place in places if None not in place]
        self._fit()

    def put(self, name: str, *layers: tuple[str, Any, dict[str, Any]]) -> None:
        """Put layers in the place of those of a name: the name of Leaflet's function, its places and its options."""
        for old in self._named.pop(name, []):
            self.map.remove_layer(old)
        self._named[name] = [self.map.generic_layer(name=kind, args=[places, options])
                             for kind, places, options in layers]

    def put_track(self, places: np.ndarray, power: Sequence[float | None]) -> list[float]:
        """Put a track, coloured by power, with its begin and its end; return the edges of the levels, W."""
        lines, edges = lines_by_power(places, power)
        self.put('track', *(('polyline', line, {**LINE, 'className': f'r{level}'})
                            for level, line in enumerate(lines) if line))
        self.put('ends', ('circleMarker', places[0].tolist(), {**PLACE, 'className': 'begin'}),
                 ('circleMarker', places[-1].tolist(), {**PLACE, 'className': 'end'}))
        return edges

    def put_place(self, name: str, place: Degrees | None) -> None:
        """Put a mark at a place, or take it away."""
        self.put(name, *([] if place is None else [('circleMarker', list(place), {**PLACE, 'className': name})]))
