"""
Changes of one operator that change nothing that anybody could notice, by reason and file.

Each is the name of its function (none at a module's level), a colon, and a piece of the line with what is changed
between << and >>; into what follows from that (mutants.py). Those of logs stand in equivalent_places_of_logs.py.
"""

from collections.abc import Iterator

import equivalent_places_of_logs as logs

LOGS = 'usv_energy/logs/'
ITS_SQUARE_COUNTS = 'its square counts'
SECOND_OF_TWO = 'the second of two is the last'
THIRD_OF_FOUR = 'the third of four is the second from the end'
NOT_THE_LIMIT = 'what is measured or drawn is never the limit to the last digit'
SAME_END = 'another way of a search that ends at the same numbers'
SHAPE = 'nothing is added but the shape of an array'

POWER = 'usv_energy/physics/power.py'
ALLOCATION = 'usv_energy/physics/allocation.py'
SEARCH = 'usv_energy/physics/price_search.py'
ANSWERS = 'usv_energy/physics/allocation_answers.py'
CHARGE = 'usv_energy/analysis/charge_estimate.py'
WATCH = 'usv_energy/analysis/battery_watch.py'
READINGS = 'usv_energy/analysis/battery_readings.py'
FILTERS = 'usv_energy/analysis/drag_filters.py'
UNKNOWN_FLOW = 'usv_energy/analysis/unknown_flow.py'
HEALTH = 'usv_energy/analysis/hull_health.py'
RESPONSE = 'usv_energy/analysis/hull_response.py'
CURRENT = 'usv_energy/analysis/current_estimate.py'
SWAY = 'usv_energy/analysis/sway_error.py'
STEADY = 'usv_energy/analysis/steady_thrust.py'
OVERLAY = 'usv_energy/analysis/speed_overlay.py'
BOLLARD = 'usv_energy/identify/trials/bollard.py'
GLIDES = 'usv_energy/identify/trials/glides.py'
STRETCHES = 'usv_energy/identify/trials/steady_stretches.py'
SPEED_POWER = 'usv_energy/identify/trials/speed_power.py'
ROTOR_FIT = 'usv_energy/identify/electrical/rotor_fit.py'
ROTOR_READINGS = 'usv_energy/identify/electrical/rotor_readings.py'
ROTOR_REPORT = 'usv_energy/identify/electrical/rotor_report.py'
UNCERTAINTY = 'usv_energy/identify/rollout/uncertainty.py'
WARNINGS = 'usv_energy/identify/rollout/fit_warnings.py'
FLOW_SERIES = 'usv_energy/analysis/motion/flow_series.py'
INTERVAL = 'usv_energy/analysis/motion/energy_interval.py'
REPLAYED = 'usv_energy/analysis/replayed_log.py'
FROM_SWAY = 'usv_energy/analysis/flow_from_sway.py'
HULL = 'usv_energy/analysis/waves/hull_in_waves.py'
OWN_WAVES = 'usv_energy/analysis/waves/own_waves.py'
ELECTRICAL = 'usv_energy/identify/electrical/electrical_fit.py'
POWER_MAP = 'usv_energy/identify/electrical/power_map.py'
BOUNDED = 'usv_energy/identify/bounded_interval.py'
EQUATIONS = 'usv_energy/identify/rollout/normal_equations.py'
STARTS = 'usv_energy/identify/rollout/window_starts.py'
CELL_RECORDINGS = 'usv_energy/identify/cells/cell_recordings.py'
CELLS = 'usv_energy/identify/cells/cell_identification.py'
WAVE_FIT = 'usv_energy/identify/waves/wave_fit.py'
WAVE_LEGS = 'usv_energy/identify/waves/wave_legs.py'
OPEN_WATER = 'usv_energy/physics/open_water.py'
SCATTER = 'usv_energy/analysis/speed_scatter.py'
SEA_FIT = 'usv_energy/analysis/waves/sea_fit.py'
FOIL_ANGLES = 'usv_energy/physics/foil_angles.py'

