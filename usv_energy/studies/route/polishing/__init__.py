"""The polish: from a rough route to the cheapest one beside it."""
