"""What the public Python API is given: numbers, arrays, choices, boats, flows and seas; all else is an InputError."""

import functools
import inspect
import math
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.locate import checked_path
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.compile_notice import notice
from usv_energy.sim.scenario import Scenario, read_scenario

if TYPE_CHECKING:
    from usv_energy.flow.flow_file import FlowFile

Vector: TypeAlias = tuple[ArrayLike, ArrayLike]
FlowLike: TypeAlias = 'Vector | str | FlowFile | None'
SeaLike: TypeAlias = tuple[float, float, float] | str | None
# Parameters that options call otherwise.
NAMES = {'from': 'start', 'to': 'goals', 'ambient': 'ambient_degc', 'from and --to': 'window'}
MEDIA = {'current': 'water', 'wind': 'air'}
LATEST = 1e10           # s of a flow's time
SPELLINGS = {'m s-1': 'm/s', 'm s^-1': 'm/s', 'm s**-1': 'm/s', 'rad s-1': 'rad/s', 'rad s^-1': 'rad/s',
             'm s-2': 'm/s^2', 'm s^-2': 'm/s^2', 'm/s2': 'm/s^2', 'm/s**2': 'm/s^2',
             'rad s-2': 'rad/s^2', 'rad s^-2': 'rad/s^2', 'rad/s2': 'rad/s^2', 'second': 's', 'seconds': 's',
             'metre': 'm', 'metres': 'm', 'meter': 'm', 'meters': 'm', 'radian': 'rad', 'radians': 'rad'}


Given = ParamSpec('Given')
Found = TypeVar('Found')


class ParameterError(InputError):
    """An InputError in the words of a function's parameters. `of_options`: the same in those of a command's options."""

    def __init__(self, message: str, of_options: str) -> None:
        """Take both."""
        super().__init__(message)
        self.of_options = of_options


def with_parameter_names(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """
    Return a function whose errors name its parameters where those of the same name of a command name its options.

    Options of the command that it has no parameter for stay as they are.
    """
    names = inspect.signature(function).parameters

    def parameter(found: re.Match[str]) -> str:
        name = NAMES.get(found[1], found[1].lower().replace('-', '_'))
        return name if name in names else found[0]

    @functools.wraps(function)
    def called(*arguments: Given.args, **options: Given.kwargs) -> Found:
        try:
            return function(*arguments, **options)
        except InputError as error:
            message = re.sub(r'(?<![\w-])(?:--)?(CONNECTION|(?<=--)(?:from and --to|[a-z]+(?:-[a-z]+)*))', parameter,
                             str(error))
            raise ParameterError(message, str(error)) from error
    return called


def number_of(value: object, name: str, least: float = -math.inf, most: float = math.inf,
              above: float | None = None) -> float:
    """Return a finite number within limits, which may be a numpy or an xarray scalar; InputError for all else."""
    allowed = 'a finite number' + (f' above {above:g}' if above is not None else '') + (
        f' from {least:g} to {most:g}' if math.isfinite(least) and math.isfinite(most)
        else f' from {least:g} on' if math.isfinite(least) else '')
    if isinstance(value, str | bytes | bool) or value is None or np.ndim(value) != 0:  # type: ignore[arg-type]
        raise InputError(f'{name} is {shown(value)}; must be {allowed}')
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f'{name} is {shown(value)}; must be {allowed}') from None
    if not math.isfinite(number) or not least <= number <= most or (above is not None and number <= above):
        raise InputError(f'{name} is {number:g}; must be {allowed}')
    return number


def optional_number(value: object, name: str, least: float = -math.inf, most: float = math.inf,
                    above: float | None = None) -> float | None:
    """Return None for None, else `number_of`."""
    return None if value is None else number_of(value, name, least, most, above)


def shown(value: object) -> str:
    """Return a value as an error shows it: short, on one line; of a result of this API its type."""
    text = f'a {type(value).__name__}' if hasattr(value, 'tabulated') else ' '.join(repr(value).split())
    return text if len(text) <= 60 else f'{text[:57]}...'


