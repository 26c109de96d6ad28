"""Boats like Lutra Prop with other thrusters, for tests."""

from usv_energy.boats.boat_file import boat_from, read_boat


def boat_with(*thrusters):
    """Return the vessel of a boat like Lutra with these thrusters (y m, min N, max N, tilt deg)."""
    lutra = read_boat('lutra_prop')
    document = {
        'name': 'test', 'static_load': 0.0, 'inertia': lutra.vessel.inertia._asdict(),
        'windage': lutra.vessel.windage._asdict(),
        'damping': {part: {'d11': 1.0, 'd22': 1.0, 'd33': 1.0} for part in ('linear', 'quadratic')},
        'thrusters': [{'name': str(i), 'x': -0.4, 'y': y, 'min_thrust': low, 'max_thrust': high, 'tilt_deg': tilt}
                      for i, (y, low, high, tilt) in enumerate(thrusters)]}
    return boat_from(document, lutra.path).vessel
