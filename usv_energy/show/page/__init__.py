"""HTML pages, each one file: of a log, a mission, a route, a team."""
