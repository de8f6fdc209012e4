"""What environments use."""
