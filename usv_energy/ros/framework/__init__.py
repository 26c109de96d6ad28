"""What every node is made of: lifecycle, parameters, subscriptions, diagnostics, executors."""
