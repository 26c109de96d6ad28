"""Small rasters, for the tests of their reader."""

import numpy as np
import pytest

COMPONENTS = {'kind': 'components', 'unit': 'm/s', 'partner': 'vy.asc'}


def write_grid(path, values, west=100.0, south=200.0, cell=10.0, header=None, nodata=-9999):
    """Write an ESRI ASCII grid of values in rows from the south."""
    values = np.atleast_2d(values)
    lines = header if header is not None else [
        f'ncols {values.shape[1]}', f'nrows {values.shape[0]}', f'xllcorner {west}', f'yllcorner {south}',
        f'cellsize {cell}', f'NODATA_value {nodata}']
    rows = [' '.join(f'{value:.17g}' for value in row) for row in values[::-1]]
    path.write_text('\n'.join([*lines, *rows]) + '\n')
    return path


def centres(shape=(4, 5)):
    return np.meshgrid(105.0 + 10.0 * np.arange(shape[1]), 205.0 + 10.0 * np.arange(shape[0]))


def write_tiff(path, bands, **more):
    rasterio = pytest.importorskip('rasterio')
    from rasterio.transform import from_origin
    bands = np.asarray(bands)
    profile = {'driver': 'GTiff', 'width': bands.shape[2], 'height': bands.shape[1], 'count': bands.shape[0],
               'dtype': 'float64', 'transform': from_origin(100.0, 240.0, 10.0, 10.0), 'nodata': -1.0} | more
    with rasterio.open(path, 'w', **profile) as file:
        file.write(bands[:, ::-1])
    return path


def write_components(folder):
    """Write a pair of components, a linear field; return the first."""
    x, y = centres()
    write_grid(folder / 'vy.asc', 1.0 + 0.02 * y)
    return write_grid(folder / 'vx.asc', 0.01 * x - 0.03 * y)
