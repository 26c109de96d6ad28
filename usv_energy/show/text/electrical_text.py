"""An electrical map as text for people: form, hotel load, scores, warnings."""

from ...identify.electrical.electrical_fit import HALVES, ElectricalFit, electrical_warnings
from ...identify.electrical.power_map import EACH, MIRRORED, STEADY, TWO_SIDED
from ..text_table import text_table

FORMS = {MIRRORED: 'one map for all thrusters, the same ahead and astern',
         TWO_SIDED: 'one map for all thrusters, ahead and astern apart', EACH: 'a map for each thruster'}


def electrical_text(result: ElectricalFit) -> str:
    """Return an electrical fit as text, warnings included."""
    form, power_map = result.power_map.form, result.power_map
    unit = 'us' if result.use == 'command' else 'N'
    begin, end = power_map.hotel_power[[0, -1]]
    drift = '' if form.hotel == STEADY else f', {begin:.1f} to {end:.1f} W'
    scores = [('the logs of the fit', result.fit), *result.validation.items()]
    scores += [(f'{other} half, fitted on the {own}', half) for (_, half), (own, other) in zip(result.halves, HALVES)]
    rows = [(name, f'{score.r2:.3f}', f'{score.rmse:.1f}', f'{100.0 * score.energy:+.1f}',
             str(score.measurements)) for name, score in scores]
    lines = [f'{result.use} to electrical power: {FORMS[form.form]}; delay {form.delay:g} s, lag {form.lag:g} s',
             f'hotel load {power_map.hotel_load:.1f} W ({form.hotel}{drift}); ' f'full drive {power_map.span:g} {unit}',
             '', *text_table([('judged on', 'R2', 'RMSE, W', 'energy, %', 'measurements'), *rows], 'lr')]
    warnings = electrical_warnings(result)
    return '\n'.join([*lines, *(['', *warnings] if warnings else [])])
