"""GYM2xx: value targets that a flag cuts."""
