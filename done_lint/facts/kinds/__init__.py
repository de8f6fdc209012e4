"""The kinds of facts: a dataclass for each thing that a rule can learn about a place."""
