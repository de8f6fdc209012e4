"""What keeps a family from being changed."""
