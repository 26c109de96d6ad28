"""The package's own messages and services, which `usv_energy_msgs` makes when it is built; the only import of them."""

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
        PowerStamped,
        ScenarioResult,
        ThrusterPower,
    )
    from usv_energy_msgs.srv import GetFlow, GetSurface, SendAcoustic, SetHome
except ImportError as error:
    # In the repository's folder Python takes the sources of the messages for a package without content.
    raise InputError(
        f'usv_energy_msgs is not built, or its setup file is not sourced ({error}). In a workspace whose src holds '
        'usv_energy: ln -s usv_energy/usv_energy_msgs src/usv_energy_msgs && colcon build && . install/setup.bash'
    ) from None

__all__ = ['AcousticMessage', 'AcousticTransmission', 'BatteryEstimate', 'BoatState', 'EnergyStamped', 'GetFlow',
           'GetSurface', 'HomeMargin', 'HullHealth', 'PowerStamped', 'ScenarioResult', 'SendAcoustic', 'SetHome',
           'ThrusterPower']
