"""GYM3xx: environments and wrappers that the project defines."""
