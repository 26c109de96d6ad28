"""Output of `run`, `maneuver`, `sweep`, `acoustics` and `hil`: folders, tables, pictures."""
