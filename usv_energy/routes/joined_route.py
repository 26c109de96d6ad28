"""Several routes, one after the other, as one."""

from collections.abc import Sequence

import numpy as np

from .route_problem import Route


def joined_route(routes: Sequence[Route]) -> Route:
    """Return routes as one, each from where the one before ends."""
    first, *rest = routes
    for route in rest:
        first = Route(np.concatenate([first.time, first.time[-1] + (route.time[1:] - route.time[0])]),
                      np.concatenate([first.x, route.x[1:]]), np.concatenate([first.y, route.y[1:]]),
                      np.concatenate([first.speed, route.speed]),
                      np.concatenate([first.energy, first.energy[-1] + route.energy[1:]]))
    return first
