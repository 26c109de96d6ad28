"""Changes of one operator that change nothing that anybody could notice, and why."""

from collections.abc import Iterator
from pathlib import Path

from equivalent_places import files, places_of
from mutants import Mutant, functions_of, mutants_of

Entry = tuple[str, ...]  # A key of EQUIVALENT or EQUIVALENT_AT, or a file and one of its places.

# By the file, the line as it stands (stripped; after the function's name and a colon where the same line stands in
# others, too), what stands there and what would.
EQUIVALENT: dict[tuple[str, str, str, str], str] = {
    ('usv_energy/physics/record_energy.py',
     "NEGLIGIBLE = 1e-18  # What is left of a filter's past when it no longer changes a float of the same size.",
     '1e-18', '(-1e-18)'): 'the recursion goes on to the end of the record; what it then adds changes no float',
    ('usv_energy/physics/dynamics.py',
     'return acceleration_ground[0] - r * current_body[1], acceleration_ground[1] + r * current_body[0]',
     '1', '(-1)'): 'the second of two is the last',
    ('usv_energy/logs/bags/cdr.py', 'if at + length > rows.length:', '>', '>='):
        'no layout ends with a text: where one fills the message, what follows is missing, and refused all the same',
    ('usv_energy/analysis/motion/energy_interval.py',
     'for begin, end in itertools.pairwise(edges) if end > begin + 1] or [knots.time[:1]])', '>', '>='):
        'the stretch of a single knot is then its time twice: a step of no length has no energy',
    ('usv_energy/logs/csv_log.py',
     'result[name] = angle if columns.columns[name].towards else angle + np.pi', '+', '-'):
        'half a turn to the one or the other side',
    ('usv_energy/identify/rollout/uncertainty.py', 'step = 1e-4 * parameter.std', '*', '/'):
        'another small step of a difference quotient of nearly linear functions',
    ('usv_energy/logs/quality.py', 'wrong = 0 if ahead > 0.0 else 1', '>', '>='):
        'the correlation is not 0 there: its size is above AGREES',
    ('usv_energy/physics/price_search.py',
     'return (select(over > 0.0, select(price > 0.0, over, -over) * slope, 0.0 * price),', '>', '>='):
        'at the ceiling itself nothing is over, and the price is not 0: ceilings are above it',
    ('usv_energy/physics/allocation_answers.py',
     'end = select(astern, select(wide, least + math.tau, largest + math.pi), select(first, middle, largest))',
     '+', '-'): 'an edge is a direction: a whole turn, or half of one, to the one or the other side',
    ('usv_energy/physics/allocation_reach.py', 'safe = select(inside, length, 1.0 + 0.0 * length)', '1.0', '(-1.0)'):
        'what is divided by it is taken only where it is the length',
    ('usv_energy/physics/thruster_drive.py',
     'return thruster.efficiency_of_tilt * (axis[0] * (u - thruster.y * r) + axis[1] * (v + thruster.x * r))',
     '1', '(-1)'): 'the second of two is the last',
    ('usv_energy/physics/propeller.py', 'bollard_under_way: along = select(speed < 0.0, -bollard, bollard)',
     '<', '<='): 'without inflow a propeller turns as fast ahead as astern: there the rise is 1',
    ('usv_energy/identify/electrical/rotor_fit.py', 'load = start or RotorLoad(*(ratio * number for number in START))',
     '*', '/'): 'another begin of a search that ends at the same numbers, to seven digits',
    ('usv_energy/physics/price_search.py',
     'fresh = within & ((after <= 0.5 * before) | (look.fresh > 0.0))', '<=', '<'):
        'at just half the search may take the one step or the other; it ends at the same prices',
    ('usv_energy/physics/allocation.py',
     'drawn = (select(thrust < 0.0, actuator.cost_astern, actuator.cost) * size * sqrt(size)', '<', '<='):
        'no thrust costs nothing, either way',
    ('usv_energy/logs/bags/mcap_writer.py', 'if len(chunk) > CHUNK_SIZE:', '>', '>='):
        'a chunk of just that size ends one message earlier: the file holds the same messages',
    ('usv_energy/identify/electrical/power_map.py',
     'return PowerMap(form, span, answer[:terms.shape[1]], knots, answer[terms.shape[1]:], sag)', '1', '(-1)'):
        'the second of two is the last',
    ('usv_energy/identify/electrical/electrical_fit.py',
     'if np.mean(drive < NEAR * result.power_map.span) < HARDLY:', '<', '<='):
        'neither a drive nor a share of measurements is just the limit: both are measured',
    ('usv_energy/logs/bags/mcap.py', 'if fault or len(loose) > LOOSE_BYTES:', '>', '>='):
        'a part of just a megabyte ends one record earlier: the same messages are read',
    ('usv_energy/logs/ulog.py', 'degrees = PLACES[0] <= set(gps)', '<=', '<'):
        'a table has more columns than those of its places: its time and its fix',
    ('usv_energy/logs/bags/mcap_records.py', 'if ends[-1] > len(records) or len(between) > STRETCHES:', '>', '>='):
        'the records are walked instead, which finds the same messages',
    ('usv_energy/analysis/current_estimate.py',
     'rows = np.flatnonzero(np.isfinite(motion.u_dot + motion.v_dot + motion.r_dot + force[0] + force[2] '
     '+ flow.wind_x))',
     '+', '-'): 'a difference is a number where a sum is',
    ('usv_energy/identify/rollout/fit_warnings.py',
     'for windows, wind, std in zip(result.found.windows, result.found.winds, result.known.flow_std[:, 2:])',
     '2', '(-2)'): 'the columns from the third on are the last two of four',
}

