"""Power and energy by cause."""
