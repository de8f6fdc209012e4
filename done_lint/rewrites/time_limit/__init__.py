"""Reads and checks of a time limit."""
