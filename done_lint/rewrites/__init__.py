"""What fixes share: each file rewrites one thing."""
