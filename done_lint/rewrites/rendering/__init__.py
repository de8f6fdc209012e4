"""What the fixes for rendering and recording share."""
