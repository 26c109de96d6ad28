"""What motions and missions will cost: steady motion, cheapest speed, energy maps, reach, range, the way home."""
