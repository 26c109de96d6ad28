"""What a boat must keep off: land, closed areas, water too shallow, a flow's dry places."""
