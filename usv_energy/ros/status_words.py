"""The status bits of power and energy in words."""

from .messages import EnergyStamped, PowerStamped

WORDS = {
    PowerStamped.NO_ACCELERATION: 'no acceleration yet', PowerStamped.INVALID_STATE: 'NaN in the odometry',
    PowerStamped.TIME_JUMPED_BACK: 'time jumped back', PowerStamped.CURRENT_MISSING: 'no water current known: no power',
    PowerStamped.CURRENT_STALE: 'water current is old', PowerStamped.WIND_MISSING: 'no wind known: no power',
    PowerStamped.WIND_STALE: 'wind is old', PowerStamped.ACTUATORS_MISSING: 'not all thrusts are told',
    PowerStamped.ACTUATORS_STALE: "the actuators' states are old", EnergyStamped.SILENT: 'no power sample for a while',
}


def problems_of(status: int) -> list[str]:
    """Return what a status says, a few words a bit; empty for OK."""
    if not status:
        return []
    return [words for bit, words in WORDS.items() if status & bit]
