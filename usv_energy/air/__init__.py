"""A quadcopter beside the boat: its body and rotors, its controllers, landing on the deck, the team's energy."""