# Of bags and tables: another way to the same messages and numbers.
EQUIVALENT |= {
    ('usv_energy/logs/bags/mcap_records.py',
     'if not places.size or len(records) < DATA or places[-1] > len(records) - DATA:', '>', '>='):
        'the records are walked instead, which finds the same messages',
    ('usv_energy/logs/bags/message_blocks.py',
     'first, near = self._near = begin, self._cut(begin, max(end, min(begin + TOGETHER, self.length)))', '+', '-'):
        'how many columns are cut at once changes none of them',
    ('usv_energy/logs/bags/message_blocks.py',
     'together = cut[0] if len(cut) == 1 else np.concatenate(cut)', '1', '(-1)'):
        'one array put together is that array',
    ('usv_energy/logs/bags/cdr.py', 'if length < ENCAPSULATION:', '<', '<='):
        'a message of just its header has no field that is read, and is refused all the same',
    ('usv_energy/logs/bags/sqlite_bag.py', 'BATCH = 4000', '4000', '(-4000)'):
        'fetchmany of a negative number gives all rows: the same messages in one batch'}

# Steps of central differences: a negative one takes the two points the other way round, and divides by the other sign.
EQUIVALENT |= {
    (path, line, number, f'(-{number})'): 'a step of central differences, whose sign cancels'
    for path, line, numbers in (
        ('usv_energy/analysis/charge_estimate.py',
         "DELTAS = np.array([5e-3, 1e-3, 1e-3, 1e-4, 1e-2, 1e-3, 1e-3])  # Of the central differences, in the state's "
         'units.', ('5e-3', '1e-3', '1e-4', '1e-2')),
        ('usv_energy/analysis/hull_response.py',
         'STEPS = np.array([0.01, 0.01, 0.01, 0.1, 0.1, 0.005])  # Of the central differences.',
         ('0.01', '0.1', '0.005')),
        ('usv_energy/analysis/hull_response.py', 'SWAY_STEP = 0.02      # m/s, likewise.', ('0.02',)))
    for number in numbers}

