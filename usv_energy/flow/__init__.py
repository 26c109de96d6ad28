"""Water current and wind as fields: one protocol, `velocity(t, x, y)`, in the earth frame (ENU)."""