PLACES: dict[str, dict[str, tuple[str, ...]]] = {
    ITS_SQUARE_COUNTS: {
        'usv_energy/physics/rotor_in_air.py': ('ground_gain: near = <<0.25>> * radius',),
        'usv_energy/identify/cells/mission_fit.py': (': GAIN_STD = <<0.02>>',),
        'usv_energy/analysis/waves/own_resistance.py': (': UNSAID = <<0.6>>', ': SEEN_OFF = <<0.3>>'),
        EQUATIONS: (': ROBUST = <<3.0>>',),
        WAVE_FIT: (': HEIGHT_ERROR = <<0.05>>', '_shared: of_height = <<2.0>>'),
        ROTOR_FIT: (': NOISE, RELATIVE = <<0.02>>', ': RELATIVE = 0.02, <<0.03>>', ': KINK = <<1.5>>'),
        POWER_MAP: (': DRIFT_STIFFNESS = 100.0, <<0.3>>', ': TIE = <<0.1>>'),
        CHARGE: (': VOLTAGE_NOISE = <<0.010>>', ': CURRENT_NOISE = <<0.05>>', ': START_OFFSET = <<0.005>>',
                 ': LOG_FACTOR_DRIFT = <<0.05>>', ': DROP_DRIFT = <<0.001>>', ': LAG_DRIFT = <<1e-5>>',
                 '__init__: <<0.002>>, 0.002, 1e-4', '__init__: 0.002, <<0.002>>, 1e-4', '__init__: <<1e-4>>, START'),
        FILTERS: (': DRAG_DRIFT = <<0.02>>', ': TURNED_SPREAD = <<0.03>>', ': CURRENT_DRIFT = <<0.0012>>',
                  ': SPEED_NOISE = <<0.012>>', ': RELATIVE_NOISE = <<0.02>>'),
        UNCERTAINTY: ('prior_std: <<0.5>> * given.get(PAIRED', 'boat_covariance: step = <<1e-4>>',
                      'boat_covariance: moved[number] <<+=>> step'),
        INTERVAL: (': RESOLUTION = <<0.002>>', ': SIDED = <<1.96>>'),
        CURRENT: (': CHANGE = <<0.2>>',),
        OPEN_WATER: ('tabled_propeller: np.linspace(0.0, <<1.0>>, THRUSTS',), SCATTER: (': DOUBT = <<0.5>>',),
        SEA_FIT: ('sea_seen: sea_weights(<<4.0>>, period)', '_height_and_band: sea_weights(<<4.0>>, period)'),
        OWN_WAVES: (': NOISE = <<0.03>>',)},
    'a coefficient of 0 at a knot is 0 there, on either side': {
        OPEN_WATER: ('advance_without_thrust: self.thrust <<<=>> 0.0',)},
    'a remainder by a number is that by its negative': {
        SEA_FIT: ('_between: shift), <<2.0>> * math.pi)',)},
    'a factor of all spectra of a model cancels: of each the best height is taken': {
        SEA_FIT: ('_felt: products, 0.0) / (2.0 <<*>> step)', '_felt: products, 0.0) <</>> (2.0',
                  '_felt: products, 0.0) / (<<2.0>> * step)')},
    'a limit of 0 is passed by the sines below 0 alone, by either way': {
        FOIL_ANGLES: ('direction_within: select(least_s <<>=>> 0.0',)},
    'a wave without height is none, whatever else it is': {
        HULL: (': CALM = (<<1.0>>', ': CALM = (1.0, <<0.1>>', ': CALM = (1.0, 0.1, <<1.0>>')},
    'the same phases in the other order': {HULL: ('means: phase = <<2.0>> * math',)},
    'the cosine is even': {OWN_WAVES: ('_waves_beforehand: np.cos(<<0.5>> * turn)',)},
    'the same directions in the other order': {OWN_WAVES: (': WAY = math.radians(<<15.0>>)',
                                                            '_waves_beforehand: sea.direction <<+>> turn')},
    SHAPE: {OWN_WAVES: ('piece: 0.0 <<*>> self.time', 'hull_motion: r, 0.0 <<*>> time')},
    'an unknown in the other direction, or a step of differences: both signs are tried': {
        SPEED_POWER: ('_jacobian: step = <<1e-6>>',), OWN_WAVES: (': FEW = <<1e-4>>',),
        HULL: (': CHANGE = <<1e-5>>', ': FIRST, SECOND = <<1e-4>>'),
        UNKNOWN_FLOW: (': np.array([<<0.3>>, 0.3, 5', ': [0.3, <<0.3>>, 5', ': <<5.0>>, 5.0', ': 5.0, <<5.0>>, 0.2',
                       ': <<0.2>>, 0.3', ': 0.2, <<0.3>>', ': <<0.03>>]', ': DIFFERENCE = <<1e-4>>'),
        CURRENT: (': FIRST_GUESSES = ((0.0, 0.0), (<<0.3>>', ': (<<->>0.3, 0.0)', ': (-<<0.3>>, 0.0)',
                  ': (0.0, <<0.3>>)', ': (0.0, <<->>0.3)', ': (0.0, -<<0.3>>)')},
    'a step of a difference quotient, small and to the one or the other side': {
        EQUATIONS: (': DIFFERENCE = <<1e-4>>', ': DRIVEN_DIFFERENCE = <<1e-7>>', ': FINE_DIFFERENCE = <<1e-9>>',
                    'linearised: step <<>>> self.upper'),
        STARTS: (': START_STEP = <<1e-7>>',)},
    'where no log has a window the sign of all weights cancels, elsewhere it is next to nothing': {
        EQUATIONS: ('scales: len(one.starts), <<1e-9>>)',)},
    'a matrix on both sides of a covariance: its sign cancels': {
        CHARGE: ('go_on_by_current: / (<<2.0>> * DELTAS)',), UNKNOWN_FLOW: ('_jacobian: / (<<2.0>> * DIFF',)},
    'any number tells a kind from the others': {
        FILTERS: (': OTHER_BOTH = 0, <<1>>', ': OTHER_BOTH = 0, 1, <<2>>', ': OTHER_BOTH = 0, 1, 2, <<3>>')},
    'a factor of all weights cancels: it only keeps exponentials small': {
        FILTERS: ('mixture: self.evidence <<->> self.evidence.max()',),
        SCATTER: ('strength: np.exp(likely <<->> likely.max()',)},
    'the place is the same from the end': {
        READINGS: ('_of_cells: len(known) // <<2>>]',), ELECTRICAL: ('both_halves: len(whole.fresh) // <<2>>]',),
        RESPONSE: (': slice(1, <<3>>)', ': slice(<<3>>, 5)')},
    'one dimension may be told by the others': {
        RESPONSE: ('linear_response: shape[0], <<2>> * UNKNOWNS', 'linear_response: UNKNOWNS, <<2>>)'),
        CURRENT: ('residuals: reshape(<<2>>, knots', 'estimate_current: x.reshape(<<2>>, knots',
                  'estimate_current: .reshape(<<3>>, blocks', '_deviations: .reshape(<<2>>, knots')},
    THIRD_OF_FOUR: {FILTERS: ('_spawn: changed[<<2>>, DRAG',)},
    'values are sorted: the last is the farthest': {
        'usv_energy/analysis/motion/simplex_search.py': ('least: values[0] - values[<<1>>:]',)},
    'nothing over nothing is NaN, too': {'usv_energy/analysis/log_power.py': ('finer_power: whole <<>>> 0.0',)},
    'any order but 0 is a rate': {
        'usv_energy/analysis/motion/place_velocity.py': ('place_velocity: append(measured(<<1>>, time',)},
    'there is at least one step in a time above 0': {REPLAYED: ('_advance: max(<<1>>, math.ceil',)},
    SECOND_OF_TWO: {
        REPLAYED: ('_first_stretch: all(axis=<<1>>)', '_started: v - current[<<1>>]'),
        'usv_energy/boats/pulse_curve.py': ('curve_from: described.limits[<<1>>]',
                                            'curve_from: sheet.thrust_limits[<<1>>]'),
        'usv_energy/analysis/motion/sensor_stream.py': ('fix: self._origin[<<1>>]',),
        'usv_energy/analysis/motion/series_estimate.py': (
            'information_of: values[0].shape[<<1>>]))', 'fit_of: values.shape[<<1>>]',
            'drawn: STATES, normal.shape[<<1>>]'),
        'usv_energy/analysis/motion/band_matrix.py': ('solution: _int(result.shape[<<1>>])',),
        'usv_energy/analysis/log_request.py': ('drift_of_run: float(told[<<1>>])',),
        FROM_SWAY: ('found_note: {taken[<<1>>]:.1f} J', "found_note: 'energy_with_j': taken[<<1>>]"),
        STARTS: ('velocity_noise: all(axis=<<1>>)',),
        EQUATIONS: ('condensed: answers.append(answer[<<1>>])',),
        'usv_energy/identify/steady/steady_states.py': ('_through_water: log.v - current[<<1>>]',
                                                        '_actuator_forces: log.u, wind[<<1>>]'),
        CELL_RECORDINGS: ('_at_rest: np.diff(found[:, <<1>>]',),
        'usv_energy/identify/cells/mission_fit.py': ('_told: best.charge)[<<1>>]', 'at: slogdet(covariance)[<<1>>]'),
        WAVE_FIT: ('wave_fit: design.shape[<<1>>]', '_unlikeliness: columns.shape[<<1>>]',
                   '_unlikeliness: slogdet(normal)[<<1>>]', '_solved: columns.shape[<<1>>]'),
        ELECTRICAL: ('curves_for_limits: thrust_limits[<<1>>]', 'chosen_form: item[<<1>>]',
                     'chosen_form: ranked[0][<<1>>]'),
        FLOW_SERIES: ('flow_series: found[<<1>>]',), OWN_WAVES: ('_own_waves: seen.std(axis=<<1>>)',),
        'usv_energy/analysis/motion/place_velocity.py': ('place_velocity: result[:, <<1>>]',),
        INTERVAL: ('of: states[<<1>>]', 'energy_interval: parts[<<1>>].states'),
        POWER: ('relative_rep103: current[<<1>>]', 'relative_rep103: wind[<<1>>]',
                'relative_as_published: current[<<1>>]', 'relative_as_published: wind[<<1>>]',
                'power_rep103: rate[<<1>>]', 'power_as_published: current[<<1>>]'),
        ALLOCATION: ('_with_size: total[<<1>>]', '_with_setting: given[<<1>>]', '_with_setting: total[<<1>>]'),
        SWAY: ('__init__: return_inverse=True)[<<1>>]',), STEADY: ('__init__: return_inverse=True)[<<1>>]',
                                                                   'likelihood: speed).sum(axis=<<1>>',
                                                                   'likelihood: share.sum(axis=<<1>>',
                                                                   'likelihood: aside).sum(axis=<<1>>'),
        GLIDES: ('glides_of: span[<<1>>])', '_idle: axis=<<1>>)', '_idle: bands[:, <<1>>]'),
        HULL: ('means: seen).mean(axis=-<<1>>) / SECOND', 'means: seen).mean(axis=<<->>1) / SECOND'),
        STRETCHES: ('_steady: halves[<<1>>][1]', '_steady: halves[1][<<1>>]', '_steady: halves[<<1>>][0]',
                    '_steady: halves[0][<<1>>]', '_steady: speeds[<<1>>]'),
        SPEED_POWER: ('_fitted: EXPONENTS[<<1>>]', '_jacobian: ends[<<1>>]', '_speeds_by_pairs: current[<<1>>]'),
        ROTOR_FIT: ('predicted_rotor_power: axis=<<1>>', 'fitted_rotor: axis=<<1>>'),
        ROTOR_REPORT: ('_numbers: interval_of(fit, name)[<<1>>]',),
        UNCERTAINTY: ('parameter_estimates: axis=<<1>>',),
        WARNINGS: ('_different_residuals: test.means[<<1>>]:+', '_different_residuals: test.names[<<1>>]',
                   '_different_residuals: test.means[<<1>>]) >', '_steady_currents: current[<<1>>]',
                   '_steady_winds: wind[<<1>>]', '_steady_currents: flow_std[:, :<<2>>]'),
        POWER_MAP: ('hotel_at: hotel_power[<<1>>]', 'hotel_at: hotel_time[<<1>>]', 'steady_power: axis=<<1>>',
                    'data_of: axis=<<1>>'),
        SEARCH: ('_with_answer: given[0], given[<<1>>]',),
        UNKNOWN_FLOW: ('explanation: slogdet(information)[<<1>>]',),
        HEALTH: ('take: before[<<1>>]', 'current: float(current[<<1>>]', '_drags: self._before[<<1>>]',
                 '_words: atan2(current[<<1>>]'),
        OPEN_WATER: ('inflow_of: slopes[<<1>>] / slopes[0]',), SEA_FIT: ('sea_seen: {key[<<1>>] for key',),
        CURRENT: ('_balance: return_inverse=True)[<<1>>]', '_balance: wind[<<1>>][rows]', '_imbalance: wind[<<1>>] -',
                  '_imbalance: v - current[<<1>>]', '_notes: {std[<<1>>]', "_notes: 'std_y_m_s': std[<<1>>]",
                  'estimate_current: parts, axis=<<1>>', 'estimate_current: keepdims=True)), axis=<<1>>',
                  '_deviations: mean(axis=<<1>>)')},
    'the third of four is the last but one': {
        'usv_energy/physics/allocation_sector.py': ('_between_edges: edges[<<2>>]',),
        'usv_energy/identify/rollout/driven_rollout.py': ('roll_driven: row[<<2>>]',)},
    'the third of three is the last': {CURRENT: ('_balance: force[<<2>>]', '_imbalance: rate[<<2>>]')},
    'only the ratios of guesses to the first one count, and there is no other': {
        FLOW_SERIES: (': GUESSED_NOISE = <<0.02>>',)},
    'across a gap the weight that is divided by it is 0': {
        'usv_energy/analysis/motion/jerk_prior.py': ('prior_band: np.diff(knots.time), <<1.0>>)',)},
    'what is added is 0, or no number': {
        POWER: ('_split_up: static_load <<+>> zero', '_as_a_whole: static_load <<+>> zero'),
        ALLOCATION: ('_with_near_setting: total[3] <<+>> doubt', '_doubted: thrust <<+>> doubt')},
    'of a single combination that one is the best, whether or not it is compared': {
        ALLOCATION: ('allocated_from: number <<>>> 1.0', 'allocated_from: number > <<1.0>>')},
    'after the last combination comes the first again, which is no better than itself': {
        ALLOCATION: ('_best_combination: combination <<<>> number',)},
    'of two combinations with the same power either may be taken': {
        ALLOCATION: ('_best_combination: score <<<>> least',)},
    'a billionth of a joule more or less of an empty pack': {
        'usv_energy/physics/cell_discharge.py': (': LEAST_BOUND = <<1e-9>>',)},
    'the first three are all that is read': {
        SEARCH: ('_chosen_of_nine: yes[:<<3>>], no[:3]', '_chosen_of_nine: no[:<<3>>])')},
    'a quotient has the sign of the product': {
        WARNINGS: ('_asymmetric_thrust: asymmetry.low <<*>> asymmetry.high',)},
    'charges are looked at to both sides': {
        'usv_energy/identify/cells/mission_fit.py': (': STEP, WINDOW = <<0.01>>',)},
    'a stretch is at least SHORTEST, more than half of BLOCK': {WAVE_LEGS: ('_cut: / BLOCK), <<1>>)',)},
    'where a sample is just at the cutoff, the line to it ends there, too': {
        CELLS: ('course_error: course <<<>> cell.cutoff_voltage',)},
    'how finely a model goes on beyond what was measured: its end is interpolated': {
        CELLS: ('course_error: <<1e-3>> * run', 'course_error: 1e-3 <<*>> run')},
    'of a single sample no stretch is long enough': {
        WAVE_LEGS: ('_cut: last <<<=>> first', '_blocks: begin <<<>> piece.stop')},
    SAME_END: {
        'usv_energy/analysis/motion/noise_levels.py': ('fitted_levels: np.full(start.size, <<1.5>>)',),
        WAVE_FIT: ('_rough_scatter: legs.force <<->> design', '_rough_scatter: LEAST_SCATTER <<*>> float'),
        OPEN_WATER: ('_rate_for: force) <<<>> thrust, 2.0', '_rate_for: force) <<>=>> thrust'),
        SPEED_POWER: (': GUESS = (1.0, 5.0), <<2.5>>', ': ROUGH, LEAST = <<0.02>>', '_fitted: [<<0.3>> * float',
                      '_fitted: 0.3 <<*>> float', '_fitted: <<0.7>> * most', '_fitted: 0.7 <<*>> most',
                      '_fitted: most <</>> float', '_fitted: .max()) <<**>> GUESS', '_fitted: scatter <<->> before',
                      '_fitted: before) <<<>> 0.05', '_fitted: < <<0.05>> * before'),
        ROTOR_FIT: (': RotorLoad(0.5, <<0.4>>', ': 0.4, <<1.0>>', ': 1.0, <<0.01>>', ': 0.01, <<1.0>>',
                    ': 1.0, <<2.0>>)', 'fitted_rotor: largest <</>> (START', 'fitted_rotor: START.ahead <<*>> 12.5',
                    'fitted_rotor: 12.5<<**>>3 *', 'fitted_rotor: 12.5**<<3>> *', 'fitted_rotor: 12.5**3 <<*>> (',
                    'fitted_rotor: (fastest <</>> 12.5)', 'fitted_rotor: 12.5)<<**>>3)', 'fitted_rotor: 12.5)**<<3>>)',
                    'fitted_rotor: max(ratio <<*>> number, 1e-9)', 'fitted_rotor: number, <<1e-9>>)',
                    'fitted_rotor: np.array(load) <</>> scale', 'fitted_rotor: scale, <<1e-6>>)'),
        SEARCH: ('next_look: after <<>=>> -0.1', 'next_look: back <<>>> 0.02', 'next_look: back > <<0.02>>'),
        UNKNOWN_FLOW: ('_least: residuals(start) <<**>> 2', '_least: residuals(start) ** <<2>>'),
        CURRENT: ('estimate_current: scatter) <<**>> 2)', 'estimate_current: scatter) ** <<2>>)')},
    'no step is none in any share': {SEARCH: ('_within_room: arm <<+>> 1e-100',)},
    'times spread by a share of a step or, in a single one, by rounding: nothing is between': {
        'usv_energy/analysis/waves/mean_motion.py': (
            '_local_lines: spread <<>>> LEAST_SPREAD', '_local_lines: LEAST_SPREAD <<*>> width * width',
            '_local_lines: LEAST_SPREAD * width <<*>> width')},
    'where no sample is near no value is asked for': {
        'usv_energy/analysis/waves/mean_motion.py': ('_local_lines: s0, <<1.0>>',)},
    NOT_THE_LIMIT: {
        'usv_energy/identify/cells/mission_fit.py': ('_nodes: LEAST_CHARGE <<<>> charge',
                                                      '_nodes: charge <<<>> MOST_CHARGE'),
        'usv_energy/analysis/motion/fixed_lag.py': ('_close_cell: time <<<>> oldest',),
        'usv_energy/analysis/motion/jerk_prior.py': ('states_at: time[left]) <<<=>> np.abs',),
        'usv_energy/analysis/log_report.py': ('_against_live: abs(off) <<>>> ENERGY_OFF',
                                                 '_side_force: abs(share) <<>>> SIDEWAYS'),
        FROM_SWAY: ('flows_from_sway: not 0.0 <<<>> time',),
        FOIL_ANGLES: ('_unit: size <<<>> LITTLE',),
        'usv_energy/analysis/analysed_log.py': ('_by_places: y_water) <<>>> UNDER_WAY',),
        'usv_energy/analysis/flow_along_log.py': ('_on_one_course: mean()) <<>>> ONE_COURSE',),
        SEA_FIT: ('sea_seen: way] <<<>> LEAST_FIT', 'sea_seen: not height <<>>> LEAST', '_felt: encounter <<<>> 0.0'),
        FLOW_SERIES: ('flow_series: levels.noise[0] <<<>> QUIET',),
        INTERVAL: ('_averaged: time[before] <<<>> (2',),
        STEADY: ('__init__: time.size <<>>> 1',),
        'usv_energy/identify/steady/steady_states.py': ('steady_phases: log.time[begin] <<>=>> 0.98',
                                                        '_rests: abs(slope) <<<=>> allowed'),
        OVERLAY: ('overlaid: np.abs(every) <<<=>> sigma', '_crossing: trace.speed <<>=>> level',
                  '_crossing: len(above) <<>>> 1', '_crossing: len(above) > <<1>>', '_figures: - bias) <<<=>> std',
                  '_scatter: end - begin <<>>> LEAST'),
        BOLLARD: ('bollard_pull: np.diff(pulse) <<>>> SAME', 'bollard_pull: - was) <<>>> 1e-9'),
        GLIDES: ('glides_of: speed[0] <<>=>> LEAST', '_idle: log.thrust) <<<=>> NO_THRUST', '_glide: (v <<<>> max',
                 '_glide: start <<>>> SLOWEST', '_glide: v[-3:]) <<>>> (1.0', '_glide: np.ptp(yaw) <<>>> MOST'),
        STRETCHES: ('steady_blocks: math.tau)) <<<>> MOST_TURN', '_steady: min(speeds) <<<>> SLOWEST',
                    '_steady: abs(turn) <<>>> MOST', '_steady: speeds[0]) <<>>> max'),
        SPEED_POWER: ('_tells_current: apart.max() <<>>> OPPOSITE', '_current_of_pairs: <<>>> OPPOSITE',
                      '_current_of_pairs: apart <<<>> 0.15'),
        BOUNDED: ('unified_interval: measured <<>=>> 2.0', 'unified_interval: (least) <<>>> 0.0',
                  'unified_interval: measured <<>=>> 0.0'),
        ROTOR_REPORT: ('rotor_warnings: name) <<>>> UNKNOWN_AT',),
        POWER_MAP: ('_sag: best.correlation <<<>> SAGS', 'sagging: sag <<>>> 0.0'),
        SEARCH: ('_unsettled: size_left(left, search) <<>>> _negl',
                 '_given_up: select(over <<>>> 0.0, slope'),
        ANSWERS: ('_near_setting_of_circle: (force <<<=>> part.high)',),
        CHARGE: ('take_voltage: abs(difference) <<>>> max', 'take_voltage: - at[0]) <<<>> SETTLED'),
        READINGS: ('_of_current: NO_SENSOR) <<<>> 1e-6',),
        FILTERS: ('_decide: self.sum <<>=>> ODDS', '_is_told: deviation <<<>> TOLD',
                  '_decide: self.evidence[best] <<>>> self'),
        UNKNOWN_FLOW: ('explanations: least <<>>> NOTICED', 'explanations: scatter ** 2 <<<>> (1.0',
                       'explanation: spread <<<>> UNKNOWN'),
        HEALTH: ('take: before[1] <<<>> LEARNT', 'current: square <<<>> SEEN', 'current: *current) <<<>> SEEN',
                 '_judged: interval()[2] <<<>> HEALTHY', '_drags: self._bias) <<>>> least',
                 '_drags: self._before[1]) <<>>> rise', '_words: upper <<>=>> HEALTHY', '_words: rise <<>>> ratio',
                 '_words: self._filters.sum <<>>> SEEN_SUM'),
        CURRENT: ('_notes: spread <<<>> ONE_COURSE',),
        'usv_energy/identify/waves/wave_nodes.py': ('_differ: heights.max() <<>>> LEAST_RATIO',),
        WAVE_LEGS: ('_block: way <<<>> SLOWEST',),
        UNCERTAINTY: ('uncertainty_of: (share <<>>> HARDLY', 'determined_by_data: share.max() <<<>> UNDET'),
        WARNINGS: ('_asymmetric_thrust: asymmetry.high <<>>> 0.0', '_different_residuals: statistic) <<>>> SIG',
                   '_different_residuals: test.means[1]) <<>>> NOTABLE',
                   'predicts_nothing: error <<>>> still', 'predicts_nothing: still <<>>> NOTABLE',
                   '_asymmetric_thrust: (asymmetry.value) <<>>> NOTABLE', '_asymmetric_thrust: low <<>>> 1.0',
                   '_correlated: j]) <<>>> STRONG', '_compass_deviation: swing <<>>> NOTABLE',
                   '_unknown_start: left <<>>> NOTABLE', '_worse_on_others: factor <<>>> WORSE'),
        EQUATIONS: ('minimise: (gradient <<>>> 0.0)', 'minimise: (gradient <<<>> 0.0)')},
    'at a kink both slopes are as good, and the force is the same': {
        ANSWERS: ('_without_limits: along * part.speed <<>>> 0.0', '_without_limits: size <<>=>> free',
                  '_without_limits: w <<<>> 0.0')},
    'it is 1 or -1': {FILTERS: ('_is_told: anyhow <<*>> math.copysign', '_is_told: copysign(<<1.0>>, change)')},
    'it is above 0 there': {
        SEA_FIT: ('_height_and_band: whole.sum()), <<1e-300>>)', '_height_and_band: max(unit, <<1e-300>>)'),
        OWN_WAVES: ('hull_motion: np.diff(time))), <<1e-6>>)',),
        STEADY: ('speeds: np.maximum(slope, <<1e-9>>)', '_means: np.bincount(self._block), <<1>>)',
                 'likelihood: aside) <<+>> 1e-12', 'likelihood: + <<1e-12>>'),
        SPEED_POWER: ('_jacobian: <<0.1>>)', '_current_of_pairs: own.power[i], <<1e-9>>)',
                      '_current_of_pairs: own.power[j], <<1e-9>>)'),
        ANSWERS: ('_along_axis: 0.0 <<*>> slope', '_without_limits: 0.0 <<*>> size',
                  '_weights_of_sector: 0.0 <<*>> part.gain'),
        RESPONSE: ('_sway: SWAY_STEP), <<1e-9>>)',)},
    'a circle has no edges that are asked for': {
        ANSWERS: ('_sector: math.pi) & (largest - least <<<>> math.tau)',)},
    'a whole turn, or half of one to the other side': {ANSWERS: ('_sector: least <<+>> math.pi),',)},
    'an interval of no width, or of none that is known, has two equal ends': {
        BOUNDED: ('interval_above: value <<->> reach', 'interval_above: reach, value <<+>> reach')},
    'readings before the first speed are left out': {ROTOR_READINGS: ("_meter: side='right'), <<1>>, len(own)",)},
    'a boat that is steady does not lie still': {STRETCHES: ('_velocity: 0.0 <<*>> log.u',)},
    'the halves are as long': {STRETCHES: ('_steady: known.size // <<2>>',)},
    'a shortcut to what comes of the rest, too': {SWAY: ('__init__: minlength=block.max(initial=-<<1>>)',
                                                         '__init__: minlength=block.max(initial=<<->>1)')},
    'what is drawn is looked for up to its last sample': {CELL_RECORDINGS: ('_thinned: clip(0, len(drawn) - <<1>>)',)},
    'at the limit itself both are the same': {
        'usv_energy/physics/compiled_kernels.py': ('_interpolated: x <<<=>> knots_x[0]',),
        'usv_energy/analysis/waves/waves_along_log.py': ('_drift_table: np.abs(one) <<<>> 0.3',)},
    'no time counts nothing': {WATCH: ('_go_on: step <<<=>> 0.0',)},
    'without a speed nothing brakes for nothing: what is divided by it is not taken': {
        'usv_energy/physics/allocation_sector.py': ('_at_limit: high / (part.speed <<+>> TINY',)},
    'no block ends with the last one': {HEALTH: ('take: block.time <<<>> self._last',)},
}


def places_of(path: str) -> Iterator[tuple[str, str]]:
    """Yield the places of a file, each with the reason why a change there changes nothing."""
    room, file = (logs.PLACES, path.removeprefix(LOGS)) if path.startswith(LOGS) else (PLACES, path)
    for reason, some in room.items():
        for place in some.get(file, ()):
            yield place, reason


def files() -> set[str]:
    """Return the files that have places."""
    return {*(file for some in PLACES.values() for file in some),
            *(f'{LOGS}{file}' for some in logs.PLACES.values() for file in some)}
