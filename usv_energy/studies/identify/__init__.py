"""A boat's numbers from its logs and trials."""
