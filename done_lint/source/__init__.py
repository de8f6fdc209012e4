"""Bytes to programs: Python files, documents that hold Python, and comments that silence findings."""
