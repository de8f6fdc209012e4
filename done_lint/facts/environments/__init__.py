"""Which expressions are environments, what made them, and what is inside and around them."""
