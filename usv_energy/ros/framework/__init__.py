"""The base of every node: lifecycle, parameters, subscriptions, diagnostics, executors."""
