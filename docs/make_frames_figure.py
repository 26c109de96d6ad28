"""Draw docs/images/frames.png: axes, signs and directions, as docs/frames.md explains them."""

import math
from pathlib import Path

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Arc, Polygon

HERE = Path(__file__).resolve().parent
INK, BLUE, ORANGE, GREEN, GREY = '#222222', '#0072b2', '#d55e00', '#009e73', '#8a8a8a'
HULL = np.array([(1.0, 0.0), (0.72, 0.27), (0.2, 0.38), (-0.85, 0.38), (-0.85, -0.38), (0.2, -0.38), (0.72, -0.27)])


def turned(points, angle):
    """Return points turned counter-clockwise by an angle, rad."""
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(points) @ np.array([[c, s], [-s, c]])


def arrow(axes, start, end, colour, width=1.8):
    """Draw an arrow."""
    axes.annotate('', xy=end, xytext=start, arrowprops={
        'arrowstyle': '-|>,head_width=0.28,head_length=0.6', 'color': colour, 'lw': width, 'shrinkA': 0, 'shrinkB': 0})


def text(axes, place, words, colour=INK, align='center', size=9.5):
    """Write words, centred on a place in height."""
    axes.text(*place, words, color=colour, ha=align, va='center', fontsize=size)


def turn(axes, centre, radius, first_deg, last_deg, colour):
    """Draw an arc counter-clockwise from one angle to another, with a head at its end."""
    axes.add_patch(Arc(centre, 2 * radius, 2 * radius, theta1=first_deg, theta2=last_deg, color=colour, lw=1.6))
    end = math.radians(last_deg)
    tip = np.array(centre) + radius * np.array([math.cos(end), math.sin(end)])
    before = tip + 0.02 * np.array([math.sin(end), -math.cos(end)])
    arrow(axes, before, tip + 0.12 * np.array([-math.sin(end), math.cos(end)]), colour, 1.6)


def ready(axes, title, x, y):
    """Prepare axes for a sketch: equal scales, nothing around it."""
    axes.set(aspect='equal', xlim=x, ylim=y)
    axes.set_title(title, fontsize=11, loc='left', color=INK, pad=8)
    axes.axis('off')


def draw_body(axes):
    """Draw the boat in the earth frame: axes, yaw, and its velocities."""
    ready(axes, 'Earth frame (ENU) and body frame (FLU)', (-0.75, 4.4), (-0.6, 3.9))
    arrow(axes, (0, 0), (4.0, 0), INK)
    arrow(axes, (0, 0), (0, 3.5), INK)
    text(axes, (3.75, -0.28), 'x, east')
    text(axes, (-0.1, 3.72), 'y, north')
    yaw, centre = math.radians(30.0), np.array([1.75, 1.45])
    x, y = centre
    axes.add_patch(Polygon(turned(HULL, yaw) + centre, closed=True, facecolor='#e8eef3', edgecolor=INK, lw=1.2))
    axes.plot([centre[0], centre[0] + 1.85], [centre[1]] * 2, color=GREY, lw=1.0, ls='--')
    ahead, port = turned([(1.75, 0.0), (0.0, 1.35)], yaw) + centre
    arrow(axes, centre, ahead, BLUE)
    arrow(axes, centre, port, BLUE)
    text(axes, (ahead[0] + 0.1, ahead[1] + 0.17), 'surge u, forward', BLUE, 'center')
    text(axes, (port[0], port[1] + 0.2), 'sway v, to port', BLUE, 'center')
    turn(axes, centre, 1.35, 0.0, 24.0, ORANGE)
    text(axes, (x + 1.5, y + 0.3), 'yaw ψ', ORANGE, 'left')
    turn(axes, centre, 0.55, 150.0, 235.0, GREEN)
    text(axes, (x + 0.35, y - 0.85), 'yaw rate r, counter-clockwise', GREEN, 'left', 9)
    axes.plot([x - 0.02, x + 0.3], [y - 0.6, y - 0.82], color=GREEN, lw=0.8)
    axes.plot(*centre, 'o', color=INK, ms=4)


def draw_directions(axes):
    """Draw a current and a wind with their directions, and what a weather report would call them."""
    ready(axes, 'Current and wind: where they flow to', (-3.5, 3.3), (-2.55, 2.85))
    axes.add_patch(plt.Circle((0, 0), 1.6, fill=False, color='#cccccc', lw=1.0))
    for angle, name in ((0, '0° east'), (90, '90° north'), (180, '180° west'), (270, '270° south')):
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        axes.plot([1.53 * c, 1.67 * c], [1.53 * s, 1.67 * s], color=GREY, lw=1.2)
        text(axes, (1.75 * c, 1.85 * s), name, GREY, {0: 'left', 180: 'right'}.get(angle, 'center'), 9)
    for angle, length, colour, name, place, align in (
            (45.0, 1.35, BLUE, 'current 45°\nflows to the north-east', (1.3, 1.42), 'left'),
            (200.0, 1.45, ORANGE, 'wind 200°\nblows to 20° south of west;\n'
             'a weather report says\n"from 070°"', (-1.62, -0.98), 'right')):
        tip = length * np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
        arrow(axes, -tip if colour == ORANGE else (0, 0), tip, colour, 2.2)
        text(axes, place, name, colour, align, 9)
    turn(axes, (0, 0), 0.75, 0.0, 36.0, BLUE)
    axes.plot([0, 1.53], [0, 0], color=GREY, lw=1.0, ls='--')


def main():
    """Draw both sketches side by side."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.4), dpi=150)
    draw_body(left)
    draw_directions(right)
    figure.tight_layout(w_pad=2.0)
    figure.savefig(HERE / 'images' / 'frames.png')


if __name__ == '__main__':
    main()
