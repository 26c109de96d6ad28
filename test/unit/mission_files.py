"""Missions made by the dozen for tests: the same ones for the same seed, of every command that counts."""

import random

from usv_energy.earth import Place
from usv_energy.missions import mission as mav
from usv_energy.missions.itinerary import CIRCLE, GO, RETURN, Waypoint
from usv_energy.missions.mission import Mission, MissionItem

HOME = Place(45.60731, 9.55242)


def a_place(rng):
    """Return a place within some km of home, to 1e-7 degrees, as QGroundControl writes it."""
    north, east = rng.uniform(-0.02, 0.02), rng.uniform(-0.03, 0.03)
    return Place(round(HOME.latitude + north, 7), round(HOME.longitude + east, 7))


def some_waypoints(seed):
    """Return waypoints with speeds, stays, headings, circles and returns, by turns."""
    rng = random.Random(seed)
    speed, found = None, []
    for number in range(1, rng.randrange(2, 30)):
        speed = rng.choice((speed, speed, None, round(rng.uniform(0.3, 3.0), 2)))
        doing = rng.choice((GO, GO, GO, GO, CIRCLE, RETURN))
        place, name = HOME if doing == RETURN else a_place(rng), rng.choice(('', f'mark {number}'))
        waypoint = Waypoint(place, number, doing, name, speed)
        if doing == GO:
            hold = float(rng.choice((0, 0, 30, 120)))
            waypoint = waypoint._replace(hold=hold, radius=rng.choice((None, 2.0, 5.5)),
                                         heading=rng.choice((None, -1.25, 0.0, 2.5)) if hold else None)
        elif doing == CIRCLE:
            waypoint = waypoint._replace(turns=float(rng.choice((-2, 1, 3))), circle_radius=rng.choice((5.0, 12.5)))
        found.append(waypoint)
    return tuple(found)


def some_mission(seed):
    """Return a mission of commands: those that count, with jumps that end, and some that do not count."""
    rng = random.Random(seed)
    items = []
    for number in range(1, rng.randrange(4, 40)):
        place = a_place(rng)
        command = rng.choice((16, 16, 16, 16, 16, 18, 19, 20, 82, 93, 115, 177, 178, 183, 206, 112))
        x, y, z = (*place, rng.choice((0.0, 50.0))) if command in mav.WITH_PLACE else (0.0, 0.0, 0.0)
        parameters = {
            16: (rng.choice((0.0, 15.0)), rng.choice((0.0, 3.0)), 0.0, rng.choice((0.0, 90.0))),
            18: (2.0, 0.0, rng.choice((-8.0, 8.0)), 0.0), 19: (20.0, 0.0, 5.0, 0.0), 93: (12.5, 0.0, 0.0, 0.0),
            115: (45.0, 10.0, 1.0, 0.0), 177: (float(rng.randrange(1, number + 1)), float(rng.randrange(3)), 0.0, 0.0),
            178: (1.0, rng.choice((0.8, 1.5)), -1.0, 0.0), 183: (5.0, 1500.0, 0.0, 0.0)}.get(command, (0.0,) * 4)
        frame = 3 if command in mav.WITH_PLACE else 2
        items.append(MissionItem(command, number, parameters, x, y, z, frame))
    items.append(MissionItem(16, len(items) + 1, (0.0,) * 4, *a_place(rng), 0.0))
    return Mission('generated', tuple(items), home=HOME, home_altitude=120.0, speed=rng.choice((None, 1.2)))

RTZ = '''<?xml version="1.0" encoding="UTF-8"?>
<route version="1.1" xmlns="http://www.cirm.org/RTZ/1/1">
  <routeInfo routeName="Harbour to buoy"/>
  <waypoints>
    <defaultWaypoint radius="0.1"/>
    <waypoint id="1" name="pier"><position lat="59.0" lon="10.5"/></waypoint>
    <waypoint id="2" name="bend"><position lat="59.001" lon="10.5"/><leg speedMax="12"/></waypoint>
    <waypoint id="7"><position lat="59.001" lon="10.502"/><leg planSpeedMax="6.0"/></waypoint>
  </waypoints>
  <schedules><schedule id="1"><manual><scheduleElement waypointId="2" speed="3.0"/></manual>
    <calculated><scheduleElement waypointId="2" speed="4.0"/></calculated></schedule></schedules>
</route>
'''
LNW = '''LNS 3
LIN 2
PTS 500000.0 4000000.0
PTS 500100.0 4000000.0
LNN 1
EOL
LIN 2
PTS 500000.0 4000020.0
PTS 500100.0 4000020.0
LNN 2
EOL
LIN 0
EOL
'''
