"""Which files belong to a project, and what it asks for."""
