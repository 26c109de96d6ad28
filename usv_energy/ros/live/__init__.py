"""Parts of live nodes: sensors, measured battery and hull, orders, flows and the sea, loads, routes."""
