"""`team`: the energy of a team by vehicle and purpose, as text, pictures and a page."""
