"""`mission`: what a mission costs, by steady motion along its legs and by what corners cost beyond."""
