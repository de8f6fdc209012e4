"""What loops carry on: recursions, sums, counters, and rows one by one."""
