"""A mission of a pack by formulas of its own: two RC pairs, Arrhenius, heat; sensors that round, scatter and scale."""

import numpy as np

STEP, ROOM = 1.0, 298.15


def amperes(rng, seconds):
    """Return the current of legs, sprints and pauses, A, every STEP, smooth over a few seconds."""
    held = np.repeat(rng.choice([0.4, 3.0, 5.0, 8.0, 14.0], seconds // 40 + 1, p=[0.15, 0.3, 0.3, 0.15, 0.1]), 40)
    smooth = np.convolve(np.pad(held[:seconds], 3, mode='edge'), np.ones(7) / 7.0, 'valid')
    return smooth * rng.uniform(0.7, 1.3)


def mission(rng, cell, seconds):
    """
    Return true numbers of a pack of four such cells, drawn about those of `cell`, and time s, A and V as measured.

    Its voltage at rest is off by 8 mV a cell here and there; nothing of it is of the lag that `cell` has.
    """
    current, number = amperes(rng, seconds), seconds
    own = {'r0': float(cell.resistance[100]) * np.exp(rng.normal(0.0, 0.4)),
           'r1': float(cell.fast_resistance[100]) * np.exp(rng.normal(0.0, 0.4)),
           't1': 25.0 * np.exp(rng.normal(0.0, 0.3)),
           'r2': 0.7 * float(cell.fast_resistance[100]) * np.exp(rng.normal(0.0, 0.4)),
           't2': 300.0 * np.exp(rng.normal(0.0, 0.3)), 'capacity': cell.capacity * np.exp(rng.normal(-0.05, 0.12)),
           'charge': rng.uniform(0.75, 1.0)}
    share = np.linspace(0.0, 1.0, cell.open_circuit.size)
    at_rest = cell.open_circuit + np.interp(share, np.linspace(0.0, 1.0, 9), rng.normal(0.0, 0.008, 9))
    drawn = np.concatenate(([0.0], np.cumsum(0.5 * (current[1:] + current[:-1]) * STEP)))
    charge = own['charge'] - drawn / own['capacity']
    heat, cooling = cell.heat_capacity * np.exp(rng.normal(0.0, 0.3)), cell.conductance * np.exp(rng.normal(0.0, 0.4))
    one, two, kelvin, volts = 0.0, 0.0, ROOM, np.empty(number)
    left = np.exp(-STEP / own['t1']), np.exp(-STEP / own['t2'])
    for n in range(number):
        colder = [np.exp(b * (1.0 / kelvin - 1.0 / ROOM)) for b in (2060.0, 5410.0, 2710.0)]
        volts[n] = np.interp(charge[n], share, at_rest) - one - two - own['r0'] * colder[0] * current[n]
        flow = 0.5 * (current[n] + current[min(n + 1, number - 1)])
        kelvin += STEP * ((own['r0'] * colder[0] * flow + one + two) * flow - cooling * (kelvin - ROOM)) / heat
        one = one * left[0] + own['r1'] * colder[1] * flow * (1.0 - left[0])
        two = two * left[1] + own['r2'] * colder[2] * flow * (1.0 - left[1])
    own['pulse'] = 4.0 * (own['r0'] + own['r1'] * (1.0 - np.exp(-10.0 / own['t1']))
                          + own['r2'] * (1.0 - np.exp(-10.0 / own['t2'])))
    kept = charge > 0.03
    measured = np.round(4.0 * volts + rng.normal(0.0, 0.01, number), 2)
    gain = 1.0 + rng.normal(0.0, 0.015)
    return own, STEP * np.arange(number)[kept], (gain * current + rng.normal(0.0, 0.05, number))[kept], measured[kept]
