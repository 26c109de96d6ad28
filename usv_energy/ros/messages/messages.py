"""
Message classes: those of usv_energy_msgs, definitions as bags need them, and fast constructors.

Nothing else imports usv_energy_msgs, which is made when the workspace is built.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ament_index_python.packages import get_package_share_directory
from std_msgs.msg import Header

from usv_energy.files.errors import InputError

try:
    from usv_energy_msgs.msg import (
        AcousticMessage,
        AcousticTransmission,
        BatteryEstimate,
        BoatState,
        EnergyStamped,
        HomeMargin,
        HullHealth,
        LegBegin,
        PowerStamped,
        RemainingRange,
        ScenarioResult,
        ThrusterPower,
    )
    from usv_energy_msgs.srv import GetFlow, GetSurface, SendAcoustic, SetCharge, SetHome
except ImportError as error:
    # In the repository's folder Python takes the sources of the messages for a package without content.
    raise InputError(
        f'usv_energy_msgs is not built, or its setup file is not sourced ({error}). In a workspace whose src holds '
        'usv_energy: ln -s usv_energy/usv_energy_msgs src/usv_energy_msgs && colcon build && . install/setup.bash'
    ) from None

__all__ = ['AcousticMessage', 'AcousticTransmission', 'BatteryEstimate', 'BoatState', 'EnergyStamped', 'GetFlow',
           'GetSurface', 'HomeMargin', 'HullHealth', 'LegBegin', 'PowerStamped', 'RemainingRange', 'ScenarioResult',
           'SendAcoustic', 'SetCharge', 'SetHome', 'ThrusterPower']

# Whether the user wants each field's type to be checked (ROS_PYTHON_CHECK_FIELDS=1).
CHECKED = Header()._check_fields
SEPARATOR = 80 * '='  # Between the definitions of a bag's schema.


def message_factory(kind: Any) -> Callable[..., Any]:
    """
    Return a fast constructor of a message class; its arguments are all fields, in the order of the definition.

    The constructor that rosidl generates first makes the default of every field, and then replaces it. That took most
    of the time of a step of the graph (bench/lockstep.py). The function here fills the slots behind the fields. It is
    generated for the class, as `dataclasses` does. With ROS_PYTHON_CHECK_FIELDS it sets the fields, which checks them.

    :param kind: Class of the messages.
    """
    fields = list(kind.get_fields_and_field_types())
    # The function's own names begin with an underscore, which no field of a message does.
    lines = [f'def make({", ".join(fields)}):', '_made = _new(_kind)', '_made._check_fields = _checked',
             *(f'_made.{"" if CHECKED else "_"}{field} = {field}' for field in fields), 'return _made']
    names: dict[str, Any] = {'_new': kind.__new__, '_kind': kind, '_checked': CHECKED}
    exec('\n    '.join(lines), names)
    return names['make']


class MessageDefinition(NamedTuple):
    """
    A message type as a bag stores it.

    `name` is package/msg/Name, `text` the .msg file followed by those of all nested types, `hash` the RIHS01 hash.
    """

    name: str
    text: str
    hash: str


def type_name(kind: type) -> str:
    """Return the name of a message class as bags have it: package/msg/Name."""
    return f'{kind.__module__.split(".")[0]}/msg/{kind.__name__}'


@cache
def definition_of(kind: type) -> MessageDefinition:
    """Return the definition of a message class. The type description that rosidl installs lists its nested types."""
    name = type_name(kind)
    hashes = {entry['type_name']: entry['hash_string']
              for entry in json.loads(_installed(name, '.json'))['type_hashes']}
    parts = [_installed(name, '.msg')]
    for used in sorted(hashes.keys() - {name}):
        package, _, short = used.split('/')
        parts.append(f'{SEPARATOR}\nMSG: {package}/{short}\n{_installed(used, ".msg")}')
    return MessageDefinition(name, '\n'.join(parts), hashes[name])


def _installed(name: str, suffix: str) -> str:
    package, folder, short = name.split('/')
    return Path(get_package_share_directory(package), folder, short + suffix).read_text(encoding='utf-8')
