"""The place of a route's world on the Earth: from the flow's file, else about a given origin."""

import numpy as np

from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError
from usv_energy.flow.on_earth import WorldFrame, own_frame
from usv_energy.missions.mission import checked_place

HIGHEST = 85.0  # degrees of latitude; nearer to a pole, a plane of east and north is not a usable map


def frame_of(flow: object, origin: Place | None = None) -> WorldFrame | None:
    """
    Return where a flow's world lies on the Earth: from its file, else about a given origin; None if unknown.

    :param flow: Of the water; only a flow file can contain its place.
    :param origin: Degrees, of the world's origin.
    :raises InputError: If both give it; if the origin is within 5 degrees of a pole.
    """
    own = own_frame(flow)
    if own is not None and origin is not None:
        raise InputError(f'{getattr(flow, "path", flow)}: says itself where it lies on the Earth; --origin goes with a '
                         'flow in local metres')
    if own is None and origin is not None:
        own = LocalPlane(checked_place(*origin, '--origin'))
    latitude = 0.0 if own is None else float(own.to_geodetic(np.zeros(1), np.zeros(1))[0][0])
    if abs(latitude) > HIGHEST:
        raise InputError(f'the origin lies at latitude {latitude:g}; routes are found up to {HIGHEST:g} degrees: at '
                         'the poles there is no east')
    return own
