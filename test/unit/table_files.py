"""Tables (CSV) for tests: a boat that goes round clockwise, as a logger with north, east and down has it."""

import numpy as np

from usv_energy.logs.tables.column_map import columns_from

SPEED, TURN = 1.3, 0.25  # m/s, rad/s
TIME = np.arange(0.0, 40.0, 0.1)
MAP = {'time': {'column': 't', 'unit': 'ms'}, 'x': {'column': 'n', 'unit': 'm'}, 'y': {'column': 'e', 'unit': 'm'},
       'yaw': {'column': 'psi', 'unit': 'deg'}, 'u': {'column': 'surge', 'unit': 'knots'},
       'v': {'column': 'sway', 'unit': 'm/s'}, 'r': {'column': 'rate', 'unit': 'deg/s'}}
NED =  {'earth': 'ned', 'body': 'frd'}


def mapped(folder, columns, **more):
    return columns_from({'columns': columns, **more}, folder / 'map.yaml')


def write_columns(path, columns, delimiter=','):
    lines = [delimiter.join(columns)]
    lines += [delimiter.join(repr(float(value)) for value in row) for row in zip(*columns.values())]
    path.write_text('\n'.join(lines) + '\n')
    return path


def circle_ned():
    """A boat that goes round clockwise, as a NED and FRD logger has it, with sway to starboard of 0.1 m/s."""
    yaw = TURN * TIME
    north_rate = SPEED * np.cos(yaw) - 0.1 * np.sin(yaw)
    east_rate = SPEED * np.sin(yaw) + 0.1 * np.cos(yaw)
    north = (SPEED * np.sin(yaw) + 0.1 * (np.cos(yaw) - 1.0)) / TURN
    east = (SPEED * (1.0 - np.cos(yaw)) + 0.1 * np.sin(yaw)) / TURN
    still = 0.0 * yaw
    return {'t': 1e3 * TIME, 'n': north, 'e': east, 'psi': np.degrees(yaw) % 360.0,
            'surge': SPEED / 1852.0 * 3600.0 + still, 'sway': 0.1 + still, 'rate': np.degrees(TURN) + still,
            'vn': north_rate, 've': east_rate}
