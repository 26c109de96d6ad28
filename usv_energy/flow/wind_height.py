"""The wind at a boat from a wind at another height, such as the 10 m of weather models and forecasts."""

from dataclasses import replace
from typing import overload

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.physics.wind import LOWEST, share_at_height


def height_of_windage(boat: Boat) -> float:
    """
    Return the height at which the wind acts on a boat, m above water: from its file, else half the height of its hull.

    :raises InputError: If the boat's file gives neither; the message names file and key.
    """
    if boat.hull.windage_height is not None:
        return boat.hull.windage_height
    if boat.hull.height is not None:
        return max(0.5 * boat.hull.height, LOWEST)
    raise InputError(f'{boat.path}: lacks the key windage.height, m above water (or hull.height: half of it is taken): '
                     'the wind is given at a height, and at the boat it is weaker')


def wind_share(boat: Boat, given_at: float | None) -> float:
    """
    Return the ratio of the wind at a boat to a given wind, (-), by the log law of `share_at_height`.

    :param given_at: Height of the given wind, m above water; None for the boat's, with a ratio of 1.
    :raises InputError: As `height_of_windage`; if that height is below LOWEST.
    """
    if given_at is None:
        return 1.0
    if not given_at >= LOWEST:
        raise InputError(f'the height of the wind is {given_at:g} m; must be at least {LOWEST:g} m above water')
    return share_at_height(height_of_windage(boat), given_at)


@overload
def wind_at_boat(wind: UniformFlow, boat: Boat, height: float | None = None) -> UniformFlow: ...


@overload
def wind_at_boat(wind: FlowFile, boat: Boat, height: float | None = None) -> FlowFile: ...


@overload
def wind_at_boat(wind: None, boat: Boat, height: float | None = None) -> None: ...


def wind_at_boat(wind: UniformFlow | FlowFile | None, boat: Boat,
                 height: float | None = None) -> UniformFlow | FlowFile | None:
    """
    Return a wind as it blows at a boat.

    :param wind: The same everywhere, or of a flow file, which may say its height; None stays None.
    :param boat: Whose windage's height it is reduced to.
    :param height: At which the wind holds, m above water, in place of what its file says; None: what that says, and
        else at the boat.
    :raises InputError: As `wind_share`.
    """
    if isinstance(wind, FlowFile):
        return replace(wind, share=wind_share(boat, wind.height if height is None else height))
    if wind is None or height is None:
        return wind
    return wind.scaled(wind_share(boat, height))
