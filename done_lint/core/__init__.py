"""Findings, fixes, text and files: the data that all other packages share."""
