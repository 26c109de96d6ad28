"""CF netCDF files and zarr stores."""