# What residuals are multiplied with or divided by counts by its square.
EQUIVALENT |= {
    ('usv_energy/identify/cells/cell_fit.py', line, number, f'(-{number})'): 'a weight of residuals: its square counts'
    for line, numbers in (
        ('PRIOR, SMOOTH = 0.02, 0.03                      # Weights of the start of resistances, and of a step between '
         'knots.', ('0.02', '0.03')),
        ('VOLTS, KELVIN, END_VOLTS = 0.02, 2.0, 0.3       # By which residuals are divided.', ('0.02', '2.0', '0.3')),
        ('SCALAR_PRIOR = 0.1                              # Weight of the start of all others but the capacity.',
         ('0.1',)))
    for number in numbers}

# A shortcut of `_spikes`: without it the loops over widths find nothing, either. Two steps below 0.49 of a spike are
# none together, and one step below half of it is none.
EQUIVALENT |= {
    ('usv_energy/logs/derive.py',
     'if steps.max(initial=0.0) < 0.5 * SPIKE or np.abs(_wrapped(steps)).max() < 0.49 * SPIKE:', old, new):
        'a shortcut to what the loops find, too'
    for old, new in (('0.5', '(-0.5)'), ('0.49', '(-0.49)'), ('or', 'and'), ('<', '<='))}

# The last members, by a number from the front or from the end.
EQUIVALENT |= {
    (path, line, number, f'(-{number})'): reason
    for path, line, number, reason in (
        ('usv_energy/physics/wageningen.py',
         'return powers[0] + advance * (powers[1] + advance * (powers[2] + advance * powers[3]))', '2',
         'the third of four is the last but one'),
        ('usv_energy/physics/allocation_prices.py',
         '_sum_of_eight: return (total[0] + more[0], total[1] + more[1], total[2] + more[2], total[3] + more[3], '
         'total[4] + more[4],', '4', 'the fifth of eight is the fourth from the end'),
        ('usv_energy/identify/rollout/rollout.py',
         'return PlantState(zero, zero, yaw, ahead - current[0], port - current[1], r, zero, None)', '1',
         'the second of two is the last'),
        ('usv_energy/identify/electrical/power_map.py', 'groups = terms.shape[1] // len(POWERS)', '1',
         'the second of two is the last'),
        ('usv_energy/analysis/sway_error.py', 'return hull_forces(motion, flow, vessel)[1]', '1',
         'the second of two is the last'),
        ('usv_energy/logs/bags/bag_columns.py',
         'motion = np.concatenate([columns[name] for name in MOTION], axis=1)', '1',
         'the second of two axes is the last'),
        ('usv_energy/logs/calendar_time.py',
         'plain, counted = (np.array(whole) + np.array([pair[which] for pair in fractions]) for which in (0, 1))', '1',
         'the second of two is the last'),
        ('usv_energy/identify/rollout/tracks.py',
         'return np.asarray(quiet & (np.hypot(self.motion[:, 1], self.motion[:, 2]) <= speed))', '2',
         'the third of four is the last but one'),
        ('usv_energy/identify/rollout/rollout_fit.py', 'return self.flows[:, :2]', '2',
         'the first two of four are all but the last two'))}

EQUIVALENT |= {
    ('usv_energy/analysis/motion/jerk_prior.py',
     'inside = (time >= knots.time[left]) & (time <= knots.time[right]) & (right > left)', old, new):
        'at a knot itself the polynomial between knots and the way on from the knot are the same'
    for old, new in (('>=', '>'), ('<=', '<'))}

# Least and largest angle.
EQUIVALENT |= {
    ('usv_energy/physics/allocation_answers.py', line, '1', '(-1)'): 'the second of two is the last'
    for line in ('least, largest = actuator.steers[0], actuator.steers[1]',
                 'turn = actuator.steers[1] - actuator.steers[0]')}

