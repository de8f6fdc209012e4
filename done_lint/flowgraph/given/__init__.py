"""What functions are handed by others than their callers: fixtures, decorators, entry points."""
