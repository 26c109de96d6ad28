"""A quadcopter from the deck of a boat: body and rotors, controllers, battery, landing, and teams with boats."""
