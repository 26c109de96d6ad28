"""Hardware in the loop: a simulated boat for a real autopilot, and the lateness of its orders."""
