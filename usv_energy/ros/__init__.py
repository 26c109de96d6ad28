"""What the nodes share: messages, parameters, QoS, lifecycle, pairing by stamp, composition."""
