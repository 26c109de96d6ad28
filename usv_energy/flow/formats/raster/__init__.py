"""Rasters: ESRI ASCII and GeoTIFF."""
