"""A small HEC-RAS file of our own, and ways to change it, for the tests of its reader."""

import h5py
import numpy as np

from usv_energy.flow.formats.hecras_file import AREAS, SERIES
from usv_energy.flow.formats.hecras_reader import HecRasFlow
from usv_energy.flow.sample_files import MeanderingRiver

RIVER = MeanderingRiver(length=120.0, land=12.0, steps=6)
MESH, STEPS = f'{AREAS}/River', f'{SERIES}/2D Flow Areas/River'
X, Y = np.array([30.0, 60.0]), np.array([12.0, 18.0])


def change(path, what):
    with h5py.File(path, 'r+') as file:
        what(file)
    return path


def replace(name, values):
    def do(file):
        kept = dict(file[name].attrs)
        del file[name]
        file[name] = values
        file[name].attrs.update(kept)
    return do


def edit(name, at, value):
    def do(file):
        file[name][at] = value
    return do


def remove(*names):
    def do(file):
        for name in names:
            del file[name]
    return do


def asked(path, options=None, t=300.0):
    flow = HecRasFlow(path, options or {})
    try:
        return flow.velocity(t, X, Y)
    finally:
        flow.close()
