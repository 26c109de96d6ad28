"""The boat file of a coast-down: the base boat with surge drag, and the mass where glides told it."""

from collections.abc import Mapping
from typing import Any

from ...boats.boat_file import Boat
from ...files import checked
from .coast_down import CoastDown, TrialEstimate

DIGITS = 6


def coast_down_boat(result: CoastDown, boat: Boat, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file: the base boat with what glides say in place of the base's numbers.

    The drag of the hull above water is taken off the quadratic drag, and the payload of the base off the mass, since
    the file has both by themselves.

    :param result: What the glides say.
    :param boat: The base.
    :param name: Of the new boat.
    :param provenance: Date, command and so on, kept with the figures.
    """
    count = len(result.glides)
    source = f'usv-energy identify-coast-down, {count} glide{"s" if count > 1 else ""}: see identification'
    document = checked.read_with_base('boats', boat.path)
    damping = document.get('damping', {})
    found: dict[str, Any] = {
        'linear': {**damping.get('linear', {}), 'd11': _sourced(result.linear, 'N s/m', source)},
        'quadratic': {**damping.get('quadratic', {}), 'd11': _sourced(
            _less(result.quadratic, result.air), 'N s^2/m^2', f'{source}; without {result.air:.3g} of the air')}}
    changes: dict[str, Any] = {
        'name': name, 'description': f'{boat.name} with the surge drag of {count} glides',
        'damping': {**damping, **found},
        'identification': {**document.get('identification', {}), 'coast_down': {
            **provenance, 'logs': sorted({glide.log for glide in result.glides}), 'rms_m_s': _rounded(result.rms)}}}
    hull = document.get('hull', {})
    if checked.values_of(hull).get('payload', 0.0) != boat.hull.payload:
        changes['hull'] = {**hull, 'payload': boat.hull.payload}
    if result.mass_found:
        mass = _less(result.mass, boat.hull.payload)
        changes['inertia'] = {**document['inertia'], 'm11': _sourced(mass, 'kg', source)}
    return document | changes


def _less(estimate: TrialEstimate, part: float) -> TrialEstimate:
    """Return an estimate less a part of it that is known; not below 0."""
    value, low, high = (max(number - part, 0.0) for number in (estimate.value, estimate.low, estimate.high))
    return TrialEstimate(value, estimate.error, low, high)


def _sourced(estimate: TrialEstimate, unit: str, source: str) -> dict[str, Any]:
    if not estimate.error:
        return {'value': _rounded(estimate.value), 'unit': unit, 'source': source}
    return {'value': _rounded(estimate.value), 'unit': unit, 'source': source, 'std': _rounded(estimate.error, 3),
            'interval': [_rounded(estimate.low), _rounded(estimate.high)]}


def _rounded(value: float, digits: int = DIGITS) -> float:
    return float(f'{value:.{digits}g}') + 0.0
