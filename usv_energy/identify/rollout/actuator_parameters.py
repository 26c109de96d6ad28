"""
What a fit learns of actuators beside their thrust: areas of rudders and sails, and what moving water takes from thrust.

A thruster's lag, and the scale of all thrusts, are parameters of every boat (`fit_parameters.py`).
"""

from collections.abc import Mapping

from ...boats.arrangement import is_pair
from ...boats.vessel import Vessel
from ...foils.foil import Foil
from ...thrusters.drive import inflow_coefficient, knows_inflow

INFLOW = 'propellers.inflow'
INFLOW_UNIT = 'N^0.5 s/m'
KNOWN_TO = 0.5  # Share of its value to which an area or an inflow coefficient is known before a fit,
OF_SHEET = 0.1  # and one of a thruster whose sheet leaves its screw little choice (docs/propellers.md).
MOST = 5.0      # Times its value that it may be.
PAIRED = 'thrust.asymmetry'
Row = tuple[str, str, float, float, float, float]  # Key, unit, lower and upper bound, prior, its standard deviation.


def pushes_ahead_only(vessel: Vessel) -> bool:
    """
    Return whether actuators push straight ahead with a thrust that knows nothing of the motion.

    That is: thrusters only, fixed in water, straight ahead, without a propeller that knows of the water's speed.
    """
    return not vessel.foils and all(
        thruster.axis is None and thruster.in_air is None and not knows_inflow(thruster)
        for thruster in vessel.thrusters)


def are_compared(vessel: Vessel) -> bool:
    """Return whether a boat's thrusters are compared, first with second, by what the boat does: two side by side."""
    return is_pair(vessel) or pushes_ahead_only(vessel)


def actuator_rows(vessel: Vessel, by_sheet: bool = False) -> list[Row]:
    """
    Return the parameters of a boat's actuators: an area of each kind of foil that turns, one inflow coefficient.

    :param by_sheet: Whether the inflow coefficient follows from a sheet of the library, and not from an own entry.
    """
    rows: list[Row] = []
    for first in foil_groups(vessel):
        area = vessel.foils[first].area
        rows.append((f'foils.{first}.area', 'm^2', 0.0, MOST * area, area, KNOWN_TO * area))
    if inflow := inflow_of(vessel):
        rows.append((INFLOW, INFLOW_UNIT, 0.0, MOST * inflow, inflow, (OF_SHEET if by_sheet else KNOWN_TO) * inflow))
    return rows


def foil_groups(vessel: Vessel) -> dict[int, list[int]]:
    """Return the places of the foils that turn, alike ones together, by the place of the first of them."""
    groups: dict[int, list[int]] = {}
    for place, foil in enumerate(vessel.foils):
        if foil.steer is not None:
            first = next((other for other in groups if _alike(vessel.foils[other], foil)), place)
            groups.setdefault(first, []).append(place)
    return groups


def inflow_of(vessel: Vessel) -> float:
    """Return the inflow coefficient of the first propeller that has one, N^0.5 s/m; 0 where none has."""
    return next(filter(None, map(inflow_coefficient, vessel.thrusters)), 0.0)


def with_actuators(vessel: Vessel, given: Mapping[str, float]) -> Vessel:
    """
    Return a Vessel with the parameters of its actuators; foils that are alike have one area.

    :param given: Values by key; the inflow coefficient is that of the first propeller, the others change with it.
    """
    foils = list(vessel.foils)
    for first, places in foil_groups(vessel).items():
        for place in places if f'foils.{first}.area' in given else ():
            foils[place] = foils[place]._replace(area=given[f'foils.{first}.area'])
    thrusters = vessel.thrusters
    if INFLOW in given:
        factor = given[INFLOW] / inflow_of(vessel)
        thrusters = tuple(thruster._replace(propeller=thruster.propeller._replace(
            inflow=factor * thruster.propeller.inflow)) if inflow_coefficient(thruster) else thruster
            for thruster in thrusters)
    return vessel._replace(foils=tuple(foils), thrusters=thrusters)


def _alike(one: Foil, other: Foil) -> bool:
    return all(getattr(one, key) == getattr(other, key) for key in ('area', 'density', 'lift', 'drag', 'drag0')) and (
        one.in_air is other.in_air or one.in_air == other.in_air) and one.curve is other.curve
