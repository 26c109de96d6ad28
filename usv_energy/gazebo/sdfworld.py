"""What a graph needs to know of a world file: the world's name, its step, the models that are in it."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

from ..files.errors import InputError

DEFAULT_STEP = 0.001  # s, <max_step_size> where a world says nothing (SDF specification 1.9, element physics).


class SdfWorld(NamedTuple):
    """A world: its file, its name, the step of its physics, s, and the names of its models."""

    path: Path
    name: str
    step: float
    models: tuple[str, ...]


def read_world(path: Path) -> SdfWorld:
    """
    Return what a world file says.

    :raises InputError: If there is no such file, or no world with a name and a step in it.
    """
    try:
        world = ElementTree.parse(path).getroot().find('world')
    except OSError as error:
        raise InputError(f'{path}: cannot read this world: {error.strerror}') from None
    except ElementTree.ParseError as error:
        raise InputError(f'{path}: is no XML: {error}') from None
    if world is None or not world.get('name'):
        raise InputError(f'{path}: holds no <world> with a name')
    text = world.findtext('physics/max_step_size', str(DEFAULT_STEP))
    try:
        step = float(text)
    except ValueError:
        step = 0.0
    if not step > 0.0:
        raise InputError(f'{path}: max_step_size is {text!r}; must be a number greater than 0, s')
    names = [model.get('name', '') for model in world.findall('model')]
    names += [include.findtext('name') or Path(include.findtext('uri', '')).name
              for include in world.findall('include')]
    return SdfWorld(Path(path), world.get('name', ''), step, tuple(names))
