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
