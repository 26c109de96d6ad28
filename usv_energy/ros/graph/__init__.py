"""Which nodes make a graph, with which parameters, as processes or composed in one."""
