"""What people ask of a boat: checks, plans, routes, logs analysed, boats identified, and how it is shown."""
