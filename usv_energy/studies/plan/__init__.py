"""What motions will cost: steady motion, cheapest speed, uncertain boats, the way home."""
