"""`team`: whose joules, for what, as text, pictures and a page."""
