"""Hull and propellers watched: whether a boat drags more than its file says."""
