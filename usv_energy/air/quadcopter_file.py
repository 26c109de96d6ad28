"""A quadcopter as a file describes it, shipped in config/quadcopters or a user's own: read and checked."""

from pathlib import Path

from ..files import checked
from ..files.errors import InputError
from ..files.locate import resolve
from ..physics.battery import JOULES_PER_WH
from .quadcopter import GRAVITY, Quadcopter

ROTORS = 4


def read_quadcopter(name: str, beside: Path | None = None) -> Quadcopter:
    """
    Return a quadcopter by its name in config/quadcopters or by the path of its YAML file.

    :param beside: Folder of the file that names it, for relative paths.
    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('quadcopters', name, beside)
    document = checked.read_yaml(path)
    checked.check(document, 'quadcopter', path)
    given = {key: float(value) for key, value in checked.values_of(document['quadcopter']).items()}
    inertia = (given.pop('inertia_x'), given.pop('inertia_y'), given.pop('inertia_z'))
    battery = JOULES_PER_WH * given.pop('battery_wh')
    weight, lift = given['mass'] * GRAVITY, ROTORS * given['most_thrust']
    if lift <= 1.2 * weight:
        raise InputError(f'{path}: quadcopter.most_thrust is {given["most_thrust"]:g} N; four rotors must lift 1.2 '
                         f'times its weight of {weight:.2f} N at least, to be steered')
    return Quadcopter(document['name'], inertia=inertia, battery=battery, **given)
