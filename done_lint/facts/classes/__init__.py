"""Environment classes of the project: what they inherit, have and define."""
