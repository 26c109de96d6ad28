"""The map of a page: a grid of degrees and a scale always; a coast and tiles of the user's; ways, coloured."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nicegui import app, events, ui

from usv_energy.files.errors import InputError
from usv_energy.files.limits import check_bytes
from usv_energy.files.parsed_text import read_json
from usv_energy.web.map_tiles import corners_of_tiles, tile_address

SCRIPT = '/usv_energy/map.js'
COAST_BYTES = 8 << 20       # Of a file of coasts: it is sent to the browser.
HIGHEST = 22                # Zoom.
Degrees = tuple[float, float]


def serve_scripts() -> None:
    """Serve what maps need beside the framework's scripts."""
    app.add_static_file(local_file=Path(__file__).parent / 'map.js', url_path=SCRIPT)


class MapView:
    """A map; the drawn layers are replaced by their names."""

    def __init__(self, label: str, draw: dict[str, Any] | bool = False, is_styled: bool = False,
                 has_grid: bool = True) -> None:
        """
        Make it.

        :param label: For the screen reader.
        :param draw: What can be drawn, options of Leaflet.draw; False: nothing.
        :param is_styled: Whether layers look as their classes say (SVG); else they are drawn faster (canvas).
        :param has_grid: Whether degrees mean something there.
        """
        self.map = ui.leaflet((0.0, 0.0), 2, options={'preferCanvas': not is_styled, 'attributionControl': False,
                                                     'maxZoom': HIGHEST, 'worldCopyJump': True},
                              draw_control=draw, hide_drawn_items=True, additional_resources=[SCRIPT])
        self.map.clear_layers()     # The framework's own tiles are another host's.
        self.map.props(f'role=application tabindex=0 aria-label="{label}"').classes('map')
        if has_grid:
            self.map.generic_layer(name='usvGrid', args=[])
        self.map.generic_layer(name='control.scale', args=[{'imperial': False}])
        self._layers: dict[str, Any] = {}
        self._fitted: list[list[float]] = []
        self.map.on('init', self._fit)

    def put(self, name: str, kind: str, *args: Any) -> None:
        """Draw a layer of a kind of map.js, or of Leaflet, in place of the one of this name."""
        self.take_away(name)
        self._layers[name] = self.map.generic_layer(name=kind, args=list(args))

    def take_away(self, name: str) -> None:
        """Remove a layer, if there is one of this name."""
        if layer := self._layers.pop(name, None):
            self.map.remove_layer(layer)

    def fit(self, places: Sequence[Degrees]) -> None:
        """Show all places, degrees, once the map is there, unless one draws on it; of one place its surroundings."""
        self._fitted = [list(place) for place in places]
        self._fit()

    def _fit(self) -> None:
        if self._fitted:
            self.map.run_map_method('usvFit', self._fitted)

    def tiles(self, name: str, is_shown: bool = False) -> None:
        """
        Lay the tiles of a file or folder of the served folder below all; an empty name takes them away.

        :param is_shown: Whether the map goes where they are, if they say it.
        """
        self.take_away('tiles')
        if name:
            self.put('tiles', 'tileLayer', tile_address(name), {'maxZoom': HIGHEST, 'maxNativeZoom': 18})
            if is_shown and (corners := corners_of_tiles(name)):
                self.fit(corners)

    def coast(self, path: Path | None, is_shown: bool = False) -> None:
        """
        Draw the shapes of a GeoJSON file; None takes them away; raises InputError as `coast_shapes`.

        :param is_shown: Whether the map goes there; else only if it shows the whole world.
        """
        self.take_away('coast')
        if path is not None:
            self.put('coast', 'usvCoast', coast_shapes(path), is_shown)

    def on_drawn(self, handler: Callable[[str, list[Degrees]], Any]) -> None:
        """Call a handler with the kind, `polygon`, `polyline` or `marker`, and the places of what was drawn."""
        def drawn(event: events.GenericEventArguments) -> Any:
            kind, layer = str(event.args['layerType']), event.args['layer']
            points = [layer['_latlng']] if kind == 'marker' else layer['_latlngs']
            points = points[0] if kind in ('polygon', 'rectangle') else points
            return handler(kind, [(float(one['lat']), float(one['lng'])) for one in points])

        self.map.on('draw:created', drawn)


def coast_shapes(path: Path) -> Any:
    """Return the content of a GeoJSON file; InputError if it is none, or larger than a page can take."""
    check_bytes(path, COAST_BYTES, 'a coast on the map')
    shapes = read_json(path, 'GeoJSON')
    if not isinstance(shapes, dict) or not isinstance(shapes.get('type'), str):
        raise InputError(f"{path.name}: has no key 'type'; must be GeoJSON")
    return shapes
