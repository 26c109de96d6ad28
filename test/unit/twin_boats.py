"""Boats that are known and logs simulated from them, for the tests of `identify`."""

from dataclasses import replace

from twin_log import twin_log

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.studies.identify.rollout.tracks import track_of

LUTRA = read_boat('lutra_prop')
NO_NOISE = (0.0, 0.0, 0.0)


def wrong_start(boat: Boat) -> Boat:
    """Return a boat to start from, 30 to 40 % off."""
    inertia, damping = boat.vessel.inertia, boat.vessel.damping
    return replace(boat, vessel=boat.vessel._replace(
        inertia=inertia._replace(m11=1.3 * inertia.m11, m22=1.3 * inertia.m22, m33=0.7 * inertia.m33),
        damping=damping._replace(d11=0.7 * damping.d11, d22=1.4 * damping.d22, d33=1.3 * damping.d33)))


def twin_tracks(boat, rng, count=3, duration=60.0, **options):
    return [track_of(twin_log(boat, rng, f'log {k}', duration, **options), boat) for k in range(count)]
