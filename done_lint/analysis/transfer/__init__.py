"""Transfer functions: what each operation and call does with the values that arrive."""
