"""What a motion will cost: steady motion, cheapest speed, energy maps, reach, range."""
