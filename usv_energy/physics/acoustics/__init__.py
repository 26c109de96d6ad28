"""Sound in water, for acoustic modems: how fast, how far, against which noise."""