def array_of(values: object, name: str) -> np.ndarray:
    """Return numbers as an array of floats, NaN allowed; InputError for text, None, ragged lists and infinities."""
    try:
        masked: Any = values if isinstance(values, np.ma.MaskedArray) else None
        array = np.asarray(values) if masked is None else masked.astype(float).filled(np.nan)
        if array.dtype.kind not in 'iufO' or (array.dtype.kind == 'O' and None in array.ravel().tolist()):
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError):
        raise InputError(f'{name} is {shown(values)}; must be a number or an array of numbers') from None
    if np.isinf(array).any():
        raise InputError(f'{name} holds an infinite number; must be finite, or NaN where it is not known')
    return array


def seconds_of(time: object, name: str) -> np.ndarray:
    """Return stamps as s; moments (datetime64, or datetime in any zone or in none) are counted from the first."""
    check_unit(time, name, 's')
    moments = np.asarray(time)
    objects = moments.ravel().tolist() if moments.dtype.kind == 'O' else []
    if objects and all(isinstance(moment, datetime) for moment in objects):
        if len({moment.tzinfo is None for moment in objects if moment == moment}) > 1:  # NaT is in no zone.
            raise InputError(f'{name} has moments with a time zone and moments without; must be all of one kind')
        moments = np.array([_in_utc(moment) for moment in objects]).reshape(moments.shape)
    if moments.dtype.kind == 'M':
        seconds: np.ndarray = (moments.ravel() - moments.ravel()[:1]) / np.timedelta64(1, 's')
        return seconds.reshape(moments.shape)
    return array_of(time, name)


def _in_utc(moment: Any) -> np.datetime64:
    """Return a moment of a zone in UTC, one of none as it is; those of pandas keep their ns."""
    if hasattr(moment, 'to_datetime64'):
        return moment.to_datetime64()
    return np.datetime64(moment if moment.tzinfo is None else moment.astimezone(timezone.utc).replace(tzinfo=None))


def flag_of(value: object, name: str) -> bool:
    """Return True or False; InputError for all else."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f'{name} is {shown(value)}; must be True or False')
    return bool(value)


def vector_of(vector: object, name: str) -> tuple[Any, Any]:
    """
    Return the components of a water current or a wind, east and north, m/s, each a number or an array.

    :param vector: Two of them; or a text, as `0.4 kn set 060`.
    :param name: `current` or `wind`.
    :raises InputError: If it is neither.
    """
    how = f'(east, north), m/s, or a text as {"0.4 kn set 060" if name == "current" else "12 kn from NE"!r}'
    if isinstance(vector, str):
        from usv_energy.flow.flow_argument import uniform_of
        return uniform_of(vector, name, MEDIA[name])
    try:
        parts: tuple[Any, ...] = tuple(vector)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f'{name} is {shown(vector)}; must be {how}') from None
    if isinstance(vector, Mapping) or len(parts) != 2:
        raise InputError(f'{name} has {len(parts)} components; must be {how}')
    return parts


def uniform_flow_of(vector: object, name: str) -> UniformFlow:
    """Return the flow that is the same everywhere of `vector_of`; None is still."""
    if vector is None:
        return UniformFlow()
    east, north = vector_of(vector, name)
    return UniformFlow(number_of(east, f'{name}[0]'), number_of(north, f'{name}[1]'))


def flow_of(flow: FlowLike, name: str) -> 'UniformFlow | FlowFile | None':
    """Return a flow: as `uniform_flow_of`, from `read_flow`, or by the name or path of a flow file; None is None."""
    from usv_energy.flow.flow_file import FlowFile
    if flow is None or isinstance(flow, FlowFile):
        return flow
    if isinstance(flow, str | Path):
        from usv_energy.flow import flow_argument
        return flow_argument.flow_of(str(flow), name, MEDIA[name], dated=True)
    return uniform_flow_of(flow, name)


def conditions_of(vectors: object, name: str) -> list[tuple[float, float]]:
    """Return speeds, m/s, and directions, degrees, of one or several vectors in the earth frame."""
    pairs = np.atleast_2d(array_of(vectors, name))
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.isfinite(pairs).all():
        raise InputError(f'{name} has the shape {pairs.shape}; must be (east, north), m/s, or a list of them, finite')
    flows = [UniformFlow(x, y) for x, y in pairs.tolist()]
    return [(flow.speed, flow.direction_deg) for flow in flows]


def sea_of(sea: SeaLike) -> tuple[float, float, float] | None:
    """Return significant height, m, period of the peak, s, and the direction waves run to, rad; None for None."""
    if sea is None:
        return None
    from usv_energy.studies.plan.boat_in_sea import sea_state_of
    if isinstance(sea, str):
        return sea_state_of(sea, 'sea')
    numbers = array_of(sea, 'sea')
    if numbers.shape != (3,):
        raise InputError(f'sea is {shown(sea)}; must be (significant height m, period s, direction degrees that waves '
                         'run to, counter-clockwise from east), or a text as `0.3 m 2.5 s from SW`')
    return sea_state_of(','.join(map(repr, numbers.tolist())), 'sea')


def path_of(path: object, name: str, allowed: str = 'a name or a path') -> str:
    """Return a name or path as text; InputError, which says what is allowed, for all else."""
    if not isinstance(path, str | os.PathLike) or not str(path):
        raise InputError(f'{name} is {shown(path)}; must be {allowed}')
    return checked_path(str(path))


def boat_of(boat: object) -> Boat:
    """Return a boat, read where its name or path is given; InputError where there is none such."""
    return boat if isinstance(boat, Boat) else read_boat(path_of(boat, 'boat'))


def scenario_of(scenario: object) -> Scenario:
    """Return a scenario, read where its name or path is given; InputError where there is none such."""
    return scenario if isinstance(scenario, Scenario) else read_scenario(path_of(scenario, 'scenario'))


def choice_of(value: object, name: str, allowed: Sequence[str]) -> str:
    """Return one of several words; InputError names them."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(f'{name} is {shown(value)}; must be one of {", ".join(allowed)}')
    return str(value)


