"""GRIB files of a wind that is linear in place and time, for the tests of their reader."""

import numpy as np

NI, NJ, STEP = 13, 9, 0.25  # columns, rows from the north, degrees


def wind(hour, longitude, latitude, member=0):
    """Return the wind to the east and north, m/s, linear in each of time, h, and place, degrees."""
    return (4.0 + 0.5 * (longitude + 4.5) - 0.7 * (latitude - 48.3) + 0.3 * hour + member,
            -2.0 + 0.1 * hour - latitude / 50.0)


def write_grib(path, messages, west=354.0, north=49.5, edition=2, missing=()):
    """
    Write messages on a grid of longitudes and latitudes.

    :param messages: shortName, value of each node (rows from north to south) or its function of longitude and latitude,
        keys of ecCodes.
    """
    import eccodes
    longitude, latitude = np.meshgrid((west + STEP * np.arange(NI) + 180.0) % 360.0 - 180.0,
                                      north - STEP * np.arange(NJ))
    with path.open('wb') as file:
        for name, field, keys in messages:
            handle = eccodes.codes_grib_new_from_samples(f'regular_ll_sfc_grib{edition}')
            grid = {'Ni': NI, 'Nj': NJ, 'latitudeOfFirstGridPointInDegrees': north,
                    'longitudeOfFirstGridPointInDegrees': west,
                    'latitudeOfLastGridPointInDegrees': north - STEP * (NJ - 1),
                    'longitudeOfLastGridPointInDegrees': (west + STEP * (NI - 1)) % 360.0,
                    'iDirectionIncrementInDegrees': STEP, 'jDirectionIncrementInDegrees': STEP,
                    'dataDate': 20260501, 'dataTime': 600}
            member = {'productDefinitionTemplateNumber': 1} if 'number' in keys else {}
            for key, value in {**grid, **member, 'shortName': name, **keys}.items():
                eccodes.codes_set(handle, key, value)
            values = np.array(field(longitude, latitude), dtype=float)
            if missing:
                eccodes.codes_set(handle, 'bitmapPresent', 1)
                eccodes.codes_set(handle, 'missingValue', 9999.0)
                values[missing] = 9999.0
            eccodes.codes_set(handle, 'bitsPerValue', 24)
            eccodes.codes_set_values(handle, values.ravel())
            eccodes.codes_write(handle, file)
            eccodes.codes_release(handle)
    return path


def winds(hours=(0, 3, 6), names=('10u', '10v'), members=(None,), **keys):
    """Return the messages of a forecast of `wind`."""
    return [(name, lambda lon, lat, side=side, hour=hour, member=member: wind(hour, lon, lat, member or 0)[side],
             {**keys, 'step': hour, **({} if member is None else {'number': member})})
            for member in members for hour in hours for side, name in enumerate(names)]


def write_projected(path, kind, edition=2, along_grid=False, first=(45.0, 178.9), stands=None):
    """
    Write a wind of 3 m/s along the columns and 4 m/s along the rows (or east, north) on a map, 12 columns, 8 rows.

    :param kind: What ecCodes calls the grid: mercator, lambert.
    :param first: Degrees north and east of the first node.
    :param stands: Other values than these, by shortName, shape (96,).
    """
    import eccodes
    keys = {'latitudeOfFirstGridPointInDegrees': first[0], 'longitudeOfFirstGridPointInDegrees': first[1],
            'LaDInDegrees': 45.0, 'uvRelativeToGrid': int(along_grid), 'jScansPositively': 1}
    keys |= {'Nx': 12, 'Ny': 8, 'LoVInDegrees': 185.0, 'DxInMetres': 10000, 'DyInMetres': 10000,
             'Latin1InDegrees': 45.0, 'Latin2InDegrees': 45.0} if kind == 'lambert' else {
        'Ni': 12, 'Nj': 8, 'latitudeOfLastGridPointInDegrees': first[0] + 0.63,
        'longitudeOfLastGridPointInDegrees': (first[1] + 1.4) % 360.0, 'DiInMetres': 10000, 'DjInMetres': 10000}
    with path.open('wb') as file:
        for name, speed in (('10u', 3.0), ('10v', 4.0)):
            handle = eccodes.codes_grib_new_from_samples(f'regular_ll_sfc_grib{edition}')
            eccodes.codes_set(handle, 'gridType', kind)
            for key, value in {**keys, 'dataDate': 20260501, 'dataTime': 600, 'shortName': name}.items():
                eccodes.codes_set(handle, key, value)
            eccodes.codes_set(handle, 'bitsPerValue', 24)
            eccodes.codes_set_values(handle, np.full(96, speed) if stands is None else stands[name])
            eccodes.codes_write(handle, file)
            eccodes.codes_release(handle)
    return path


def write_reduced(path):
    """Write a wind on a reduced Gaussian grid, whose rows are of several lengths."""
    import eccodes
    with path.open('wb') as file:
        for name in ('10u', '10v'):
            handle = eccodes.codes_grib_new_from_samples('reduced_gg_sfc_grib2')
            eccodes.codes_set(handle, 'shortName', name)
            eccodes.codes_write(handle, file)
            eccodes.codes_release(handle)
    return path
