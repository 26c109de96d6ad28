"""Water current and wind of a log: as recorded, as said, or estimated."""
