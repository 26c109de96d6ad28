"""A scenario's planned path and obstacles in the picture of a track, and where a run hit them."""

from typing import TYPE_CHECKING

import numpy as np

from ...sim.record import Run
from ...sim.track_figures import collisions_of, rms_over_time, track_of
from ..figure import BLACK, GREY, LAND, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_way(axes: 'Axes', run: Run) -> None:
    """Draw the obstacles, the planned path where it has several legs, and a cross where each collision begins."""
    from matplotlib.patches import Circle, Polygon
    scenario = run.scenario
    if len(scenario.waypoints) > 1:
        axes.plot(*np.array([scenario.start[:2], *scenario.waypoints]).T, color=BLACK, linewidth=0.9, linestyle=':',
                  zorder=2.2, label='planned')
    for obstacle in scenario.obstacles:
        shape = {'facecolor': LAND, 'edgecolor': GREY, 'linewidth': 0.8, 'zorder': 2.0}
        axes.add_patch(Circle(obstacle.outline[0], obstacle.radius, **shape) if obstacle.radius
                       else Polygon(np.array(obstacle.outline), closed=True, **shape))
    collisions = collisions_of(run, track_of(run)) if scenario.obstacles else []
    if collisions:
        axes.plot([hit.x for hit in collisions], [hit.y for hit in collisions], marker='X', color=VERMILION,
                  markeredgecolor=BLACK, markersize=11, linestyle='none', zorder=4.0,
                  label=f'{len(collisions)} {"collision" if len(collisions) == 1 else "collisions"}')


def track_words(run: Run) -> str:
    """Return the deviation from the path and the least room to obstacles, for a title; '' where neither says much."""
    scenario, track = run.scenario, track_of(run)
    deviation = track.deviation[np.isfinite(track.deviation)]
    if not len(deviation) or (len(scenario.waypoints) == 1 and not scenario.obstacles):
        return ''
    off = f'off its path by {rms_over_time(track.time, track.deviation):.2f} m (rms), {deviation.max():.2f} m (most)'
    room = track.least_clearance[np.isfinite(track.least_clearance)]
    return off + (f'; least room to an obstacle {room.min():.2f} m' if len(room) else '')
