"""What a file says about libraries and releases: imports, tests of versions, code for one of two."""
