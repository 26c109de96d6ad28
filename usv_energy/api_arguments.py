"""What a person gives to the public Python API, checked and converted: boats, scenarios, vectors, arrays."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .boats.boat_file import Boat, read_boat
from .files.errors import InputError
from .flow.uniform import UniformFlow
from .sim.scenario import Scenario, read_scenario

if TYPE_CHECKING:
    from .flow.flow_file import FlowFile

Vector: TypeAlias = tuple[ArrayLike, ArrayLike]


def boat_of(boat: Boat | str | Path) -> Boat:
    """Return a boat, read where its name or path is given; InputError where there is none such."""
    return boat if isinstance(boat, Boat) else read_boat(str(boat))


def scenario_of(scenario: Scenario | str | Path) -> Scenario:
    """Return a scenario, read where its name or path is given; InputError where there is none such."""
    return scenario if isinstance(scenario, Scenario) else read_scenario(str(scenario))


def pair_of(vector: Vector, name: str) -> Vector:
    """Return a vector in the earth frame, which has two components; InputError names another number of them."""
    if len(vector) != 2:
        raise InputError(f'{name} has {len(vector)} components; must be (east, north), m/s')
    return vector


def numbers_of(vector: Vector, name: str) -> tuple[float, float]:
    """Return the components of a vector in the earth frame that is the same everywhere."""
    x, y = np.asarray(pair_of(vector, name), dtype=float).tolist()
    return x, y


def flow_of(flow: 'Vector | FlowFile | None', name: str) -> 'UniformFlow | FlowFile | None':
    """Return a flow, or the uniform one that a vector in the earth frame, m/s, is."""
    return UniformFlow(*numbers_of(flow, name)) if isinstance(flow, tuple | list) else flow


def conditions_of(vectors: Vector | Sequence[Vector], name: str) -> list[tuple[float, float]]:
    """Return speeds, m/s, and directions, degrees, of one or several vectors in the earth frame."""
    pairs = np.atleast_2d(np.asarray(vectors, dtype=float))
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InputError(f'{name} has the shape {pairs.shape}; must be (east, north), m/s, or a list of them')
    flows = [UniformFlow(x, y) for x, y in pairs.tolist()]
    return [(flow.speed, flow.direction_deg) for flow in flows]


def of_one_shape(values: Mapping[str, ArrayLike]) -> list[Any]:
    """Return floats where all are numbers, else arrays of the one shape that the arrays among them have."""
    arrays = {name: np.asarray(value, dtype=float) for name, value in values.items()}
    shapes = {name: array.shape for name, array in arrays.items() if array.ndim}
    if len(set(shapes.values())) > 1:
        found = ', '.join(f'{name} {shape}' for name, shape in shapes.items())
        raise InputError(f'arrays of different shapes: {found}; all arrays must have one shape')
    if not shapes:
        return [float(array) for array in arrays.values()]
    shape = next(iter(shapes.values()))
    return [np.broadcast_to(array, shape) for array in arrays.values()]
