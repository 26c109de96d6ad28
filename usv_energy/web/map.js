// Layers of the pages' maps beside Leaflet's own: a grid of degrees, a way coloured leg by leg, a coast.
(function () {
  const STEPS = [90, 60, 30, 10, 5, 2, 1, 1 / 2, 1 / 6, 1 / 12, 1 / 30, 1 / 60, 1 / 120, 1 / 360, 1 / 720, 1 / 1800,
    1 / 3600, 1 / 7200, 1 / 18000, 1 / 36000];
  const APART = 80;     // px, least distance of lines
  const colour = (name) => getComputedStyle(document.body).getPropertyValue("--" + name).trim();

  function words(degrees, positive, negative) {
    const whole = Math.abs(degrees);
    const minutes = Math.round((whole - Math.floor(whole)) * 60e3) / 1e3;
    const carried = minutes >= 60 ? 1 : 0;
    const sign = degrees < 0 ? negative : positive;
    return `${Math.floor(whole) + carried}°${(minutes - 60 * carried).toFixed(3).replace(/\.?0+$/, "")}′${sign}`;
  }

  // Lines of latitude and longitude, as near to each other as their numbers allow, with their numbers at its edges.
  L.UsvGrid = L.Layer.extend({
    onAdd(map) {
      this._lines = L.layerGroup().addTo(map);
      map.on("moveend viewreset resize", this._draw, this);
      this._draw();
    },
    onRemove(map) {
      map.off("moveend viewreset resize", this._draw, this);
      this._lines.remove();
    },
    _draw() {
      const box = this._map.getBounds();
      const [south, north, west, east] = [box.getSouth(), box.getNorth(), box.getWest(), box.getEast()];
      this._lines.clearLayers();
      const size = this._map.getSize();
      const stepOf = (span, pixels) => STEPS.findLast((one) => (one / span) * pixels >= APART) ?? STEPS[0];
      const [rows, columns] = [stepOf(north - south, size.y), stepOf(east - west, size.x)];
      for (let k = Math.ceil(south / rows); k * rows < north; k++)
        this._line([[k * rows, west], [k * rows, east]], [k * rows, west], words(k * rows, "N", "S"), "row");
      for (let k = Math.ceil(west / columns); k * columns < east; k++)
        this._line([[south, k * columns], [north, k * columns]], [north, k * columns],
          words(k * columns - 360 * Math.round((k * columns) / 360), "E", "W"), "column");
    },
    _line(ends, place, text, kind) {
      L.polyline(ends, { weight: 1, color: colour("line"), interactive: false }).addTo(this._lines);
      const label = document.createElement("span");
      label.textContent = text;
      L.marker(place, { icon: L.divIcon({ className: "grid-label " + kind, html: label, iconSize: null }),
        interactive: false, keyboard: false }).addTo(this._lines);
    },
  });
  L.usvGrid = () => new L.UsvGrid();

  L.Map.include({
    // Shows places, if nobody draws; of one place its surroundings.
    usvFit(places) {
      if (this.usvIsDrawing) return;
      // A map that is hidden has no size to fit in yet.
      this._usvFitted = places;
      this.invalidateSize({ pan: false });
      if (!this.getSize().x) return void this.once("resize", () => this.usvFit(this._usvFitted));
      if (places.length === 1) this.setView(places[0], Math.max(this.getZoom(), 14), { animate: false });
      else this.fitBounds(places, { padding: [24, 24], animate: false });
    },
  });

  // A tap makes one corner: the mouse events that would follow it press that corner. To move the map makes none.
  let onTouch;
  function onTap(event) {
    const [touch, place] = [event.originalEvent, () => this._map.latLngToContainerPoint(event.latlng)];
    const begin = place();
    L.DomEvent.preventDefault(touch);
    this._tap = touch.touches.length === 1 ? event : null;
    touch.target.addEventListener("touchend", () => {
      if (this._tap === event && this._markers && place().distanceTo(begin) < 10) onTouch.call(this, event);
    }, { once: true });
  }

  // While one draws, what lies above the map (a CSS selector) keeps its height: the map would move under the pointer.
  // The canvas gets no events then: it tells the map of each second move at most, and presses after a quick one are lost.
  L.UsvDrawing = L.Layer.extend({
    initialize(above, marker) {
      [this._above, this._marker] = [above, marker];
      onTouch ??= L.Draw.Polyline.prototype._onTouch;
      L.Draw.Polyline.prototype._onTouch = onTap;
    },
    onAdd(map) {
      map.on("draw:drawstart draw:drawstop", this._hold, this);
      const button = map.getContainer().querySelector(".leaflet-draw-draw-marker");
      if (button) button.title = button.firstElementChild.textContent = this._marker;
    },
    onRemove(map) { map.off("draw:drawstart draw:drawstop", this._hold, this); },
    _hold(event) {
      const starts = this._map.usvIsDrawing = event.type === "draw:drawstart";
      this._map.getPane("overlayPane").style.pointerEvents = starts ? "none" : "";
      const top = this._map.getContainer().getBoundingClientRect().top;
      for (const one of document.querySelectorAll(this._above)) {
        const box = one.getBoundingClientRect();
        Object.assign(one.style, starts && box.bottom <= top ? { height: `${box.height}px`, overflow: "auto" }
          : { height: "", overflow: "" });
      }
    },
  });
  L.usvDrawing = (above, marker) => new L.UsvDrawing(above, marker);

  // The map opens where it was looked at last in this browser, if that was closer than the whole world.
  const WORLD = 2;      // zoom
  L.UsvLastView = L.Layer.extend({
    initialize(key) { this._key = key; },
    onAdd(map) {
      try {
        const [north, east, zoom] = JSON.parse(localStorage.getItem(this._key));
        map.setView([north, east], zoom, { animate: false });
      } catch { /* Nothing is kept, or it may not be. */ }
      map.on("moveend", this._keep, this);
    },
    onRemove(map) { map.off("moveend", this._keep, this); },
    _keep() {
      const { lat, lng } = this._map.getCenter();
      try {
        if (this._map.getZoom() > WORLD) localStorage.setItem(this._key, JSON.stringify([lat, lng, this._map.getZoom()]));
      } catch { /* It may not be kept. */ }
    },
  });
  L.usvLastView = (key) => new L.UsvLastView(key);

  // places: [[latitude, longitude], ...]; legs: one [level, text, dashed] between two of them.
  L.usvWay = function (places, legs, marks) {
    const group = L.featureGroup();
    legs.forEach(([level, text, dashed], number) => {
      const line = L.polyline([places[number], places[number + 1]], {
        weight: 4, color: level < 0 ? colour("muted") : colour("r" + level), dashArray: dashed ? "4 8" : null });
      line.bindTooltip(textNode(text), { sticky: true });
      group.addLayer(line);
    });
    for (const [number, text, kind] of marks) {
      const mark = L.circleMarker(places[number], { radius: kind === "point" ? 4 : 6, weight: 2, fillOpacity: 1,
        color: colour("card"), fillColor: colour({ start: "accent", stay: "warn" }[kind] ?? "ink") });
      mark.bindTooltip(textNode(text));
      group.addLayer(mark);
    }
    return group;
  };

  L.usvLines = function (lines, name, dash) {
    return L.polyline(lines, { weight: 2, color: colour(name), dashArray: dash, interactive: false });
  };

  // `is_shown`: whether the map goes there; else only if it shows the whole world.
  L.usvCoast = function (shapes, is_shown) {
    const coast = L.geoJSON(shapes, { interactive: false, pointToLayer: () => L.layerGroup(),
      style: () => ({ weight: 1, color: colour("muted"), fillColor: colour("muted"), fillOpacity: 0.18 }) });
    coast.on("add", () => {
      const [map, box] = [coast._map, coast.getBounds()];
      if (box.isValid() && (is_shown || map.getZoom() <= WORLD)) map.usvFit([box.getSouthWest(), box.getNorthEast()]);
    });
    return coast;
  };

  function textNode(text) {
    const node = document.createElement("span");
    node.textContent = text;
    return node;
  }
})();
