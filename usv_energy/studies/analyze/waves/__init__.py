"""What waves do to a boat, seen in its log and taken out of its propulsion."""
