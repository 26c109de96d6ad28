"""
The resistance of a hull in calm, deep water from its size: friction, a transom, and the waves that it makes.

Slender hulls, and the two of a catamaran with the interference of their waves, are computed by the thin-ship theory of
Michell. Broad single hulls, which are not thin, and those with a transom in the water follow the Delft systematic
series of yacht hulls. Both hold for hulls that displace water: they know no planing.
"""

import math
from typing import Any, NamedTuple

import numpy as np

GRAVITY = 9.80665           # m/s^2, standard gravity, CGPM (1901).
VISCOSITY = 1.1e-6          # m^2/s, of fresh water at 16 deg C (ITTC 7.5-02-01-03).
# (-), length over beam from which a single hull counts as thin. With a transom in the water the Delft series is nearer
# to the models of the NPL series (Bailey, 1976), up to their last, than the theory of thin hulls.
SLENDER, SLENDER_TO_THE_TRANSOM = 5.0, 7.6
WATERPLANE = 2.0 / 3.0      # (-), area of a parabolic waterline over length times beam; also its prismatic coefficient.
FULLEST = 0.62              # (-), largest block coefficient of the thin hulls, whose sections are then nearly boxes.
# The integral over wave directions: its points, and the end, cosh of the last one; the rest is below 1e-4.
POINTS, LAST = 2400, 40.0
DEPTHS = 32                 # Gauss-Legendre nodes over the draught, graded to the surface.

# The Delft series' residuary resistance: coefficients a0 to a7 at these Froude numbers, and the range of its models.
# Source: Keuning and Katgert, A bare hull resistance prediction method derived from the results of the Delft Systematic
# Yacht Hull Series extended to higher speeds, Innov'Sail (2008), table 2.
DELFT_FROUDE = (0.0, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75)
DELFT = (
    (0.0, -0.0005, -0.0003, -0.0002, -0.0009, -0.0026, -0.0064, -0.0218, -0.0388, -0.0347, -0.0361, 0.0008, 0.0108,
     0.1023),
    (0.0, 0.0023, 0.0059, -0.0156, 0.0016, -0.0567, -0.4034, -0.5261, -0.5986, -0.4764, 0.0037, 0.3728, -0.1238,
     0.7726),
    (0.0, -0.0086, -0.0064, 0.0031, 0.0337, 0.0446, -0.1250, -0.2945, -0.3038, -0.2361, -0.2960, -0.3667, -0.2026,
     0.5040),
    (0.0, -0.0015, 0.0070, -0.0021, -0.0285, -0.1091, 0.0273, 0.2485, 0.6033, 0.8726, 0.9661, 1.3957, 1.1282, 1.7867),
    (0.0, 0.0061, 0.0014, -0.0070, -0.0367, -0.0707, -0.1341, -0.2428, -0.0430, 0.4219, 0.6123, 1.0343, 1.1836, 2.1934),
    (0.0, 0.0010, 0.0013, 0.0148, 0.0218, 0.0914, 0.3578, 0.6293, 0.8332, 0.8990, 0.7534, 0.3230, 0.4973, -1.5479),
    (0.0, 0.0001, 0.0005, 0.0010, 0.0015, 0.0021, 0.0045, 0.0081, 0.0106, 0.0096, 0.0100, 0.0072, 0.0038, -0.0115),
    (0.0, 0.0052, -0.0020, -0.0043, -0.0172, -0.0078, 0.1115, 0.2086, 0.1336, -0.2272, -0.3352, -0.4632, -0.4477,
     -0.0977))
DELFT_LENGTH_BEAM = 2.73, 5.88      # (-), smallest and largest in the series
DELFT_BEAM_DRAUGHT = 2.46, 19.38
DELFT_LENGTH_VOLUME = 4.34, 8.5     # length over the cube root of the volume
CENTRE, FLOTATION = 0.53, 0.56      # (-), places of buoyancy and flotation from the bow over the length, in its middle
PRISMATIC, MIDSHIP = 0.56, 0.72     # (-), in its middle
DELFT_WATERPLANE = 0.66             # (-), over length times beam, of its models
TRANSOM_BEAM = 0.7          # (-), beam of a transom in the water over that of the hull, guessed.
TOP_FROUDE = {'thin': 1.0, 'delft': 0.75}   # (-), to which they hold: boats with more plane, or are about to.


