"""Michell's integral for the Wigley hull by sums over its surface and the angles of the waves: a twin for tests."""

import math

import numpy as np
from scipy.integrate import trapezoid


def wigley_resistance(speed, length, beam, draught, density, gravity, spacing=None):
    """Return the wave resistance, N, of y = beam/2 (1 - (2x/length)^2) (1 - (z/draught)^2), or of two such hulls."""
    nu = gravity / speed ** 2
    angle = np.linspace(0.0, math.acos(1.0 / 25.0), 1501)
    secant = 1.0 / np.cos(angle)
    x, dx = _middles(-0.5 * length, 0.5 * length, 600)
    z, dz = _middles(0.0, draught, 300)
    slope_x = 4.0 * beam * x / length ** 2
    slope_z = 1.0 - (z / draught) ** 2
    depth = np.exp(-nu * secant[:, None] ** 2 * z) @ slope_z * dz
    phase = nu * secant[:, None] * x
    amplitude = depth ** 2 * ((np.cos(phase) @ slope_x * dx) ** 2 + (np.sin(phase) @ slope_x * dx) ** 2)
    if spacing is not None:
        amplitude = amplitude * np.abs(1.0 + np.exp(1j * nu * spacing * secant ** 2 * np.sin(angle))) ** 2
    return 4.0 * density * gravity ** 2 / (math.pi * speed ** 2) * trapezoid(amplitude * secant ** 3, angle)


def _middles(low, high, number):
    edges = np.linspace(low, high, number + 1)
    return 0.5 * (edges[:-1] + edges[1:]), edges[1] - edges[0]
