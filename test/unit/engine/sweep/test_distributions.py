"""Samples: their distributions in closed form, and that nothing but seed, parameter and number decides them."""

import math

import numpy as np
import pytest

from usv_energy.engine.sweep.sweep_file import distribution_from, uniform_numbers
from usv_energy.files.errors import InputError

NUMBER = 40000
EVEN = (np.arange(NUMBER) + 0.5) / NUMBER      # Shares that stand for a sample without noise.


def values(**plain):
    return distribution_from(plain, 'p').quantile(EVEN)


@pytest.mark.parametrize(('plain', 'mean', 'std'), [
    ({'distribution': 'normal', 'mean': 3.0, 'std': 0.5}, 3.0, 0.5),
    ({'distribution': 'uniform', 'min': 1.0, 'max': 4.0}, 2.5, 3.0 / math.sqrt(12.0)),
    ({'distribution': 'triangular', 'min': 0.0, 'mode': 1.0, 'max': 5.0}, 2.0, math.sqrt(21.0 / 18.0)),
    ({'distribution': 'lognormal', 'median': 2.0, 'sigma': 0.3}, 2.0 * math.exp(0.045),
     2.0 * math.exp(0.045) * math.sqrt(math.expm1(0.09))),
    ({'distribution': 'weibull', 'scale': 2.0, 'shape': 2.0}, 2.0 * math.gamma(1.5),
     2.0 * math.sqrt(math.gamma(2.0) - math.gamma(1.5) ** 2)),
    ({'distribution': 'choice', 'values': [1.0, 2.0, 6.0]}, 3.0, math.sqrt(14.0 / 3.0)),
    ({'distribution': 'split_normal', 'median': 2.0, 'std_below': 0.2, 'std_above': 0.5},
     2.0 + (0.5 - 0.2) / math.sqrt(2.0 * math.pi),
     math.sqrt((0.25 + 0.04) / 2.0 - (0.5 - 0.2) ** 2 / (2.0 * math.pi))),
])
def test_mean_and_deviation_are_the_closed_forms(plain, mean, std):
    """Shares evenly spread integrate the quantile; the tails left out cost about 1e-4 of the deviation."""
    found = values(**plain)
    assert found.mean() == pytest.approx(mean, rel=1e-4)
    assert found.std() == pytest.approx(std, rel=1e-3)


def test_limits_leave_out_and_do_not_heap():
    """A half-normal: mean sigma sqrt(2 / pi), none at the limit itself."""
    found = values(distribution='normal', mean=0.0, std=2.0, min=0.0)
    assert found.min() > 0.0
    assert found.mean() == pytest.approx(2.0 * math.sqrt(2.0 / math.pi), rel=1e-4)
    assert np.count_nonzero(found == found.min()) == 1


@pytest.mark.parametrize('kind', [{'distribution': 'weibull', 'scale': 2.0, 'shape': 1.7},
                                  {'distribution': 'lognormal', 'median': 2.0, 'sigma': 0.4},
                                  {'distribution': 'normal', 'mean': 2.0, 'std': 1.0}])
def test_limits_keep_the_proportions_between_them(kind):
    free, cut = values(**kind), values(**kind, min=1.0, max=3.0)
    within = free[(free >= 1.0) & (free <= 3.0)]
    np.testing.assert_allclose(np.quantile(cut, [0.1, 0.5, 0.9]), np.quantile(within, [0.1, 0.5, 0.9]), rtol=1e-3)
    assert cut.min() >= 1.0 and cut.max() <= 3.0


def test_samples_do_not_depend_on_how_they_are_cut_into_chunks():
    whole = uniform_numbers(5, 'wind.speed', 0, 1000)
    for size in (1, 3, 4, 7, 256):
        parts = [uniform_numbers(5, 'wind.speed', first, min(first + size, 1000)) for first in range(0, 1000, size)]
        np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_samples_are_even_and_those_of_other_parameters_and_seeds_are_others():
    """Kolmogorov's statistic of 1e5 good numbers is below 1.63 / sqrt(N) in 99 of 100 cases; the seed is fixed."""
    from scipy.stats import kstest
    one = uniform_numbers(1, 'a', 0, 100_000)
    assert kstest(one, 'uniform').statistic < 1.63 / math.sqrt(100_000)
    assert one.min() > 0.0 and one.max() < 1.0
    for other in (uniform_numbers(2, 'a', 0, 100_000), uniform_numbers(1, 'b', 0, 100_000), np.roll(one, 1)):
        assert abs(np.corrcoef(one, other)[0, 1]) < 4.0 / math.sqrt(100_000)
    late = uniform_numbers(2 ** 64 - 1, 'a', 10 ** 12, 10 ** 12 + 5)
    assert late.shape == (5,), 'any seed, any number'


@pytest.mark.parametrize(('plain', 'words'), [
    ({'distribution': 'normal', 'mean': 1.0}, "lacks the key 'std'"),
    ({'distribution': 'normal', 'mean': 1.0, 'std': 0.0}, 'p.std is 0; must be greater than 0'),
    ({'distribution': 'uniform', 'min': 1.0, 'max': 1.0}, 'p.max is 1; must be greater than min'),
    ({'distribution': 'uniform', 'min': 1.0, 'max': 2.0, 'mean': 1.5}, 'p.mean has no meaning for a uniform'),
    ({'distribution': 'triangular', 'min': 1.0, 'mode': 3.0, 'max': 2.0}, 'p.max is 2; must be at least mode, 3'),
    ({'distribution': 'normal', 'mean': 1.0, 'std': 0.1, 'min': 5.0}, 'the limits leave'),
    ({'distribution': 'gamma'}, 'must be one of normal'),
])
def test_wrong_distributions_are_refused_by_name(plain, words):
    with pytest.raises(InputError) as caught:
        distribution_from(plain, 'p')
    assert words in str(caught.value)