EQUIVALENT |= {
    ('usv_energy/analysis/what_if.py', 'count = int(label[-1]) + 1', '1', '(-1)'):
        'the least length of counts, which the labels themselves say, too',
    ('usv_energy/analysis/drag_filters.py',
     "DRAG_SPREAD = 0.25      # Standard deviation of a drag's logarithm beforehand.", '0.25', '(-0.25)'):
        'its square counts',
    ('usv_energy/identify/electrical/power_map.py', 'ahead = (drive > 0.0)[:, :, None]', '>', '>='):
        'no drive has no power, on either side',
    ('usv_energy/logs/bags/mcap.py', 'if not 0 < start < size:', '<', '<='):
        "a file begins with its magic, in which no record is; and no summary begins at the file's end",
    ('usv_energy/physics/price_search.py',
     'share = smaller(1.0, room / (abs(x) + abs(y) + abs(n) * search.arm + 1e-100))',
     '1e-100', '(-1e-100)'):
        'where there is no step, any share of it is none'}


# Where a line holds the same operator or number more than once: by the file, the function, a piece of the line with
# what is changed between << and >>, and what it is changed into.
EQUIVALENT_AT: dict[tuple[str, str, str, str], str] = {
    ('usv_energy/physics/vector_forms.py', 'arc_tangent', 'select(below == 0.0, <<1.0>>, below)', '(-1.0)'):
        'what is divided by it is 0',
    ('usv_energy/physics/frames.py', 'quaternion_of_yaw', 'math.cos(<<0.5>> * yaw)', '(-0.5)'):
        'a cosine is even',
    ('usv_energy/physics/foil_force.py', '_tabled_force', 'select(across <<<>> 0.0, -1.0', '<='):
        'without flow across the lift is the first or the last of a table, which are 0',
    ('usv_energy/physics/foil_force.py', '_tabled_force', '(lift <<*>> side * along', '/'): 'the side is 1 or -1',
    ('usv_energy/physics/cell.py', 'rested', 'temperature <<+>> nothing', '-'):
        'nothing is added but the shape of an array',
    ('usv_energy/physics/cell_supply.py', 'free_current', 'select(divisor > 0.0, divisor, <<1.0>>)', '(-1.0)'):
        'what is divided by it is not taken there',
    ('usv_energy/physics/cell_supply.py', 'cell_current', 'power <<>>> (part', '>='):
        'at the most power itself the current is the most current',
    ('usv_energy/physics/cell_discharge.py', '_further', 'select(then <<<>> before', '<='):
        'a margin that does not fall ends no step: it is above 0 at both ends, or below',
    ('usv_energy/physics/cell_discharge.py', '_further', 'before - then, <<1.0>> + 0.0', '(-1.0)'):
        'a margin that does not fall ends no step: it is above 0 at both ends, or below',
    ('usv_energy/physics/cell_discharge.py', '_further', 'select(before <<<=>> 0.0', '<'):
        'the share of a step that begins at its end is 0 either way',
    ('usv_energy/physics/cell_discharge.py', '_further', 'select(then <<>=>> 0.0', '>'):
        'the share of a step that ends at its end is 1 either way',
    ('usv_energy/physics/cell_discharge.py', 'energy_left', 'time, alive = 0.0 <<*>> dt', '/'): 'a step is above 0',
    ('usv_energy/physics/cell_discharge.py', 'energy_left', '1.0 + 0.0 <<*>> dt', '/'): 'a step is above 0',
    ('usv_energy/physics/cell_discharge.py', '_until', 'rows.shape[<<1>>] < 2', '(-1)'):
        'the second of two is the last',
    ('usv_energy/physics/propeller.py', 'thrust_at', '2.0 * root <<>=>> slip', '>'):
        'at half of the rate without thrust a propeller gives its drag, either way',
    ('usv_energy/physics/propeller.py', 'thrust_at', 'select(along <<>=>> 0.0', '>'):
        'a propeller that stands still gives its drag, either way',
    ('usv_energy/physics/propeller.py', 'drawn_power', 'select(speed <<<>> 0.0', '<='):
        'without inflow the share is 1, ahead and astern',
    ('usv_energy/physics/propeller.py', 'drawn_power', 'select(along <<>>> 0.0, torque', '>='):
        'no thrust at standstill is that of still water only, where the share is 1',
    ('usv_energy/physics/propeller.py', '_reach', '1.0 + 0.0 <<*>> beyond)', '/'): 'what is divided by is at least 1',
    ('usv_energy/physics/propeller.py', 'bollard_under_way', 'rise = <<2.0>> / larger', '(-2.0)'): 'its square counts',
    ('usv_energy/physics/propeller.py', 'bollard_under_way', 'select(along <<>>> 0.0, bollard * rise', '>='):
        'no thrust stays none',
    ('usv_energy/physics/propeller.py', '_tabled_power', '0.0 * (thrust <<+>> speed)', '-'):
        'nothing is added but the shape of an array',
    ('usv_energy/physics/acoustics/link.py', 'gain', 'np.asarray(angle) <<+>> math.pi', '-'):
        'half a turn to the one or the other side',
    ('usv_energy/physics/wave_dispersion.py', 'wave_number', 'DEEP + 0.0 <<*>> deep', '/'): 'a frequency is above 0',
    ('usv_energy/physics/wave_dispersion.py', 'group_speed', 'DEEP + 0.0 <<*>> number', '/'): 'a frequency is above 0',
    ('usv_energy/physics/wave_dispersion.py', 'wave_frequency', 'DEEP + 0.0 <<*>> number', '/'):
        'a wave number is above 0',
    ('usv_energy/physics/rotor_in_air.py', 'induced_velocity', 'where(hover > 0.0, hover, <<1.0>>)', '(-1.0)'):
        'what is divided by it is not taken',
    ('usv_energy/physics/rotor_in_air.py', 'induced_velocity', 'np.where(hover <<>>> 0.0, ratio * hover, 0.0)', '>='):
        'without thrust the velocity is 0 either way',
    ('usv_energy/physics/loads.py', '_step', 'select(known, end, <<1.0>>)', '(-1.0)'): 'what it gives is made NaN',
    ('usv_energy/physics/loads.py', '_mean_power', 'before, now) <<+>> unknown', '-'): 'it is 0 or NaN',
    ('usv_energy/physics/rotor_power.py', 'rotor_power', 'revolutions <<>>> 0.0', '>='):
        'what stands still takes nothing of either',
    ('usv_energy/physics/thrusters_force.py', '_second', 'pair[<<1>>]', '(-1)'): 'the second of two is the last',
    ('usv_energy/physics/thrust_sharing.py', '_as_it_is', 'axis[0], axis[<<1>>]', '(-1)'):
        'the second of two is the last',
    ('usv_energy/physics/thrust_sharing.py', '_with_doubt', 'thrust <<+>> doubt', '-'): 'it is 0 or NaN',
    ('usv_energy/physics/thrust_sharing.py', '_only_way', '(start[0] <<+>> unasked', '-'): 'it is 0 or NaN',
    ('usv_energy/physics/thrust_sharing.py', '_only_way', 'start[1] <<+>> unasked', '-'): 'it is 0 or NaN',
    ('usv_energy/physics/thrust_sharing.py', '_only_way', 'start[2] <<+>> unasked', '-'): 'it is 0 or NaN',
    ('usv_energy/physics/thrust_sharing.py', '_prices_of_nan', 'zero <<+>> math.nan', '-'): 'it is NaN',
    ('usv_energy/physics/price_track.py', 'fresh_track', 'none = zero <<+>> math.nan', '-'): 'it is NaN',
    ('usv_energy/physics/thruster_drive.py', 'force_along', 'drive * axis[<<1>>]', '(-1)'):
        'the second of two is the last',
    ('usv_energy/physics/thruster_drive.py', 'pair_drive', 'thrusts[<<1>>]', '(-1)'): 'the second of two is the last',
    ('usv_energy/physics/thruster_drive.py', 'pair_drive', '0.0 * (x <<+>> x_too)', '-'):
        'nothing is added but the shape of an array',
    ('usv_energy/physics/allocation_prices.py', '_within', 'demand[2] < reach[<<4>>]', '(-4)'):
        'the fifth of eight is the fourth from the end',
    ('usv_energy/physics/price_search.py', 'next_look', 'look.share, 0.0 <<*>> search.size', '/'):
        'no number only where nothing is searched for: what is settled stays, whatever its share',
    ('usv_energy/physics/price_search.py', 'next_look', '0.5 <<+>> none', '-'):
        'nothing is added but the shape of an array',
    ('usv_energy/physics/price_search.py', 'next_look', '0.98 <<+>> none', '-'):
        'nothing is added but the shape of an array',
    ('usv_energy/physics/price_search.py', 'next_look', '0.1 <<+>> none', '-'):
        'nothing is added but the shape of an array',
    ('usv_energy/physics/price_search.py', 'next_look', 'select(fresh, 1.0 <<+>> none, between)', '-'):
        'nothing is added but the shape of an array',
    ('usv_energy/physics/price_search.py', 'next_look', 'select(fresh, 1.0 <<+>> none, none)', '-'):
        'nothing is added but the shape of an array',
    ('usv_energy/physics/allocation_answers.py', '_no_edges', '1.0 <<+>> none', '-'):
        'nothing is added but the shape of an array',
    ('usv_energy/boats/thruster.py', 'with_shares', 'yaw_share=_number(shares[..., n, <<1>>])', '(-1)'):
        'the second of two is the last',
    ('usv_energy/boats/thruster.py', 'with_shares', 'np.array([<<1.0>>, LITTLE', '(-1.0)'):
        "a weight's sign cancels: the answer is multiplied with it, too",
    ('usv_energy/boats/thruster.py', 'with_shares', 'LITTLE, <<1.0>> / size', '(-1.0)'):
        "a weight's sign cancels: the answer is multiplied with it, too",
    ('usv_energy/boats/boat_kind.py', '_steering', 'len(vessel.thrusters) <<>>> 1', '>='):
        'of a single thruster without a rudder can_turn says no by itself',
    ('usv_energy/boats/boat_kind.py', '_steering', 'len(vessel.thrusters) > <<1>>', '(-1)'):
        'of a single thruster without a rudder can_turn says no by itself',
    ('usv_energy/boats/power_curve.py', 'power_curve_from', 'rows[0][<<1>>]', '(-1)'): 'the second of two is the last',
    ('usv_energy/boats/power_curve.py', '_check_rows', '[<<1>>] > rows[0][1]', '(-1)'):
        'the second of two is the last',
    ('usv_energy/boats/power_curve.py', '_check_rows', '> rows[0][<<1>>]', '(-1)'): 'the second of two is the last',
    ('usv_energy/boats/power_curve.py', '_check_rows', 'power_curve has {rows[<<->>1]', ''):
        'all powers are the same there',
    ('usv_energy/boats/power_curve.py', '_check_rows', 'power_curve has {rows[-<<1>>]', '(-1)'):
        'all powers are the same there',
    ('usv_energy/boats/power_curve.py', '_check_rows', 'rows[-1][<<1>>]:g} W at all speeds', '(-1)'):
        'the second of two is the last',
    ('usv_energy/boats/pulse_curve.py', 'pulse', 'thrust <<>>> 0.0', '>='): 'no thrust was answered before',
    ('usv_energy/boats/propeller_file.py', '_rates', 'rate <<*>> force', '/'):
        'a quotient has the sign of the product; a rate without thrust is refused by the next condition',
    ('usv_energy/boats/propeller_file.py', '_tabled', 'tabled=<<1.0>>', '(-1.0)'):
        'any number but 0 says that it is so',
    ('usv_energy/boats/thruster_sheet.py', '_motor_of', 'np.where(moves, sheet.rpm, <<1.0>>) ** 2', '(-1.0)'):
        'its square is 1',
    ('usv_energy/boats/doubts.py', 'at', 'deviation <<>>> 0.0', '>='): 'no deviation is none on either side',
    ('usv_energy/boats/parted_hull_rest.py', 'rest_of', 'hull.mass <<*>> GRAVITY', '/'):
        'another limit of steps that end at the same place to the last digits: their error is squared each time',
    ('usv_energy/boats/parted_hull_rest.py', 'rest_of', 'weight <<and>> np', 'or'):
        'another limit of steps that end at the same place to the last digits: their error is squared each time',
    ('usv_energy/boats/parted_hull_rest.py', 'level_height', 'max(<<1.0>>, *(abs', '(-1.0)'):
        'no hull floats deeper than its top',
    ('usv_energy/boats/parted_hull_rest.py', 'level_height', 'c.bottom <<+>> c.height', '-'):
        'a bracket that is larger still: a bottom is below the centre of mass',
    ('usv_energy/boats/parted_hull_rest.py', 'level_height', 'displaced <<>>> hull.mass', '>='):
        'just afloat the interval may be halved to the one or the other side',
}

