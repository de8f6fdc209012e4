"""Findings, fixes, text and files: what every other room speaks of."""