class HullForm(NamedTuple):
    """
    What is known of a hull's shape under water, m and m^3; of a catamaran that of each of its two hulls.

    `spacing`: between the centre planes of the two hulls, m; None for a single hull. `transom`: area of the transom in
    the water, m^2; 0 where the hull ends in a point or above the water.
    """

    length: float
    beam: float
    draught: float
    volume: float
    spacing: float | None = None
    transom: float = 0.0

    @property
    def hulls(self) -> int:
        """Return their number: 1 or 2."""
        return 1 if self.spacing is None else 2

    @property
    def thin(self) -> bool:
        """Return whether the theory of thin hulls applies: to catamarans and slender single hulls."""
        slender = SLENDER_TO_THE_TRANSOM if self.transom else SLENDER
        return self.spacing is not None or self.length >= slender * self.beam


def froude_number(speed: Any, length: Any) -> Any:
    """Return a speed, m/s, over that of a wave in deep water whose length, m, is 2 pi times the given one, (-)."""
    return speed / np.sqrt(GRAVITY * length)


def friction_coefficient(speed: Any, length: float) -> Any:
    """
    Return the frictional resistance coefficient of a smooth hull, (-).

    :param speed: Through the water, m/s, above 0; float or array.
    :param length: Of the waterline, m.

    Source: ITTC (1957), 0.075 / (log10 Re - 2)^2; below a Reynolds number of 1e5 that at 1e5.
    """
    reynolds = np.maximum(speed * length / VISCOSITY, 1e5)
    return 0.075 / (np.log10(reynolds) - 2.0) ** 2


def wetted_surface(form: HullForm) -> float:
    """Return the wetted surface of all hulls, m^2. Source: Denny and Mumford, 1.7 L T + volume / T of each."""
    return form.hulls * (1.7 * form.length * form.draught + form.volume / form.draught)


def friction_resistance(speed: Any, form: HullForm, density: float) -> Any:
    """Return the frictional resistance, N, at speeds, m/s, above 0; float or array. `density` of the water, kg/m^3."""
    return 0.5 * density * wetted_surface(form) * friction_coefficient(speed, form.length) * speed * speed


def form_factor(form: HullForm) -> float:
    """
    Return the viscous resistance of a hull over the friction of a flat plate, (-); at least 1.1, that of slender hulls.

    Source: Watanabe's 1 + k = 0.905 + 25.6 C_B / ((L / B)^2 sqrt(B / T)).
    """
    block = form.volume / (form.length * form.beam * form.draught)
    return max(0.905 + 25.6 * block * (form.beam / form.length) ** 2 * math.sqrt(form.draught / form.beam), 1.1)


def transom_resistance(speed: Any, form: HullForm, density: float) -> Any:
    """
    Return the resistance of the transoms in the water, which lack the pressure of the water that they leave, N.

    :param speed: m/s; float or array.
    :param form: The HullForm.
    :param density: Of the water, kg/m^3.

    Source: Holtrop and Mennen, An approximate power prediction method (1982): 0.1 density U^2 A (1 - 0.2 F), where F =
        U / sqrt(2 g A / (B (1 + C_W))); none from F = 5, where the transom runs dry.
    """
    if form.transom <= 0.0:
        return 0.0 * speed
    froude = speed / math.sqrt(2.0 * GRAVITY * form.transom / (form.beam * (1.0 + WATERPLANE)))
    return form.hulls * 0.1 * density * form.transom * np.maximum(1.0 - 0.2 * froude, 0.0) * speed * speed


def hollow_length(speed: Any, form: HullForm) -> Any:
    """
    Return the length of the hollow in the water behind a transom, m, at speeds, m/s; float or array.

    Source: Doctors, A numerical study of the resistance of transom-stern monohulls, Ship Technology Research 54 (2007)
        134, by the transom's draught at rest; its four numbers as a public program for thin hulls has them.
    """
    if form.transom <= 0.0:
        return 0.0 * speed
    beam = TRANSOM_BEAM * form.beam
    draught = form.transom / beam
    reynolds = math.sqrt(GRAVITY * draught ** 3) / VISCOSITY
    return 0.6095 * draught * froude_number(speed, draught) ** 2.733 * (beam / draught) ** 0.3468 * reynolds ** -0.1514


def wave_resistance(speed: Any, form: HullForm, density: float) -> np.ndarray:
    """
    Return the resistance of the waves that a hull makes, N, at speeds, m/s, above 0, (n,).

    To the waves a hull with a transom in the water ends where the hollow behind it does (Doctors and Day, Twenty-third
    symposium on naval hydrodynamics (2001) 191).
    """
    by = thin_ship_resistance if form.thin else delft_resistance
    if form.transom <= 0.0:
        return by(speed, form, density)
    return np.concatenate([by(one, form._replace(length=form.length + float(hollow_length(one, form))), density)
                           for one in np.atleast_1d(np.asarray(speed, dtype=float)).tolist()])