# A term's exponent of J is its place in a list of four.
EQUIVALENT_AT |= {
    ('usv_energy/physics/wageningen.py', '', f'e-{digit}, <<2>>,', '(-2)'): 'the third of four is the last but one'
    for digit in '1234'}
EQUIVALENT_AT |= {
    ('usv_energy/boats/boat_remarks.py', '_of_battery', 'is not None <<and>> boat.battery_sheet.cell', 'or'):
        'a battery that is a pack has a sheet, and its cells'}


def reason_for(path: str, line: str, function: str, mutant: Mutant) -> str:
    """
    Return why a change changes nothing, empty where it may change something.

    :param path: Of the file.
    :param line: As it stands there.
    :param function: Name of the function that the line is of.
    """
    if mutant.old == '+' and mutant.new == '-' and line[mutant.end:].startswith(' 0.0 * '):
        return 'nothing is added but the shape of an array'
    return next((reason for _, reason in entries_at(path, line, function, mutant)), '')


def entries_at(path: str, line: str, function: str, mutant: Mutant) -> Iterator[tuple[Entry, str]]:
    """Yield the entries that tell of a change, with their reasons; parameters as `reason_for`."""
    before = line.strip()
    for one in (before, f'{function}: {before}'):
        key = path, one, mutant.old, mutant.new
        if key in EQUIVALENT:
            yield key, EQUIVALENT[key]
    marked = f'{line[:mutant.begin]}<<{mutant.old}>>{line[mutant.end:]}'
    for key, reason in EQUIVALENT_AT.items():
        if (key[0], key[1], key[3]) == (path, function, mutant.new) and key[2] in marked:
            yield key, reason
    for place, reason in places_of(path):
        name, _, piece = place.partition(': ')
        if name == function and piece in marked:
            yield (path, place), reason


def stale_entries(root: Path) -> set[Entry]:
    """Return the entries that tell of no change that can be made in the sources below a folder."""
    left: set[Entry] = {*EQUIVALENT, *EQUIVALENT_AT}
    left |= {(path, place) for path in files() for place, _ in places_of(path)}
    for path in {entry[0] for entry in left if (root / entry[0]).is_file()}:
        source = (root / path).read_text()
        lines, functions = source.splitlines(), functions_of(source)
        for mutant in mutants_of(source):
            at = entries_at(path, lines[mutant.line - 1], functions.get(mutant.line, ''), mutant)
            left -= {entry for entry, _ in at}
    return left
