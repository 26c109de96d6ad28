"""The functions of the public Python API that take logs, which `usv_energy` itself offers by name: see api.py."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .api_arguments import Vector, boat_of, flow_of
from .boats.boat_file import Boat
from .sim.scenario import checked_convention

if TYPE_CHECKING:
    from .analysis.analysed_log import AnalysedLog
    from .flow.flow_file import FlowFile
    from .identify.rollout.identification_result import Identification
    from .logs.log import Log


def analyze_log(log: 'Log | str | Path', boat: Boat | str | Path = 'lutra_prop', *, columns: str | None = None,
                current: 'Vector | FlowFile | None' = None, wind: 'Vector | FlowFile | None' = None,
                wind_height: float | None = None, convention: str = 'rep103', motion: str = 'estimated',
                max_gap: float | None = None, actuators: str = 'auto') -> 'AnalysedLog':
    """
    Return what the motion in a log took: power by cause at every sample, and its energy.

    `result.energy.total` is in J, beside the causes of `power`; `result.power` has arrays of shape (N,), W;
    `result.warnings` what was assumed, and what looks wrong in the log; `to_dataset(result)` has it as one table.

    :param log: From `read_log`, or the path of a bag, a table (CSV), a log of an autopilot or a run's folder.
    :param boat: The boat, or the name or path of its file.
    :param columns: Of a table: name or path of its column map.
    :param current: Velocity of the water, (east, north), m/s, or a flow from `read_flow`; where None the log's own, and
        still, with a warning, where it has none.
    :param wind: The same of the air.
    :param wind_height: At which the wind that is given, or else the log's own, holds, m above water (10 for forecasts);
        None: at the boat, or as its flow file says.
    :param convention: `rep103` or `as_published`.
    :param motion: `estimated` from pose, velocity and yaw rate together, or as it was `recorded`, noise and all.
    :param max_gap: Longest time between two samples that is differentiated and integrated over, s; the log's own where
        None: three periods of its samples, at least 1 s.
    :param actuators: `auto`, thrusts, rates of turning or commands, and angles, as the log has them; or `allocated`,
        the cheapest way to give what the motion needs.
    :raises InputError: If the log cannot be read, lacks what is needed, or a flow has no value anywhere on its way; if
        less than half of its time can be integrated.
    """
    from .analysis.analysed_log import analysed_log
    from .analysis.flow_along_log import AnalysisOptions, checked_actuators, checked_motion
    from .analysis.integrated_share import integrated
    from .flow.wind_height import wind_at_boat, wind_share
    from .logs.pulse_thrust import with_thrust_of_pulses
    whose = boat_of(boat)
    options = AnalysisOptions(checked_convention(convention), checked_motion(motion), flow_of(current, 'current'),
                              wind_at_boat(flow_of(wind, 'wind'), whose, wind_height),
                              wind_share(whose, wind_height), actuators=checked_actuators(actuators))
    own = with_thrust_of_pulses(_log(log, columns, max_gap), whose)
    return integrated(analysed_log(own, whose, options))


def identify_boat(logs: 'Sequence[Log | str | Path]', boat: Boat | str | Path, *,
                  validation: 'Sequence[Log | str | Path]' = (), columns: str | None = None, form: str = 'auto',
                  horizon: float = 10.0, currents: bool = True, winds: bool = True,
                  out: str | Path | None = None) -> 'Identification':
    """
    Return a boat's masses, damping and thrust, fitted to roll-outs of the model over logs, with 95 % intervals.

    `result.numbers` are those of the boat file (key, value, unit, std, low, high), `result.errors[-1].rmse` the errors
    of all roll-outs (m/s, m/s, rad/s), `result.warnings` what to be careful of.

    :param logs: From `read_log`, or their paths; with motion, thrusts or commands, and the angles of what turns.
    :param boat: The boat to start from, or the name or path of its file.
    :param validation: Logs that only errors are taken from.
    :param columns: Of tables: name or path of the column map.
    :param form: `auto` takes the simplest that is as good as the best on logs that its fit did not see; or `linear`,
        `quadratic`, `coupled`, `lift`, `lift+curve`, `lift+curve+compass`.
    :param horizon: Duration of a roll-out, s.
    :param currents: Whether to fit a steady current to each log that does not hold one.
    :param winds: The same of a steady wind.
    :param out: A boat file (.yaml) to write; `read_boat` reads it.
    :raises InputError: If a log lacks something, nothing moves in it, or the fit makes no boat.
    :raises OSError: If the file cannot be written.
    """
    from .boats.boat_file import write_boat
    from .files.user_path import user_path
    from .identify.rollout.fitted_boat import rollout_boat
    from .identify.rollout.identification import identify
    from .identify.rollout.identification_result import FitSettings
    result = identify([_log(log, columns) for log in logs], boat_of(boat), [_log(log, columns) for log in validation],
                     FitSettings(form, horizon, currents, winds))
    if out is not None:
        path = user_path(out)
        write_boat(rollout_boat(result, path.stem, {'command': 'usv_energy.identify_boat'}), path)
    return result


def _log(log: 'Log | str | Path', columns: str | None, max_gap: float | None = None) -> 'Log':
    from .logs.read_log import read_log
    if isinstance(log, str | Path):
        return read_log(log, columns, max_gap=max_gap)
    return log if max_gap is None else replace(log, max_gap=max_gap)
