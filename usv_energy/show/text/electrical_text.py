"""An electrical map as text for people: form, hotel load, scores, warnings."""

from ...identify.electrical.electrical_fit import HALVES, ElectricalFit, electrical_warnings
from ...identify.electrical.map_choice import MapScore
from ...identify.electrical.power_map import EACH, MIRRORED, STEADY, TWO_SIDED, PowerMap

FORMS = {MIRRORED: 'one map for all thrusters, the same ahead and astern',
         TWO_SIDED: 'one map for all thrusters, ahead and astern apart',
         EACH: 'a map for each thruster'}


def electrical_text(result: ElectricalFit) -> str:
    """Return an electrical fit as text, warnings included."""
    form, power_map = result.power_map.form, result.power_map
    unit = 'us' if result.use == 'command' else 'N'
    lines = [f'{result.use} to electrical power: {FORMS[form.form]}; delay {form.delay:g} s, lag {form.lag:g} s',
             f'hotel load {power_map.hotel_load:.1f} W ({form.hotel}{_range(power_map)}); '
             f'full drive {power_map.span:g} {unit}', '',
             'judged on                         R2   RMSE, W   energy, %   measurements',
             _line('the logs of the fit', result.fit)]
    lines += [_line(name, score) for name, score in result.validation.items()]
    lines += [_line(f'{other} half, fitted on the {own}', score) for (_, score), (own, other)
              in zip(result.halves, HALVES)]
    warnings = electrical_warnings(result)
    return '\n'.join([*lines, *(['', *warnings] if warnings else [])])


def _range(power_map: PowerMap) -> str:
    begin, end = power_map.hotel_power[[0, -1]]
    return '' if power_map.form.hotel == STEADY else f', {begin:.1f} to {end:.1f} W'


def _line(name: str, score: MapScore) -> str:
    return (f'{name[:30]:30s} {score.r2:6.3f} {score.rmse:9.1f} {100.0 * score.energy:+11.1f} '
            f'{score.measurements:14d}')
