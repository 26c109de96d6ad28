"""Lower bounds on what any route may cost."""
