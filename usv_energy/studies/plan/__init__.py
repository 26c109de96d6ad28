"""The cost of planned motions: steady motion, cheapest speed, uncertain boats, the way home."""
