"""A second flag beside the one that a program passes on and stores."""
