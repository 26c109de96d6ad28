"""The polish: from a rough route to the local optimum near it."""
