"""`range`: endurance and range against speed, and polar diagrams."""
