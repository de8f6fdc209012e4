"""The ids by which environments are made: which a call can be given, who registers them."""
