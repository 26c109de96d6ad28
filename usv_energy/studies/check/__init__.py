"""`boat check`: what a boat file amounts to."""
