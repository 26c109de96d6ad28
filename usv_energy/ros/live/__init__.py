"""What live nodes share: sensors, measured battery and hull, orders, the sea."""
