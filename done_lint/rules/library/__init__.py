"""GYM4xx: what the library renamed, moved and removed."""
