"""Barriers: land, closed areas, too shallow water, dry places of a flow."""
