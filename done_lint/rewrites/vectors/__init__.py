"""What the fixes for vector environments share."""
