"""What nodes share (messages, parameters, QoS, lifecycle), and how graphs are made of them: options, processes."""
