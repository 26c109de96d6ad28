"""GRIB files of weather and ocean forecasts."""
