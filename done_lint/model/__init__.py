"""The episode model: which API an object speaks, what a flag means, where it goes."""
