"""Boats of one box or two, whose ways of floating are in every book: their files, and their closed forms."""

import math

import yaml

from usv_energy.boats.boat_file import read_boat

RHO, GRAVITY = 1025.0, 9.81
LENGTH, WIDTH, HEIGHT, MASS, MASS_HEIGHT = 2.0, 0.8, 0.5, 205.0, 0.2
ROLL_INERTIA, PITCH_INERTIA = 14.0, 70.0
DRAUGHT = MASS / (RHO * LENGTH * WIDTH)


def barge_document(**changes):
    """Return the file of a box without damping in heave, roll and pitch; `changes` of `floating`."""
    floating = {'mass_height': MASS_HEIGHT, 'roll_inertia': ROLL_INERTIA, 'pitch_inertia': PITCH_INERTIA,
                'heave_added_mass': 150.0, 'roll_added_inertia': 3.0, 'pitch_added_inertia': 40.0,
                'heave_damping': 0.0, 'roll_damping': 0.0, 'pitch_damping': 0.0}
    return {'base': 'otter', 'name': 'barge', 'hull': {'mass': MASS, 'length': LENGTH, 'width': WIDTH},
            'inertia': {'m11': 220.0, 'm22': 380.0, 'm33': 110.0, 'm23': 0.0},
            'parts': [{'name': 'box', 'x': 0.0, 'y': 0.0, 'length': LENGTH, 'width': WIDTH, 'height': HEIGHT}],
            'floating': {**floating, **changes}}


def boat_of(document, folder):
    """Return the boat of a file's content, written into a folder."""
    path = folder / f'{document["name"]}.yaml'
    path.write_text(yaml.safe_dump(document), encoding='utf-8')
    return read_boat(str(path))


def periods_of_barge():
    """Return the periods of heave, roll and pitch, s: 2 pi sqrt(inertia / stiffness), with GM = KB + BM - KG."""
    stiffness = RHO * GRAVITY * LENGTH * WIDTH
    roll, pitch = (MASS * GRAVITY * (0.5 * DRAUGHT + across ** 2 / (12.0 * DRAUGHT) - MASS_HEIGHT)
                   for across in (WIDTH, LENGTH))
    return tuple(2.0 * math.pi * math.sqrt(ratio) for ratio in (
        (MASS + 150.0) / stiffness, (ROLL_INERTIA + 3.0) / roll, (PITCH_INERTIA + 40.0) / pitch))


def without_drag(vessel):
    """Return a Vessel that nothing damps."""
    damping = vessel.damping._replace(**dict.fromkeys(vessel.damping._fields, 0.0) | {'wave': None})
    hull = vessel.parts._replace(heave_damping=0.0, roll_damping=0.0, pitch_damping=0.0)
    return vessel._replace(damping=damping, windage=vessel.windage._replace(air_density=0.0), parts=hull)
