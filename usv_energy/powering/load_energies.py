"""The energy of loads that vary, each by itself: beside the compiled kernels, which know their sum."""

from collections.abc import Sequence

from .energy import Accumulation, is_valid


def with_load_step(energies: Sequence[float], powers: Sequence[float], step: float, total: float) -> tuple[float, ...]:
    """
    Return the energies of loads, J, with one step more, where it has a power.

    :param energies: So far, J.
    :param powers: Mean over the step, W.
    :param step: Its duration, s.
    :param total: The boat's mean power over it, W; NaN where there is none.
    """
    if not is_valid(total):
        return tuple(energies)
    return tuple(energy + step * power for energy, power in zip(energies, powers))


def accumulated_loads(energies: Sequence[float], powers: Sequence[float], before: Accumulation,
                      after: Accumulation) -> tuple[float, ...]:
    """
    Return the energies of loads, J, with one sample more: over the very step that `accumulate` has integrated.

    :param energies: So far, J; none where loads are not known yet.
    :param powers: Of the sample, W: means since the one before.
    :param before: The accumulation without the sample.
    :param after: The one with it.
    """
    energies = energies if len(energies) == len(powers) else (0.0,) * len(powers)
    begin, end = before.last_good, after.last_good
    if begin is None or end is None or not after.energy.duration > before.energy.duration:
        return tuple(energies)
    return with_load_step(energies, powers, end.time - begin.time, end.power.total)
