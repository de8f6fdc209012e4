"""The solver: surveys joined into one graph, values propagated until nothing changes."""
