"""Flows in closed form with exact answers, routes to begin with, and truth by shooting: nothing of the package's."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve

from usv_energy.studies.route.route_problem import Route


class ClosedForm:
    """A flow of a function of time, east and north."""

    def __init__(self, function):
        self.function = function

    def velocities(self, t, x, y):
        u, v = self.function(t, x, y)
        return u + 0.0 * x, v + 0.0 * x

    def velocity(self, t, x, y):
        u, v = self.velocities(t, np.asarray(x), np.asarray(y))
        return u, v, np.isfinite(u)


class Plain:
    """A flow as the protocol has it: one time a call."""

    def __init__(self, function):
        self.velocity = ClosedForm(function).velocity


def shear(rate):
    return lambda t, x, y: (rate * y, 0.0 * x)


def spin(rate):
    """Return a solid rotation, clockwise for a positive rate: u = rate y, v = -rate x."""
    return lambda t, x, y: (rate * y, -rate * x)


def sink_and_vortex(t, x, y):
    return -0.3 * x - (t - 0.5) * y, -0.3 * y + (t - 0.5) * x


def double_gyre(t, x, y):
    return (-0.1 * np.pi * np.sin(np.pi * x) * np.cos(np.pi * y), 0.1 * np.pi * np.cos(np.pi * x) * np.sin(np.pi * y))


def four_vortices(t, x, y):
    """Ferraro, Martin de Diego and Almagro, Parallel iterative methods for variational integration (2021)."""
    u = v = 0.0
    for sign, a, b in ((-1.7, 2.0, 2.0), (-1.7, 4.0, 4.0), (-1.7, 2.0, 5.0), (1.7, 5.0, 1.0)):
        share = sign / (3.0 * ((x - a) ** 2 + (y - b) ** 2) + 1.0)
        u, v = u - share * (y - b), v + share * (x - a)
    return u, v


def on_circle(degrees):
    return float(np.cos(np.radians(degrees))), float(np.sin(np.radians(degrees)))


def bowed(start, goal, duration, bow=0.1, points=20):
    """Return a rough route: a bow to the left of the straight line, of so much of its length."""
    s, (dx, dy) = np.linspace(0.0, 1.0, points), np.subtract(goal, start)
    aside = bow * np.sin(np.pi * s)
    return Route(duration * s, start[0] + s * dx - aside * dy, start[1] + s * dy + aside * dx, np.ones(points - 1),
                 np.zeros(points))


def _gradient(function, t, x, y, step=1e-5):
    by_x = np.subtract(function(t, x + step, y), function(t, x - step, y)) / (2.0 * step)
    by_y = np.subtract(function(t, x, y + step), function(t, x, y - step)) / (2.0 * step)
    return np.array([by_x, by_y]).T  # rows: u, v; columns: x, y


def zermelo_time(function, start, goal, heading, duration, speed=1.0):
    """
    Return the least time by shooting: Zermelo's equation for the heading, integrated to rounding.

    Source: Zermelo, Ueber das Navigationsproblem (1931); Bryson and Ho, Applied Optimal Control (1975), 2.7.
    """
    def rate(t, state):
        x, y, angle = state
        (ux, uy), (vx, vy) = _gradient(function, t, x, y)
        s, c = np.sin(angle), np.cos(angle)
        u, v = function(t, x, y)
        return u + speed * c, v + speed * s, s * s * vx + s * c * (ux - vy) - c * c * uy

    def miss(unknown):
        end = solve_ivp(rate, (0.0, unknown[1]), (*start, unknown[0]), rtol=1e-10, atol=1e-11).y[:2, -1]
        return end - np.array(goal)

    found, _, flag, message = fsolve(miss, (heading, duration), full_output=True)
    assert flag == 1, message
    return found


def least_energy(function, start, goal, duration, exponent, first):
    """
    Return the least integral of w^exponent for an arrival time, by shooting on the costate (Pontryagin).

    :param first: Velocity through the water at the start to begin with.
    """
    def speed_of(costate):
        size = np.hypot(*costate)
        return -costate / size * (size / exponent) ** (1.0 / (exponent - 1.0))

    def rate(t, state):
        water = speed_of(state[2:4])
        return (*(np.array(function(t, state[0], state[1])) + water),
                *(-_gradient(function, t, state[0], state[1]).T @ state[2:4]), np.hypot(*water) ** exponent)

    def end(costate):
        return solve_ivp(rate, (0.0, duration), (*start, *costate, 0.0), rtol=1e-10, atol=1e-12).y[:, -1]

    size = np.hypot(*first)
    guess = -exponent * size ** (exponent - 2.0) * np.array(first)
    found, _, flag, message = fsolve(lambda costate: end(costate)[:2] - np.array(goal), guess, full_output=True)
    assert flag == 1, message
    return end(found)[4]


def best_speed(current, hotel=1.0, factor=1.0):
    """Return the speed of 2 k v^3 - 3 k c v^2 = h against a current, and energy per distance."""
    v = brentq(lambda v: 2.0 * factor * v ** 3 - 3.0 * factor * current * v * v - hotel, max(current, 0.0) + 1e-9, 9.0)
    return v, (factor * v ** 3 + hotel) / (v - current)


class Disc:
    """A round island: barriers in closed form."""

    def __init__(self, x, y, radius):
        self.x, self.y, self.radius = x, y, radius

    def distance(self, x, y):
        return np.hypot(x - self.x, y - self.y) - self.radius

    def blocked(self, x, y):
        return self.distance(x, y) < 0.0

    def crossed(self, x0, y0, x1, y1):
        dx, dy = x1 - x0, y1 - y0
        along = ((self.x - x0) * dx + (self.y - y0) * dy) / np.maximum(dx * dx + dy * dy, 1e-300)
        share = np.clip(along, 0.0, 1.0)
        return self.blocked(x0 + share * dx, y0 + share * dy)

    def shortest(self, start, goal):
        """Return the length of the way round, the disc on the right: two tangents and an arc."""
        a, b = np.subtract(start, (self.x, self.y)), np.subtract(goal, (self.x, self.y))
        one, other = np.hypot(*a), np.hypot(*b)
        between = (np.arctan2(a[1], a[0]) - np.arctan2(b[1], b[0])) % (2.0 * np.pi)
        angle = between - np.arccos(self.radius / one) - np.arccos(self.radius / other)
        return np.sqrt(one ** 2 - self.radius ** 2) + np.sqrt(other ** 2 - self.radius ** 2) + self.radius * angle


class Box:
    """A rectangular pier: barriers in closed form, with corners."""

    def __init__(self, xmin, ymin, xmax, ymax):
        self.low, self.high = np.array([xmin, ymin]), np.array([xmax, ymax])

    def distance(self, x, y):
        over = [np.maximum(low - at, at - high) for at, low, high in zip((x, y), self.low, self.high)]
        return np.hypot(*np.maximum(over, 0.0)) + np.minimum(np.maximum(*over), 0.0)

    def blocked(self, x, y):
        return self.distance(x, y) < 0.0

    def crossed(self, x0, y0, x1, y1):
        first, last = np.zeros_like(x0), np.ones_like(x0)
        for begin, end, low, high in zip((x0, y0), (x1, y1), self.low, self.high):
            way = np.where(end == begin, 1e-300, end - begin)
            one, other = (low - begin) / way, (high - begin) / way
            first, last = np.maximum(first, np.minimum(one, other)), np.minimum(last, np.maximum(one, other))
        return first < last


class Several:
    """Several barriers together."""

    def __init__(self, *parts):
        self.parts = parts

    def distance(self, x, y):
        return np.min([part.distance(x, y) for part in self.parts], axis=0)

    def blocked(self, x, y):
        return np.any([part.blocked(x, y) for part in self.parts], axis=0)

    def crossed(self, x0, y0, x1, y1):
        return np.any([part.crossed(x0, y0, x1, y1) for part in self.parts], axis=0)
