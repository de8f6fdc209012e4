"""From one value of `reset` to the pair of observation and info."""
