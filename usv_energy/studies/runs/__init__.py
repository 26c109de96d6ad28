"""What `run`, `maneuver`, `sweep`, `acoustics` and `hil` show: folders, tables, pictures."""
