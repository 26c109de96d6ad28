"""`mission`: a mission's time and energy, from steady motion along its legs and the extra cost of corners."""
