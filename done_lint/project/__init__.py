"""Which files belong to a project, its settings, and the packages that it needs."""
