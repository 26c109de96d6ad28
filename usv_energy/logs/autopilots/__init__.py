"""Logs of autopilots: ArduPilot's DataFlash, PX4's ULog, telemetry of ground stations."""
