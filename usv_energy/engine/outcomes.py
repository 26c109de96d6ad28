"""How a run of an ensemble ends."""

OUTCOMES = ('reached', 'timed_out', 'left_flow', 'ran_away')  # Results.outcome is the place in this list.
REACHED, TIMED_OUT, LEFT_FLOW, RAN_AWAY = range(len(OUTCOMES))
RUNNING = -1
