"""Loops that end, or begin the next episode, on the flag of a step."""
