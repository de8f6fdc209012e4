"""GYM1xx: how an environment is called, and what is done with its answers."""
