"""Water current and wind as fields, by one protocol, `velocity(t, x, y)`, in the earth frame (ENU); waves as fields."""
