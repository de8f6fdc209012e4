"""From four values of `step` to five."""