def paths_of(paths: object, name: str) -> list[str]:
    """Return names or paths, of one or of several, as texts; InputError for all else."""
    if isinstance(paths, str | os.PathLike):
        return [path_of(paths, name)]
    if not isinstance(paths, Sequence):
        raise InputError(f'{name} is {shown(paths)}; must be a list of paths')
    return [path_of(path, name) for path in paths]


def say_of(say: Callable[[str], None] | None) -> Callable[[str], None]:
    """Return a function of a text; one that does nothing for None."""
    if say is not None and not callable(say):
        raise InputError(f'say is {shown(say)}; must be a function of a text')
    return say or (lambda text: None)


def progress_of(progress: Progress | None) -> Progress:
    """Return a callback of (done, number); for None one that does nothing. Who has one is told of compilation, too."""
    if progress is not None and not callable(progress):
        raise InputError(f'progress is {shown(progress)}; must be a function of (done, number)')
    notice.wanted = notice.wanted or progress is not None
    return progress or no_progress


class Unlabelled(NamedTuple):
    """
    Arrays of one shape, or floats where all are numbers, and how a result is labelled as they were.

    `labelled` takes an array of that shape, a name and a unit: it returns the array itself, a pandas Series with the
    index that was given, or an xarray DataArray with its coordinates; name and unit are its attributes.
    """

    values: dict[str, Any]
    labelled: Callable[[Any, str, str], Any]


