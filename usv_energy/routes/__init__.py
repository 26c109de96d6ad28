"""Routes: the way, the speeds and the departure that cost the least, in water and air that change, around land."""
