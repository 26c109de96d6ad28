"""The messages of ros_gz_interfaces, which only a graph with Gazebo needs."""

import importlib
from typing import Any

from ..files.errors import InputError

PACKAGE = 'ros_gz_interfaces'


def gazebo_messages() -> Any:
    """
    Return the module ros_gz_interfaces.msg.

    :raises InputError: If it is not installed.
    """
    return _module('msg')


def control_world() -> Any:
    """
    Return the service type ros_gz_interfaces/srv/ControlWorld.

    :raises InputError: If it is not installed.
    """
    return _module('srv').ControlWorld


def _module(kind: str) -> Any:
    try:
        return importlib.import_module(f'{PACKAGE}.{kind}')
    except ImportError as error:
        raise InputError(f'the messages of ros_gz_bridge are missing ({error}); install them: '
                         'sudo apt install ros-jazzy-ros-gz') from None
