"""The survey of one file: its nodes, and how values flow between them."""
