"""Hydrodynamic coefficients as papers print them: SNAME's names and signs, axes ahead, to starboard and down."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from usv_energy.files import checked
from usv_energy.files.errors import InputError

KEY, SNAME = 'convention', 'sname'
# Damping: the number of a boat file of each coefficient, which has the opposite sign. Sway and yaw change their signs
# together from axes to starboard and down to ours, so the cross terms do not.
DAMPING = {'X_u': 'linear.d11', 'Y_v': 'linear.d22', 'N_r': 'linear.d33', 'Y_r': 'linear.d23', 'N_v': 'linear.d32',
           'X_uu': 'quadratic.d11', 'Y_vv': 'quadratic.d22', 'N_rr': 'quadratic.d33',
           'Y_uv': 'speed.d22', 'Y_ur': 'speed.d23', 'N_uv': 'speed.d32', 'N_ur': 'speed.d33'}
UNITS = {'linear.d11': 'N s/m', 'linear.d22': 'N s/m', 'linear.d33': 'N m s/rad', 'linear.d23': 'N s/rad',
         'linear.d32': 'N s', 'quadratic.d11': 'N s^2/m^2', 'quadratic.d22': 'N s^2/m^2',
         'quadratic.d33': 'N m s^2/rad^2', 'speed.d22': 'N s^2/m^2', 'speed.d23': 'N s^2/(m rad)',
         'speed.d32': 'N s^2/m', 'speed.d33': 'N s^2/rad'}
MUST_BE_NEGATIVE = {'X_u', 'Y_v', 'N_r', 'X_uu', 'Y_vv', 'N_rr', 'Y_uv', 'N_ur'}
BODY = ('m', 'I_z', 'x_g')
ADDED = ('X_udot', 'Y_vdot', 'N_rdot', 'Y_rdot')
ZERO_OR_LESS = ('X_udot', 'Y_vdot', 'N_rdot')
SAME = {'Xu': 'X_u', 'Yv': 'Y_v', 'Nr': 'N_r', 'Yr': 'Y_r', 'Nv': 'N_v', 'Iz': 'I_z', 'Izz': 'I_z', 'xg': 'x_g',
        'X_|u|u': 'X_uu', 'X_u|u|': 'X_uu', 'Xuu': 'X_uu', 'Y_|v|v': 'Y_vv', 'Y_v|v|': 'Y_vv', 'Yvv': 'Y_vv',
        'N_|r|r': 'N_rr', 'N_r|r|': 'N_rr', 'Nrr': 'N_rr', 'Xudot': 'X_udot', 'Yvdot': 'Y_vdot', 'Nrdot': 'N_rdot',
        'Yrdot': 'Y_rdot', 'Y_|u|v': 'Y_uv', 'N_|u|r': 'N_ur'}


def with_sname(document: dict[str, Any], path: Path, faults: list[str] | None = None) -> dict[str, Any]:
    """
    Return the content of a boat file with the coefficients of a paper as inertia and damping.

    :param document: The content; with `convention: sname` it has `coefficients`: m, I_z and x_g of the body, added
        masses (X_udot below 0) and damping (X_u below 0) as printed. Without it the document is returned unchanged.
    :param path: Of the file.
    :param faults: If not None, what is wrong with coefficients is appended to it, and another number is put in place.
    :raises InputError: For all that is wrong, a line each: an unknown coefficient, one that lacks, a sign.

    Source: SNAME (1950), notation; Fossen (2011), (6.57) and section 7.1, whose N_A and D have these signs.
    """
    if KEY not in document:
        return document
    given = {key: value for key, value in document.items() if key not in (KEY, 'coefficients')}
    coefficients = document.get('coefficients')
    if document[KEY] != SNAME:
        raise InputError(f'{path}: convention is {document[KEY]!r}; must be sname')
    if not isinstance(coefficients, Mapping):
        raise InputError(f"{path}: has convention: sname and lacks the key 'coefficients': a mapping with the paper's "
                         'm, I_z, X_udot, X_u and so on, in the place of inertia and damping')
    values = {SAME.get(str(name), str(name)): value for name, value in checked.values_of(dict(coefficients)).items()}
    wrong = list(_faults(values, given))
    if wrong and faults is None:
        raise InputError(f'{path}: coefficients: ' + '\n  '.join(wrong))
    if wrong and faults is not None:
        faults += [f'coefficients: {line}' for line in wrong]
        values = {'m': 1.0, 'I_z': 1.0}
    known = {name: float(values.get(name, 0.0)) for name in (*BODY, *ADDED)}
    inertia = {'m11': _number(known['m'] - known['X_udot'], 'kg'), 'm22': _number(known['m'] - known['Y_vdot'], 'kg'),
               'm33': _number(known['I_z'] - known['N_rdot'], 'kg m^2'),
               'm23': _number(known['m'] * known['x_g'] - known['Y_rdot'], 'kg m')}
    damping: dict[str, dict[str, Any]] = {
        kind: {f'd{axis}': _number(0.0, UNITS[f'{kind}.d{axis}']) for axis in (11, 22, 33)}
        for kind in ('linear', 'quadratic')}
    for name, place_in_file in DAMPING.items():
        if name in values:
            kind, key = place_in_file.split('.')
            damping.setdefault(kind, {})[key] = _number(-float(values[name]), UNITS[place_in_file])
    waves = {key: value for key, value in given.get('damping', {}).items() if key == 'wave'}
    return {**given, 'inertia': inertia, 'damping': damping | waves}


def _faults(values: Mapping[str, Any], given: Mapping[str, Any]) -> Any:
    """Yield what is wrong with the coefficients."""
    known = (*BODY, *ADDED, *DAMPING)
    for name, value in values.items():
        if name not in known:
            yield f'unknown key {name!r}; allowed: {", ".join(known)}'
        elif isinstance(value, bool) or not isinstance(value, int | float):
            yield f'{name} is {value!r}; must be a number'
        elif value > 0.0 and (name in MUST_BE_NEGATIVE or name in ZERO_OR_LESS):
            yield f'{name} is {value:g}; must be at most 0, as SNAME has it: it resists (write -{value:g})'
    for name in ('m', 'I_z'):
        if name not in values:
            yield f'lacks {name!r}, of the body without added mass'
    if 'inertia' in given:
        yield 'inertia stands beside convention; give one or the other'


def _number(value: float, unit: str) -> dict[str, Any]:
    return {'value': value + 0.0, 'unit': unit, 'source': "the paper's coefficient, convention sname"}
