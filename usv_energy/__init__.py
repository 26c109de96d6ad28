"""
Power and energy of unmanned surface vehicles: what a motion costs, and why.

    >>> import usv_energy
    >>> boat = usv_energy.read_boat('lutra_prop')
    >>> round(usv_energy.power(boat, u=1.0).total, 3)       # W, in still water; wind is still, too
    16.328

These names are the public Python API; everything else may change from one version to the next. A name's module is
imported when the name is first used, so `import usv_energy` itself imports neither numpy nor ROS. docs/api.md describes
all of them, docs/frames.md the axes and signs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from usv_energy.version import __version__

if TYPE_CHECKING:
    from usv_energy.api import (
        analyze_log,
        energy,
        energy_map,
        identify_boat,
        power,
        range_study,
        run_scenario,
        run_sweep,
        track_figures,
        uniform_flow,
    )
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.files.errors import InputError
    from usv_energy.flow.flow_file import read_flow
    from usv_energy.logs.read_log import read_log
    from usv_energy.sim.scenario import read_scenario
    from usv_energy.studies.analyze.report_folder import to_dataset

_HOMES = {
    'read_boat': 'boats.boat_file', 'read_scenario': 'sim.scenario', 'read_flow': 'flow.flow_file',
    'read_log': 'logs.read_log', 'to_dataset': 'studies.analyze.report_folder', 'InputError': 'files.errors',
    **dict.fromkeys(('uniform_flow', 'power', 'energy', 'run_scenario', 'track_figures', 'run_sweep', 'energy_map',
                     'range_study'), 'api'),
    **dict.fromkeys(('analyze_log', 'identify_boat'), 'api'),
}

__all__ = [
    'InputError', '__version__', 'analyze_log', 'energy', 'energy_map', 'identify_boat', 'power', 'range_study',
    'read_boat', 'read_flow', 'read_log', 'read_scenario', 'run_scenario', 'run_sweep', 'to_dataset', 'track_figures',
    'uniform_flow',
]


def __getattr__(name: str) -> Any:
    """Return a public name, importing its module (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    value = globals()[name] = getattr(import_module(f'.{_HOMES[name]}', __name__), name)
    return value


def __dir__() -> list[str]:
    """Return the public names, so that completion finds those that are not imported yet."""
    return sorted({*globals(), *__all__})
