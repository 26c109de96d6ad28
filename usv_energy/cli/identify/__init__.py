"""The verbs `identify` and `identify-*`."""