def unlabelled(values: Mapping[str, object], units: Mapping[str, str]) -> Unlabelled:
    """
    Return numbers, arrays, pandas Series and xarray DataArrays as arrays that are broadcast to one shape.

    DataArrays are broadcast by their dimensions and must have equal coordinates; Series must have equal indices.

    :param units: The unit of each name; a DataArray or Series whose attribute `units` is another one is refused.
    :raises InputError: If shapes, coordinates or indices do not fit, or a value is no number.
    """
    arrays, series = ({name: value for name, value in values.items() if _is(value, module, kind)}
                      for module, kind in (('xarray', 'DataArray'), ('pandas', 'Series')))
    tables = {**arrays, **series}
    for name, value in values.items():
        if _is(value, 'pandas', 'DataFrame'):
            raise InputError(f'{name} is a DataFrame; must be a number, an array, a Series (one of its columns) or a '
                             'DataArray')
    for name, value in tables.items():
        check_unit(value, name, units[name])
    if arrays and series:
        raise InputError(f'{", ".join(tables)} are pandas Series and xarray DataArrays; must be of one kind')
    if series:
        return _of_series(values, series)
    if arrays:
        return _of_data_arrays(values, arrays)
    return Unlabelled(_broadcast({name: array_of(value, name) for name, value in values.items()}),
                      lambda array, name, unit: array)


def _is(value: object, module: str, kind: str) -> bool:
    """Return whether a value is of a type of a library, which is not imported for that."""
    return module in sys.modules and isinstance(value, getattr(sys.modules[module], kind))


def check_unit(value: Any, name: str, unit: str) -> None:
    """Refuse a DataArray or Series whose attribute `units` (a column's, in that of its DataFrame) is another one."""
    given = getattr(value, 'attrs', {}).get('units')
    if isinstance(given, Mapping):
        given = given.get(value.name)
    if given is not None and SPELLINGS.get(str(given), given) != SPELLINGS.get(unit, unit):
        raise InputError(f'{name} has the units {given!r}; must be {SPELLINGS.get(unit, unit)}')


def _broadcast(arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    if not any(array.ndim for array in arrays.values()):
        return {name: float(array) for name, array in arrays.items()}
    try:
        return dict(zip(arrays, np.broadcast_arrays(*arrays.values())))
    except ValueError:
        shapes = ', '.join(f'{name} {array.shape}' for name, array in arrays.items() if array.ndim)
        raise InputError(f'arrays of the shapes {shapes}; must be of one shape, or broadcast to one as numpy does '
                         'it') from None


def _of_series(values: Mapping[str, object], tables: Mapping[str, Any]) -> Unlabelled:
    (first, series), *others = tables.items()
    for name, other in others:
        if not other.index.equals(series.index):
            raise InputError(f'{name} has another index than {first}; must be the same')
    arrays = _broadcast({name: array_of(value, name) for name, value in values.items()})

    def labelled(array: Any, name: str, unit: str) -> Any:
        found = type(series)(array, index=series.index, name=name)
        found.attrs['units'] = unit
        return found
    if next(iter(arrays.values())).shape != (len(series),):
        raise InputError(f'{first} is a Series of {len(series)} values, and another array has more dimensions; give '
                         'all as arrays')
    return Unlabelled(arrays, labelled)


def _of_data_arrays(values: Mapping[str, object], tables: Mapping[str, Any]) -> Unlabelled:
    import xarray
    try:
        whole = dict(zip(tables, xarray.broadcast(*xarray.align(*tables.values(), join='exact'))))
    except ValueError as error:
        raise InputError(f'{", ".join(tables)} have different coordinates: {str(error).splitlines()[0]}') from None
    pattern = next(iter(whole.values()))
    arrays = {name: array_of(whole[name].values if name in whole else value, name) for name, value in values.items()}
    for name, array in arrays.items():
        if array.ndim and array.shape != pattern.shape:
            raise InputError(f'{name} has the shape {array.shape}, beside DataArrays of {dict(pattern.sizes)}; must be '
                             'a number, a DataArray, or of that shape')

    def labelled(array: Any, name: str, unit: str) -> Any:
        return pattern.copy(data=np.broadcast_to(array, pattern.shape)).rename(name).assign_attrs(
            {'units': unit, 'long_name': name.replace('_', ' ')})
    pattern = pattern.copy()
    pattern.attrs = {}
    return Unlabelled(_broadcast(arrays), labelled)


def moment_text(moment: float | str | datetime | None, name: str) -> str | None:
    """Return a time as the text that `departure_window` reads; None for None."""
    if moment is None or isinstance(moment, str):
        return moment
    return moment.isoformat() if isinstance(moment, datetime) else repr(number_of(moment, name, 0.0, LATEST))
