"""Changes of one operator that change nothing that anybody could notice, and why."""

# By the file, the line as it stands (stripped), what stands there and what would.
EQUIVALENT: dict[tuple[str, str, str, str], str] = {
    ('usv_energy/physics/record_energy.py',
     "NEGLIGIBLE = 1e-18  # What is left of a filter's past when it no longer changes a float of the same size.",
     '1e-18', '(-1e-18)'): 'the recursion goes on to the end of the record; what it then adds changes no float',
    ('usv_energy/physics/dynamics.py',
     'return acceleration_ground[0] - r * current_body[1], acceleration_ground[1] + r * current_body[0]',
     '1', '(-1)'): 'the second of two is the last',
}
