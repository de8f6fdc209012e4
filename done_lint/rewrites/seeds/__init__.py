"""What the fixes for seeds share."""