def wave_source(form: HullForm) -> str:
    """Return the method of `wave_resistance` for a hull, in words, with a hint if the hull is outside its range."""
    hollow = '; to the end of the hollow behind the transom (Doctors, 2007)' if form.transom else ''
    if form.thin:
        both = ', two hulls with the interference of their waves' if form.hulls > 1 else ''
        return f"Michell's thin-ship theory{both}{hollow}"
    outside = [f'{name} {value:.2f}, outside {low:g} to {high:g}' for name, value, (low, high) in (
        ('length over beam', form.length / form.beam, DELFT_LENGTH_BEAM),
        ('beam over draught', form.beam / form.draught, DELFT_BEAM_DRAUGHT),
        ('length over the root of the volume', form.length / form.volume ** (1.0 / 3.0), DELFT_LENGTH_VOLUME),
    ) if not low <= value <= high]
    return '; '.join(['Delft systematic series (Keuning and Katgert, 2008)', *outside]) + hollow


def thin_ship_resistance(speed: Any, form: HullForm, density: float) -> np.ndarray:
    """
    Return the wave resistance of a thin hull, or of two side by side, N.

    The hull is y = B/2 (1 - xi^2) (1 - zeta^m), xi along the waterline from -1 to 1, zeta down to the draught from 0
    to 1, with the m that gives the volume (2 for the Wigley hull). With nu = g / U^2 and the wave directions lambda =
    cosh t, R = 4 density g^2 / (pi U^2) times the integral of |A|^2 lambda^2 dt, where A is the integral of the slope
    of the hull times exp(-nu lambda^2 z + i nu lambda x). Two hulls at a spacing s have 2 (1 + cos(nu s lambda sinh t))
    times that.

    :param speed: m/s, above 0; shape (n,), or a float.
    :param form: The HullForm.
    :param density: Of the water, kg/m^3.
    :return: Shape (n,).

    Source: Michell, Phil. Mag. 45 (1898) 106; Tuck and Lazauskas, Optimum hull spacing of a family of multihulls
        (1998), for two hulls.
    """
    block = min(form.volume / (form.length * form.beam * form.draught), FULLEST)
    fullness = block / WATERPLANE
    power = fullness / (1.0 - fullness)
    t = np.linspace(0.0, math.acosh(LAST), POINTS)
    lam, step = np.cosh(t), t[1]
    nodes, weights = np.polynomial.legendre.leggauss(DEPTHS)
    zeta = (0.5 * (nodes + 1.0)) ** 3
    weights = 1.5 * weights * (0.5 * (nodes + 1.0)) ** 2 * (1.0 - zeta ** power)
    found = []
    for one in np.atleast_1d(np.asarray(speed, dtype=float)).tolist():
        nu = GRAVITY / one ** 2
        k = 0.5 * nu * lam * form.length
        along = 2.0 * form.beam / k ** 2 * (np.sin(k) - k * np.cos(k))
        depth = form.draught * np.exp(-(nu * form.draught) * lam[:, None] ** 2 * zeta) @ weights
        density_of_waves = (along * depth * lam) ** 2
        if form.spacing is not None:
            density_of_waves *= 2.0 * (1.0 + np.cos(nu * form.spacing * lam * np.sinh(t)))
        integral = step * (density_of_waves.sum() - 0.5 * (density_of_waves[0] + density_of_waves[-1]))
        found.append(4.0 * density * GRAVITY ** 2 / (math.pi * one ** 2) * float(integral))
    return np.array(found)


def delft_resistance(speed: Any, form: HullForm, density: float) -> np.ndarray:
    """
    Return the residuary resistance of a broad single hull, N, never below 0, straight between the series' speeds.

    :param speed: m/s; shape (n,), or a float.
    :param form: The HullForm; what it does not say is that of the middle of the series.
    :param density: Of the water, kg/m^3.
    :return: Shape (n,); beyond the series' last Froude number in proportion to the square of the speed.

    Source: Keuning and Katgert (2008).
    """
    root = form.volume ** (1.0 / 3.0)
    a = np.array(DELFT)
    shape = (a[1] * CENTRE + a[2] * PRISMATIC + a[3] * root ** 2 / (DELFT_WATERPLANE * form.length * form.beam)
             + a[4] * form.beam / form.length + a[5] * CENTRE / FLOTATION + a[6] * form.beam / form.draught
             + a[7] * MIDSHIP)
    share = np.maximum(a[0] + shape * root / form.length, 0.0)
    froude = np.atleast_1d(froude_number(np.asarray(speed, dtype=float), form.length))
    beyond = np.maximum(froude / DELFT_FROUDE[-1], 1.0) ** 2
    return np.asarray(density * GRAVITY * form.volume * beyond * np.interp(froude, DELFT_FROUDE, share))
