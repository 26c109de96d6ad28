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
    from usv_energy.api.boat_files import (
        CheckResult,
        DischargeResult,
        MadeResult,
        check_boat,
        discharge,
        fit_out,
        make_boat,
        read_boat,
    )
    from usv_energy.api.fits import (
        BoatFitResult,
        FitResult,
        identify_battery,
        identify_boat,
        identify_bollard,
        identify_coast_down,
        identify_electrical,
        identify_pack,
        identify_speed_power,
        identify_steady,
        identify_waves,
    )
    from usv_energy.api.live_boat import follow_boat
    from usv_energy.api.motions import (
        EnergyResult,
        PowerResult,
        energy,
        power,
        uniform_flow,
    )
    from usv_energy.api.plans import (
        MissionResult,
        RangeResult,
        RouteResult,
        energy_map,
        mission,
        range_study,
        read_plan,
        route,
        write_plan,
    )
    from usv_energy.api.recordings import (
        AnalysisResult,
        ComparisonResult,
        LogResult,
        analyze_log,
        compare,
        log_of,
        read_log,
    )
    from usv_energy.api.results import Result, to_dataset
    from usv_energy.api.runs import (
        ScenarioResult,
        read_flow,
        read_scenario,
        run_scenario,
        run_sweep,
        track_figures,
    )
    from usv_energy.files.errors import InputError

_ROOMS = {   # The names of each module of usv_energy.api.
    'boat_files': (
        'read_boat', 'fit_out', 'check_boat', 'make_boat', 'discharge', 'CheckResult', 'MadeResult',
        'DischargeResult'),
    'motions': (
        'power', 'energy', 'uniform_flow', 'PowerResult', 'EnergyResult'),
    'runs': (
        'read_scenario', 'read_flow', 'run_scenario', 'track_figures', 'run_sweep', 'ScenarioResult'),
    'recordings': (
        'read_log', 'log_of', 'analyze_log', 'compare', 'LogResult', 'AnalysisResult', 'ComparisonResult'),
    'plans': (
        'range_study', 'energy_map', 'read_plan', 'write_plan', 'mission', 'route', 'RangeResult', 'MissionResult',
        'RouteResult'),
    'fits': (
        'identify_boat', 'identify_electrical', 'identify_battery', 'identify_pack', 'identify_bollard',
        'identify_coast_down', 'identify_speed_power', 'identify_steady', 'identify_waves', 'BoatFitResult',
        'FitResult'),
    'live_boat': (
        'follow_boat',),
    'results': (
        'to_dataset', 'Result'),
}
_HOMES = {'InputError': 'files.errors', **{name: f'api.{module}' for module, names in _ROOMS.items() for name in names}}

__all__ = [
    'AnalysisResult', 'BoatFitResult', 'CheckResult', 'ComparisonResult', 'DischargeResult', 'EnergyResult',
    'FitResult', 'InputError', 'LogResult', 'MadeResult', 'MissionResult', 'PowerResult', 'RangeResult', 'Result',
    'RouteResult', 'ScenarioResult', '__version__', 'analyze_log', 'check_boat', 'compare', 'discharge', 'energy',
    'energy_map', 'fit_out', 'follow_boat', 'identify_battery', 'identify_boat', 'identify_bollard',
    'identify_coast_down', 'identify_electrical', 'identify_pack', 'identify_speed_power', 'identify_steady',
    'identify_waves', 'log_of', 'make_boat', 'mission', 'power', 'range_study', 'read_boat', 'read_flow', 'read_log',
    'read_plan', 'read_scenario', 'route', 'run_scenario', 'run_sweep', 'to_dataset', 'track_figures',
    'uniform_flow', 'write_plan',
]


def __getattr__(name: str) -> Any:
    """Return a public name, importing its module (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    value = globals()[name] = getattr(import_module(f'.{_HOMES[name]}', __name__), name)
    return value


def __dir__() -> list[str]:
    """Return the public names and what each module has, so that completion offers these alone."""
    return sorted({*(name for name in globals() if name.startswith('__')), *__all__})
