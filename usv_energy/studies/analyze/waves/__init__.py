"""The effect of waves on a boat, found in its log and separated from its propulsion."""
