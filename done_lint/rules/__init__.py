"""The rules: one file each, named by code and name; `registry.py` finds them."""
